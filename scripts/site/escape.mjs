// @ts-check

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Makes text fit for an HTML document, also between quotation marks.
 * @param {string} text
 */
export function escape(text) {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/**
 * The text that a piece of HTML written here shows.
 * @param {string} html
 */
export function plain(html) {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}

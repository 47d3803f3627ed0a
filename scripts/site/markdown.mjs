// @ts-check
// Turns a document into the inside of a page.
import { Marked, Renderer } from "marked";
import { uniqueAnchors } from "./anchors.mjs";
import { escape, plain } from "./escape.mjs";
import { highlight } from "./highlight.mjs";

/**
 * @typedef {object} Section A heading and what stands below it, up to the next one.
 * @property {string} id
 * @property {string} title
 * @property {number} depth
 * @property {string} text
 */

/**
 * @typedef {object} Rendered
 * @property {string} html
 * @property {string} title The first heading.
 * @property {string} description The first paragraph, in a sentence or two.
 * @property {readonly Section[]} sections
 */

/**
 * @typedef {object} LinkTargets
 * @property {(href: string) => string | undefined} addressOf Where a link of the document leads on the site; nothing where it leads nowhere there.
 * @property {(code: string) => string | undefined} nameAddress The page that explains a name written as code.
 * @property {boolean} [rowsAreAnchors] Whether rows of tables can be linked by the code in their first cell.
 */

/** What marks a sample as one of several: ```tsx tab=React. */
const TAB = "tab=";
const DESCRIPTION_LENGTH = 170;

/**
 * @param {string} text
 * @param {LinkTargets} targets
 * @returns {Rendered}
 */
export function renderMarkdown(text, { addressOf, nameAddress, rowsAreAnchors = false }) {
  const anchor = uniqueAnchors();
  /** @type {Section[]} */
  const sections = [];
  /** @type {Set<string>} */
  const linked = new Set();
  let isInLink = false;
  let description = "";

  /** @type {import("marked").RendererObject} */
  const renderer = {
    heading({ tokens, depth }) {
      isInLink = true;
      const inner = this.parser.parseInline(tokens);
      isInLink = false;
      const title = plain(inner);
      const id = anchor(title);
      sections.push({ id, title, depth, text: "" });
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      const mark = `<a class="anchor" href="#${id}" aria-label="Link to “${escape(title)}”">#</a>`;
      return `<h${depth} id="${id}">${inner} ${mark}</h${depth}>\n`;
    },
    paragraph(token) {
      const html = Renderer.prototype.paragraph.call(this, token);
      const said = plain(html);
      if (description === "" && sections.length > 0) description = said;
      add(said);
      return html;
    },
    text(token) {
      if (token.type === "text" && !("tokens" in token && token.tokens)) return Renderer.prototype.text.call(this, token);
      const html = Renderer.prototype.text.call(this, token);
      if ("tokens" in token && token.tokens) add(plain(html));
      return html;
    },
    table(token) {
      const cell = (/** @type {import("marked").Tokens.TableCell} */ { tokens }) => this.parser.parseInline(tokens);
      const head = token.header.map((one) => (one.text === "" ? "<td></td>" : `<th scope="col">${cell(one)}</th>`)).join("");
      const rows = token.rows.map((row) => {
        const cells = row.map(cell);
        add(`${plain(cells.filter((one) => one !== "").join(": "))};`);
        const [first] = row[0]?.tokens ?? [];
        const id = rowsAreAnchors && first?.type === "codespan" ? ` id="${escape(first.text)}"` : "";
        return `<tr${id}>${cells.map((one) => `<td>${one}</td>`).join("")}</tr>`;
      });
      return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>\n`;
    },
    code({ text: code, lang = "" }) {
      const [language = "", ...marks] = lang.split(/\s+/);
      const pre = `<pre class="code"><code>${highlight(code, language)}</code></pre>\n`;
      // One that runs on the page, and one of several for different frameworks.
      if (marks.includes("live")) return `<div class="live">${pre}</div>\n`;
      const tab = marks.find((mark) => mark.startsWith(TAB))?.slice(TAB.length);
      return tab === undefined ? pre : `<div class="tab" data-tab="${escape(tab)}"><p>${escape(tab)}</p>${pre}</div>\n`;
    },
    codespan({ text: code }) {
      const html = `<code>${escape(code)}</code>`;
      const address = isInLink || linked.has(code) ? undefined : nameAddress(code);
      if (address === undefined) return html;
      linked.add(code);
      return `<a class="name" href="${escape(address)}">${html}</a>`;
    },
    link({ href, tokens }) {
      const wasInLink = isInLink;
      isInLink = true;
      const inner = this.parser.parseInline(tokens);
      isInLink = wasInLink;
      const address = addressOf(href);
      return address === undefined ? `<span class="file">${inner}</span>` : `<a href="${escape(address)}">${inner}</a>`;
    },
    image({ href, text: alt }) {
      const address = addressOf(href);
      if (address === undefined) throw new Error(`There is no picture ${href}.`);
      add(alt);
      return `<img src="${escape(address)}" alt="${escape(alt)}">`;
    },
    // Documents hold none but remarks for those who edit them.
    html: () => "",
  };

  /** @param {string} more */
  function add(more) {
    const last = sections.at(-1);
    if (last) sections[sections.length - 1] = { ...last, text: `${last.text} ${more}`.trim() };
  }

  const html = /** @type {string} */ (new Marked({ renderer, async: false }).parse(text));
  return { html, title: sections[0]?.title ?? "", description: shorten(description), sections };
}

/**
 * Cuts a text behind a sentence, or else behind a word.
 * @param {string} text
 */
export function shorten(text) {
  if (text.length <= DESCRIPTION_LENGTH) return text.replace(/:$/, ".");
  const start = text.slice(0, DESCRIPTION_LENGTH);
  const end = start.lastIndexOf(". ");
  return end > 40 ? start.slice(0, end + 1) : `${start.slice(0, start.lastIndexOf(" "))} …`;
}

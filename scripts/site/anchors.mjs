// @ts-check
// Names by which headings are linked, as in the Markdown sources.

/**
 * @param {string} title
 */
export function anchorOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

/** Gives each name once: the second "files" is "files-1". */
export function uniqueAnchors() {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return (/** @type {string} */ title) => {
    const anchor = anchorOf(title);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}

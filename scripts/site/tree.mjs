// @ts-check
// Puts the pages in order: as the index lists them, lists of pages opened.
import { apiPath } from "./api-page.mjs";
import { readIndex, readRows } from "./read-index.mjs";

/** @typedef {import("./frame.mjs").SitePage} SitePage */
/** @typedef {import("./frame.mjs").TreeEntry} TreeEntry */

const INDEX = "docs/README.md";
/** The document whose table lists the public subpaths. */
export const API = "docs/api.md";
/** Documents whose tables list further pages. */
const LISTS = new Set(["docs/reference/README.md", "examples/README.md"]);

/**
 * @param {readonly import("./read-documents.mjs").SourceDocument[]} documents
 * @param {readonly import("./read-api.mjs").Entry[]} entries
 * @param {ReadonlyMap<string, string>} paths
 * @param {ReadonlyMap<string, SitePage>} pages
 * @returns {readonly import("./frame.mjs").TreePart[]}
 */
export function makeTree(documents, entries, paths, pages) {
  const documentOf = new Map(documents.map((document) => [document.source, document]));
  const index = documentOf.get(INDEX);
  if (!index) throw new Error(`${INDEX} is missing.`);
  const parts = readIndex(index);
  const top = new Set(parts.flatMap((part) => part.entries.map(({ source }) => source)));
  const pathOf = (/** @type {string} */ source) => paths.get(source) ?? paths.get(`${source}/README.md`);

  /** @param {string} source @returns {readonly TreeEntry[]} */
  const childrenOf = (source) => {
    if (source === API) return entries.map(({ name }) => ({ title: name, path: apiPath(name), children: [] }));
    const document = documentOf.get(source);
    if (!document || !LISTS.has(source)) return [];
    return readRows(document).flatMap((row) => {
      const path = pathOf(row.source);
      return path === undefined || top.has(row.source) ? [] : [{ title: row.title, path, children: [] }];
    });
  };
  const tree = parts.map(({ title, entries: listed }) => ({
    title,
    entries: listed.flatMap((entry) => {
      const path = pathOf(entry.source);
      return path === undefined ? [] : [{ title: entry.title, path, children: childrenOf(entry.source) }];
    }),
  }));
  // A page that nobody put into the index is still found.
  const listed = new Set([
    "index.html",
    ...tree.flatMap((part) => part.entries.flatMap((e) => [e.path, ...e.children.map(({ path }) => path)])),
  ]);
  const rest = [...pages.values()].filter(({ path }) => !listed.has(path)).map(({ path, title }) => ({ title, path, children: [] }));
  return rest.length === 0 ? tree : [...tree, { title: "More", entries: rest }];
}

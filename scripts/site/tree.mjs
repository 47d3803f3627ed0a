// @ts-check
// Puts the pages in order: as the index lists them, lists of pages opened.
import { apiPath } from "./api-page.mjs";
import { readIndex } from "./read-index.mjs";

/** @typedef {import("./frame.mjs").SitePage} SitePage */
/** @typedef {import("./frame.mjs").TreeEntry} TreeEntry */

const INDEX = "docs/README.md";
/** The document whose table lists the public subpaths. */
export const API = "docs/api.md";
/** Where the pages of a folder begin; the others stand below it. */
const FIRST = "/index.html";

/**
 * @param {readonly import("./read-documents.mjs").SourceDocument[]} documents
 * @param {readonly import("./read-api.mjs").Entry[]} entries
 * @param {ReadonlyMap<string, string>} paths
 * @param {readonly SitePage[]} pages
 * @returns {readonly import("./frame.mjs").TreePart[]}
 */
export function makeTree(documents, entries, paths, pages) {
  const index = documents.find(({ source }) => source === INDEX);
  if (!index) throw new Error(`${INDEX} is missing.`);
  const parts = readIndex(index);
  const pathOf = (/** @type {string} */ source) => paths.get(source) ?? paths.get(`${source}/README.md`);
  const top = new Set(parts.flatMap((part) => part.entries.map(({ source }) => pathOf(source))));

  /** @param {string} path @returns {readonly TreeEntry[]} */
  const childrenOf = (path) => {
    if (path === paths.get(API)) return entries.map(({ name }) => ({ title: name, path: apiPath(name), children: [] }));
    if (!path.endsWith(FIRST)) return [];
    const folder = path.slice(0, 1 - FIRST.length);
    return pages.filter((page) => page.path.startsWith(folder) && !top.has(page.path)).map(entryOf);
  };
  const tree = parts.map(({ title, entries: listed }) => ({
    title,
    entries: listed.flatMap((entry) => {
      const path = pathOf(entry.source);
      return path === undefined ? [] : [{ title: entry.title, path, children: childrenOf(path) }];
    }),
  }));
  // A page that is missing from the index is still found.
  const listed = new Set([
    "index.html",
    ...tree.flatMap((part) => part.entries.flatMap((e) => [e.path, ...e.children.map(({ path }) => path)])),
  ]);
  const rest = pages.filter(({ path }) => !listed.has(path)).map(entryOf);
  return rest.length === 0 ? tree : [...tree, { title: "More", entries: rest }];
}

/**
 * @param {SitePage} page
 * @returns {TreeEntry}
 */
function entryOf({ path, title }) {
  return { title, path, children: [] };
}

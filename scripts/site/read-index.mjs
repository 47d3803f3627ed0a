// @ts-check
// Reads the order of the pages from the index, docs/README.md: its headings are the parts of the tree, the rows of their tables the pages.
import { posix } from "node:path";

/**
 * @typedef {object} IndexEntry
 * @property {string} title
 * @property {string} source Relative to the folder with package.json.
 */

/**
 * @typedef {object} IndexPart
 * @property {string} title
 * @property {readonly IndexEntry[]} entries
 */

const ROW = /^\| \[([^\]]+)\]\(([^)#]+)\)/gm;

/**
 * The parts of an index with the pages that stand in their tables.
 * @param {import("./read-documents.mjs").SourceDocument} index
 * @returns {readonly IndexPart[]}
 */
export function readIndex({ source, text }) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ title: part.slice(0, part.indexOf("\n")).trim(), entries: readRows({ source, text: part }) }));
}

/**
 * What the first cells of tables link to, but for headings.
 * @param {{ readonly source: string, readonly text: string }} document
 * @returns {readonly IndexEntry[]}
 */
function readRows({ source, text }) {
  return [...text.matchAll(ROW)].map(([, title = "", href = ""]) => ({ title, source: posix.join(posix.dirname(source), href) }));
}

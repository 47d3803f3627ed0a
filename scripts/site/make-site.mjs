// @ts-check
// Makes the site of the documents: pages, styles, script, index of the search.
import { readFileSync } from "node:fs";
import { apiPath, writeApiPage } from "./api-page.mjs";
import { escape, plain } from "./escape.mjs";
import { writePage } from "./frame.mjs";
import { highlight, linkNames } from "./highlight.mjs";
import { DEMO, linksFrom, toAddress } from "./links.mjs";
import { renderMarkdown, shorten } from "./markdown.mjs";
import { addressBook } from "./names.mjs";
import { readApi } from "./read-api.mjs";
import { readDocuments, readImages, ROOT } from "./read-documents.mjs";
import { readExamples } from "./read-examples.mjs";
import { makeSearchIndex } from "./search-index.mjs";
import { readSubpaths } from "./subpaths.mjs";
import { API, makeTree } from "./tree.mjs";

/** @typedef {import("./frame.mjs").SitePage} SitePage */

const ASSETS = new URL("assets/", import.meta.url);

/**
 * The pages of the site and what they load, by their paths. Beside them stand the pictures of the documents.
 * @returns {ReadonlyMap<string, string>}
 */
export function makeSite() {
  const entries = readApi();
  const documents = readDocuments();
  const examples = readExamples();
  const paths = new Map([...documents, ...examples, ...readImages()].map(({ source, path }) => [source, path]));
  const names = addressBook(entries, documents);

  const pages = [
    ...[...documents, ...examples].map((document) => renderDocument(document, paths, names)),
    ...entries.map((entry) => renderEntry(entry, paths, names)),
  ];
  const tree = makeTree(documents, entries, paths, pages);
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
  return new Map([
    ...pages.map((page) => /** @type {const} */ ([page.path, writePage(page, tree, { demo: DEMO, version })])),
    // The looks that the demo has as well come first.
    [
      "site.css",
      [`${ROOT}demo/styles/tokens.css`, `${ROOT}demo/styles/ground.css`, new URL("site.css", ASSETS)]
        .map((path) => readFileSync(path, "utf8"))
        .join("\n"),
    ],
    ...["theme.js", "site.js", "search.js"].map((name) => /** @type {const} */ ([name, readFileSync(new URL(name, ASSETS), "utf8")])),
    ["icon.svg", readFileSync(`${ROOT}demo/public/icon.svg`, "utf8")],
    ["search.json", JSON.stringify(makeSearchIndex(pages))],
  ]);
}

/**
 * @param {{ readonly source: string, readonly path: string, readonly text: string }} document
 * @param {ReadonlyMap<string, string>} paths
 * @param {import("./names.mjs").AddressBook} names
 * @returns {SitePage}
 */
function renderDocument({ source, path, text }, paths, names) {
  const rendered = renderMarkdown(text, {
    addressOf: linksFrom(source, path, paths),
    nameAddress: (code) => toAddress(names.ofCode(code), path),
    rowsAreAnchors: source === "docs/errors.md",
  });
  return { path, ...rendered };
}

/**
 * @param {import("./read-api.mjs").Entry} entry
 * @param {ReadonlyMap<string, string>} paths
 * @param {import("./names.mjs").AddressBook} names
 * @returns {SitePage}
 */
function renderEntry(entry, paths, names) {
  const path = apiPath(entry.name);
  const introduction = readSubpaths().get(entry.name) ?? "";
  /** @param {string} text */
  const prose = (text) =>
    renderMarkdown(text.replaceAll(/\{@link ([^}]+)\}/g, "`$1`"), {
      addressOf: linksFrom(API, path, paths),
      nameAddress: (code) => toAddress(names.ofExport(code) ?? names.ofCode(code), path),
    }).html;
  const { html, sections } = writeApiPage(entry, introduction, {
    escape,
    prose,
    code: (code) => linkNames(highlight(code, "ts"), (name) => toAddress(names.ofExport(name), path)),
  });
  return { path, title: entry.name, description: shorten(`${entry.name}: ${plain(prose(introduction))}`), html, sections };
}

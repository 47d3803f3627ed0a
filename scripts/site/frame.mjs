// @ts-check
// The frame of a page: sign, search, tree, contents.
import { posix } from "node:path";
import { escape } from "./escape.mjs";

/** Nothing but the site's own files; no script in the text of a page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9"/><path d="M4 19c3 0 3-6 6-6s3 6 6 6 3-6 6-6 3 6 6 6"/><circle cx="22" cy="9" r="3"/></svg>`;

/**
 * @typedef {object} SitePage
 * @property {string} path Below the folder of the site: `reference/index.html`.
 * @property {string} title
 * @property {string} description
 * @property {string} html
 * @property {readonly import("./markdown.mjs").Section[]} sections
 */

/**
 * @typedef {object} TreeEntry
 * @property {string} title
 * @property {string} path
 * @property {readonly TreeEntry[]} children
 */

/**
 * @typedef {object} TreePart
 * @property {string} title
 * @property {readonly TreeEntry[]} entries
 */

/**
 * @param {SitePage} page
 * @param {readonly TreePart[]} tree
 * @param {{ readonly demo: string, readonly version: string }} options
 */
export function writePage(page, tree, { demo, version }) {
  const to = (/** @type {string} */ path) => relativeTo(page.path, path);
  const isHome = page.path === "index.html";
  const order = tree.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.children]));
  const place = order.findIndex(({ path }) => path === page.path);
  const part = tree.find(({ entries }) => entries.some((entry) => holds(entry, page.path)));
  const title = isHome ? "Wavepoint documentation" : `${page.title} · Wavepoint`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escape(page.description)}">
<title>${escape(title)}</title>
<link rel="icon" href="${to("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${to("site.css")}">
<script src="${to("theme.js")}"></script>
<script type="module" src="${to("site.js")}"></script>
</head>
<body data-root="${to("").replace(/\/?$/, "/")}">
<a class="skip-link" href="#content">Skip to content</a>
<header class="top">
<a class="home" href="${to("index.html")}">${MARK}<span>Wavepoint</span> <span class="version">${escape(version)}</span></a>
<button class="contents-button" type="button" popovertarget="tree">Contents</button>
<search class="search" hidden>
<label for="query" class="unseen">Search the documentation</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" placeholder="Search" aria-controls="found" aria-keyshortcuts="Control+K">
<div id="found" class="found" hidden></div>
<p id="found-count" class="unseen" role="status"></p>
</search>
<button class="theme" type="button" hidden></button>
<a class="demo" href="${to(demo)}">Demo</a>
</header>
<div class="columns">
<nav id="tree" class="tree" aria-label="Documentation" popover>
<button class="close-tree" type="button" popovertarget="tree" popovertargetaction="hide">Close</button>
${tree.map((one) => writePart(one, page, to)).join("\n")}
</nav>
<main id="content" tabindex="-1">
${part && !isHome ? `<p class="part">${escape(part.title)}</p>` : ""}
<article>
${page.html}
</article>
${place < 0 ? "" : writeNeighbours(order[place - 1], order[place + 1], to)}
</main>
${writeContents(page)}
</div>
</body>
</html>
`;
}

/**
 * @param {string} from
 * @param {string} to
 */
export function relativeTo(from, to) {
  const relative = posix.relative(posix.dirname(from), to);
  return relative === "" ? "./" : relative;
}

/**
 * @param {TreeEntry} entry
 * @param {string} path
 * @returns {boolean}
 */
function holds(entry, path) {
  return entry.path === path || entry.children.some((child) => child.path === path);
}

/**
 * @param {TreePart} part
 * @param {SitePage} page
 * @param {(path: string) => string} to
 */
function writePart({ title, entries }, page, to) {
  const link = (/** @type {TreeEntry} */ entry) =>
    entry.path === page.path
      ? `<a href="${to(entry.path)}" aria-current="page">${escape(entry.title)}</a>${writeSections(page)}`
      : `<a href="${to(entry.path)}">${escape(entry.title)}</a>`;
  const items = entries.map((entry) => {
    if (!holds(entry, page.path) || entry.children.length === 0) return `<li>${link(entry)}</li>`;
    const children = entry.children.map((child) => `<li>${link(child)}</li>`).join("");
    return `<li>${link(entry)}<ul>${children}</ul></li>`;
  });
  const id = `part-${title.toLowerCase().replaceAll(/\W+/g, "-")}`;
  return `<h2 id="${id}">${escape(title)}</h2>\n<ul aria-labelledby="${id}">${items.join("\n")}</ul>`;
}

/**
 * The sections of the page within the tree: where there is no room for a list of them beside the text.
 * @param {SitePage} page
 */
function writeSections({ sections }) {
  const listed = sections.filter(({ depth }) => depth === 2);
  if (listed.length < 2) return "";
  return `<ul class="sections">${listed.map(({ id, title }) => `<li><a href="#${escape(id)}">${escape(title)}</a></li>`).join("")}</ul>`;
}

/**
 * @param {TreeEntry | undefined} before
 * @param {TreeEntry | undefined} after
 * @param {(path: string) => string} to
 */
function writeNeighbours(before, after, to) {
  const link = (/** @type {TreeEntry | undefined} */ entry, /** @type {"prev" | "next"} */ rel) =>
    entry ? `<a rel="${rel}" href="${to(entry.path)}"><span>${rel === "prev" ? "Before" : "Next"}</span> ${escape(entry.title)}</a>` : "";
  return `<nav class="neighbours" aria-label="Before and next">${link(before, "prev")}${link(after, "next")}</nav>`;
}

/** @param {SitePage} page */
function writeContents({ path, sections }) {
  const listed = sections.filter(({ depth }) => depth === 2 || (depth === 3 && path.startsWith("api/")));
  if (listed.length < 2) return "";
  const items = listed.map(({ id, title, depth }) => `<li class="depth-${depth}"><a href="#${escape(id)}">${escape(title)}</a></li>`);
  return `<nav class="on-page" aria-labelledby="on-page"><h2 id="on-page">On this page</h2><ul>${items.join("\n")}</ul></nav>`;
}

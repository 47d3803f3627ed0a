// @ts-check
// The Markdown files that become pages, and where each of them stands on the site.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Documents that stand beside the folder of documents. */
const BESIDE = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"];
const IMAGES = "docs/images";
const EXAMPLES = "examples/README.md";

/**
 * @typedef {object} SourceDocument
 * @property {string} source Relative to the folder with package.json.
 * @property {string} path Where its page stands, below the folder of the site.
 * @property {string} text
 */

/** @returns {readonly SourceDocument[]} */
export function readDocuments() {
  const guides = readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md"))
    .toSorted();
  return [...guides, ...BESIDE, EXAMPLES].map((source) => ({ source, path: pathOf(source), text: readFileSync(ROOT + source, "utf8") }));
}

/**
 * The pictures of the documents.
 * @returns {readonly { readonly source: string, readonly path: string, readonly bytes: Uint8Array }[]}
 */
export function readImages() {
  return readdirSync(`${ROOT}${IMAGES}`)
    .toSorted()
    .map((name) => ({ source: `${IMAGES}/${name}`, path: `images/${name}`, bytes: readFileSync(`${ROOT}${IMAGES}/${name}`) }));
}

/** @param {string} source */
function pathOf(source) {
  if (source === "README.md") return "overview.html";
  const below = source.replace(/^docs\//, "");
  const place = posix.basename(below) === "README.md" ? posix.join(posix.dirname(below), "index") : below.replace(/\.md$/, "");
  return `${place.toLowerCase()}.html`;
}

// @ts-check
// The folders of examples: what their README says, then their files.
import { readdirSync, readFileSync } from "node:fs";
import { basename, posix } from "node:path";
import { ROOT } from "./read-documents.mjs";

const LANGUAGES = new Map([
  [".css", "css"],
  [".html", "html"],
  [".json", "json"],
  [".mjs", "js"],
  [".sh", "sh"],
  [".svelte", "svelte"],
  [".ts", "ts"],
  [".tsx", "tsx"],
  [".vue", "vue"],
  [".yaml", "yaml"],
]);

/**
 * @typedef {object} ExampleFolder
 * @property {string} source `examples/wizard`
 * @property {string} path `examples/wizard.html`
 * @property {string} text The page as Markdown.
 */

/** @returns {readonly ExampleFolder[]} */
export function readExamples() {
  return readdirSync(`${ROOT}examples`, { withFileTypes: true })
    .filter((found) => found.isDirectory())
    .map(({ name }) => `examples/${name}`)
    .toSorted()
    .map((source) => ({ source, path: `${source}.html`, text: pageOf(source) }));
}

/** @param {string} folder */
function pageOf(folder) {
  const files = readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/(?:^|\/)(?:node_modules|dist|\.[^/]*)(?:\/|$)/.test(path))
    .toSorted();
  const introduction = files.includes("README.md")
    ? readFileSync(`${ROOT}${folder}/README.md`, "utf8")
    : `# ${titleOf(folder)}\n\nAll files of this example.\n`;
  const shown = files.flatMap((path) => {
    const language = LANGUAGES.get(posix.extname(path));
    if (language === undefined) return [];
    const text = readFileSync(`${ROOT}${folder}/${path}`, "utf8");
    const fence = text.includes("```") ? "````" : "```";
    return [`## ${path}\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`];
  });
  return [introduction, ...shown].join("\n");
}

/** @param {string} folder */
function titleOf(folder) {
  const name = basename(folder).replaceAll("-", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

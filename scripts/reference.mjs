// @ts-check
// Writes the reference from the schemas in the source: `npm run reference`.
import "./corpus/run-from-source.mjs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";

const FOLDER = new URL("../docs/reference/", import.meta.url);

const { builtinBlocks } = await import("../src/blocks.ts");
const { describedFormat } = await import("../src/yaml/workflow-texts.ts");
const { makePages } = await import("./reference/pages.mjs");
const pages = await makePages(builtinBlocks, describedFormat());

await mkdir(new URL("blocks/", FOLDER), { recursive: true });
const before = await readdir(FOLDER, { recursive: true });
for (const path of before) {
  if (path.endsWith(".md") && !pages.has(path.replaceAll("\\", "/"))) await rm(new URL(path, FOLDER));
}
for (const [path, text] of pages) await writeFile(new URL(path, FOLDER), text);
console.log(`${pages.size} pages in docs/reference`);

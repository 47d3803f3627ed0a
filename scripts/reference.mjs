// @ts-check
// Writes the reference, and the types of the built-in blocks, from the schemas in the source: `npm run reference`.
import "./corpus/run-from-source.mjs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";

const FOLDER = new URL("../docs/reference/", import.meta.url);

const { builtinBlocks } = await import("../src/blocks.ts");
const { describedFormat } = await import("../src/yaml/workflow-texts.ts");
const { makePages } = await import("./reference/pages.mjs");
const { writeBlockTypes } = await import("./reference/block-types.mjs");
const pages = await makePages(builtinBlocks, describedFormat());

await mkdir(new URL("blocks/", FOLDER), { recursive: true });
const before = await readdir(FOLDER, { recursive: true });
for (const path of before) {
  if (path.endsWith(".md") && !pages.has(path.replaceAll("\\", "/"))) await rm(new URL(path, FOLDER));
}
for (const [path, text] of pages) await writeFile(new URL(path, FOLDER), text);
const types = new URL("../src/core/definition/typed/built-in-types.ts", import.meta.url);
await writeFile(types, await format(writeBlockTypes(builtinBlocks), { ...(await resolveConfig(types)), parser: "typescript" }));
console.log(`${pages.size} pages in docs/reference`);

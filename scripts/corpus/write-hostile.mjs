/** `node scripts/corpus/write-hostile.mjs DIR`: writes the hostile corpus whole, generated inputs included, into a folder. */
import "./run-from-source.mjs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const corpus = fileURLToPath(new URL("../../test/corpus/hostile/", import.meta.url));
const { GENERATED_WORKFLOWS, restoreLongTexts, writeCorpusJson } = await import("../../test/corpus/hostile/generate.ts");

const target = process.argv[2];
if (!target) {
  console.error("Say where to: node scripts/corpus/write-hostile.mjs DIR");
  process.exit(2);
}

await mkdir(join(target, "workflows"), { recursive: true });
await cp(join(corpus, "manifest.json"), join(target, "manifest.json"));
for (const folder of ["workflows", "tables", "checkpoints", "mcp"]) {
  for (const name of await readdir(join(corpus, folder))) {
    const from = join(corpus, folder, name);
    const to = join(target, folder, name);
    await mkdir(dirname(to), { recursive: true });
    const text = await readFile(from, "utf8");
    if (name.endsWith(".json") && text.includes('"repeat"')) await writeFile(to, writeCorpusJson(restoreLongTexts(JSON.parse(text))));
    else await cp(from, to);
  }
}
for (const [path, make] of GENERATED_WORKFLOWS) await writeFile(join(target, path), make());

// @ts-check
// Measures what a page must load before it can run a workflow, and fails when that outgrows its budget: `npm run size`.
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const KILOBYTE = 1_000;
const GZIP_LEVEL = 9;
const HEAVIEST_COUNT = 25;
const ENTRY = "virtual:size-entry";
const ENTRY_FILE = `${ROOT}src/size-entry.js`;

const FRAMEWORKS = ["react", "vue", "svelte"];

const BUDGETS = [
  { name: "wavepoint", imports: ["wavepoint"], limit: 20 * KILOBYTE },
  { name: "wavepoint + IndexedDB store", imports: ["wavepoint", "wavepoint/store/indexeddb"], limit: 24 * KILOBYTE },
  // A page whose executor works in a worker loads no engine.
  { name: "wavepoint/worker, for the page", imports: ["wavepoint/worker"], only: "workerExecutor", limit: 4 * KILOBYTE },
  {
    name: "wavepoint/elements, on top of wavepoint",
    imports: ["wavepoint", "wavepoint/elements"],
    above: ["wavepoint"],
    limit: 12 * KILOBYTE,
  },
  // With the form of a question, which they share with the elements; the framework is the page's own.
  ...FRAMEWORKS.map((name) => ({
    name: `wavepoint/${name}, on top of wavepoint`,
    imports: ["wavepoint", `wavepoint/${name}`],
    above: ["wavepoint"],
    limit: KILOBYTE,
  })),
];

/**
 * Bundles the named modules as a page would that uses everything they export, or one thing only.
 * @param {readonly string[]} imports
 * @param {string | undefined} only
 */
async function bundle(imports, only) {
  const source = imports.map((name) => `export ${only ? `{ ${only} }` : "*"} from ${JSON.stringify(name)};`).join("\n");
  const output = await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["wavepoint:source", "module", "browser", "production"] },
    plugins: [
      {
        name: "size-entry",
        enforce: "pre",
        // The entry stands in for a file of the package: only from within can it be imported by its own name.
        resolveId: (id) => (id === ENTRY ? ENTRY_FILE : undefined),
        load(id) {
          if (id === ENTRY_FILE) return source;
          // What the bundler wraps around dynamic imports is its own, not the package's.
          return id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : undefined;
        },
      },
    ],
    build: {
      write: false,
      minify: true,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: { input: ENTRY, external: FRAMEWORKS, preserveEntrySignatures: "strict", output: { format: "es" } },
    },
  });
  if (Array.isArray(output) || !("output" in output)) throw new Error("The bundler gave something else than one bundle.");
  return output.output.filter((part) => part.type === "chunk");
}

/** @typedef {Awaited<ReturnType<typeof bundle>>[number]} Chunk */

/**
 * The entry and whatever it loads at once.
 * @param {readonly Chunk[]} chunks
 * @returns {Set<Chunk>}
 */
function reachAtOnce(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set(chunks.filter((chunk) => chunk.isEntry));
  // A set may grow while it is walked: what is added is visited too.
  for (const chunk of reached) {
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported !== undefined) reached.add(imported);
    }
  }
  return reached;
}

/**
 * What is loaded at once counts as one file: bundlers differ in how finely they cut what it shares with what is loaded later.
 * @param {Iterable<Chunk>} chunks
 */
const gzipped = (chunks) => gzipSync([...chunks].map(({ code }) => code).join("\n"), { level: GZIP_LEVEL }).length;

/**
 * The heaviest modules of the chunks, by the size of their code before it is minified.
 * @param {Iterable<Chunk>} chunks
 */
function listHeaviest(chunks) {
  const modules = [...chunks].flatMap((chunk) => Object.entries(chunk.modules));
  return modules
    .map(([path, { renderedLength }]) => ({ path: path.replace(ROOT, ""), bytes: renderedLength }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, HEAVIEST_COUNT);
}

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / KILOBYTE).toFixed(2)} kB`;

for (const { name, imports, only, above, limit } of BUDGETS) {
  const chunks = await bundle(imports, only);
  const atOnce = reachAtOnce(chunks);
  // What the page has anyway does not count.
  const total = gzipped(atOnce) - (above ? gzipped(reachAtOnce(await bundle(above, undefined))) : 0);
  if (total === 0) throw new Error(`${name}: the bundle is empty, so nothing was measured.`);
  console.log(`${total > limit ? "TOO LARGE " : ""}${name}: ${kilobytes(total)} of ${kilobytes(limit)} (minified, gzip)`);
  for (const chunk of chunks) {
    if (!atOnce.has(chunk)) console.log(`  loaded when used: ${kilobytes(gzipped([chunk]))}, mostly ${listHeaviest([chunk])[0]?.path}`);
  }
  if (total <= limit) continue;
  process.exitCode = 1;
  for (const { path, bytes } of listHeaviest(atOnce)) console.log(`  heavy: ${path} ${kilobytes(bytes)} before minification`);
}

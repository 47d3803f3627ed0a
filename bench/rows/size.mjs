import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { line } from "../harness/line.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KILOBYTE = 1_000;

/** What a page loads before it can run a workflow, as `npm run size` counts it. */
export async function measure() {
  // It ends with a failure where a budget is exceeded; the figures are there all the same.
  const { stdout } = spawnSync(process.execPath, ["scripts/size.mjs"], { cwd: ROOT, encoding: "utf8" });
  const peer = figure(await xstateSize());
  return [...stdout.matchAll(/^(?:TOO LARGE )?(.+): ([\d.]+) kB of ([\d.]+) kB/gm)].map(([, name, size, limit]) =>
    line({
      what: `size, minified and compressed: ${name}`,
      unit: "kB",
      ours: figure(Number(size)),
      peer,
      bar: `≤ ${Number(limit)} kB`,
      met: ({ ours }) => ours <= Number(limit),
      note: "XState has no store",
    }),
  );
}

const figure = (kilobytes) => ({ median: kilobytes, min: kilobytes, samples: 1 });

async function xstateSize() {
  const entry = fileURLToPath(new URL("../subjects/xstate-entry.mjs", import.meta.url));
  const { output } = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: true, target: "es2023", rolldownOptions: { input: entry, preserveEntrySignatures: "strict" } },
  });
  const chunks = output.filter(({ type }) => type === "chunk");
  return chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / KILOBYTE;
}

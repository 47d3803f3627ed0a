/** Module hooks: strip types, and resolve with the package's source condition. They run in a thread of their own, apart from what is measured. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";

export function resolve(specifier, context, nextResolve) {
  return nextResolve(specifier, { ...context, conditions: ["wavepoint:source", ...context.conditions] });
}

export async function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const { code } = await transformWithOxc(await readFile(path, "utf8"), path, { sourcemap: false, tsconfig: false });
  return { format: "module", source: code, shortCircuit: true };
}

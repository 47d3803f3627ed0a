import { build } from "vite";
import { expect, test } from "vitest";
import config from "../../docs/guide/pages/prepared/vite.config.ts";
import { ROOT } from "../package/source-files.ts";

const ENTRY = `${ROOT}docs/guide/pages/prepared/entry.js`;

/** Bundles a page of one line. */
async function bundle(line: string) {
  const output = await build({
    ...config,
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["wavepoint:source", "module", "browser", "production"] },
    plugins: [
      ...(config.plugins ?? []),
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? ENTRY : undefined),
        load: (id) => (id === ENTRY ? line : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: "entry", preserveEntrySignatures: "strict" } },
  });
  if (Array.isArray(output) || !("output" in output)) throw new Error("The bundler gave something else than one bundle.");
  return output.output.filter((part) => part.type === "chunk");
}

const readsYaml = (chunks: Awaited<ReturnType<typeof bundle>>) =>
  chunks.some(({ moduleIds }) => moduleIds.some((id) => id.includes("/node_modules/yaml/")));

test("a page gets the workflow, read when it was built, and no reader of YAML", { timeout: 60_000 }, async () => {
  const prepared = await bundle('export { default } from "../wizard/trip.yaml?workflow";');
  expect(prepared.map(({ code }) => code).join("")).toContain("What is the number of your passport?");
  expect(readsYaml(prepared)).toBe(false);
  expect(readsYaml(await bundle('export { loadWorkflow } from "wavepoint/yaml";'))).toBe(true);
});

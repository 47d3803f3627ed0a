import { fileURLToPath } from "node:url";
import { build } from "vite";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));

/**
 * Parts of the engine that have no public name, bundled from their sources as the package is.
 * @param {{ readonly [name: string]: string }} names Paths in `src` by what they export.
 */
export async function fromSource(names) {
  const code = Object.entries(names).map(([name, path]) => `export { ${name} } from ${JSON.stringify(SOURCES + path)};`);
  const entry = "\0from-source";
  const { output } = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "from-source",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code.join("\n") : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: "es2023",
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { codeSplitting: false } },
    },
  });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

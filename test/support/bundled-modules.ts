import { build, type Plugin } from "vite";

const QUERY = "?bundled";

/**
 * A plugin that imports `x.ts?bundled` as the address of one script, with all that the module loads. A worker starts from it at once; from the
 * sources it asks for some three hundred files, each time.
 */
export function bundledModules(): Plugin {
  return {
    name: "bundled-modules",
    enforce: "pre",
    async load(id) {
      if (!id.endsWith(QUERY)) return undefined;
      const { root, resolve } = this.environment.config;
      const input = id.slice(0, -QUERY.length);
      const result = await build({
        root,
        configFile: false,
        logLevel: "error",
        resolve: { conditions: resolve.conditions },
        build: { write: false, minify: false, target: "es2023", rolldownOptions: { input, output: { codeSplitting: false } } },
      });
      if (!("output" in result)) throw new Error(`${input} is not one script.`);
      return `export const address = URL.createObjectURL(new Blob([${JSON.stringify(result.output[0].code)}], { type: "text/javascript" }));`;
    },
  };
}

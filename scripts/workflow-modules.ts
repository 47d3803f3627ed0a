import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { loadWorkflow } from "../src/yaml/load-workflow.ts";

const QUERY = "?workflow";

/**
 * A plugin that imports `x.yaml?workflow` as `{ workflow, readSource }`: the definition, checked and read beforehand, and what gives its text.
 * So a page that ships workflows needs no YAML parser to show them, and loads their texts when someone wants to read one.
 */
export function workflowModules(): Plugin {
  return {
    name: "workflow-modules",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(`.yaml${QUERY}`)) return undefined;
      const file = id.slice(0, -QUERY.length);
      this.addWatchFile(file);
      const source = readFileSync(file, "utf8");
      const workflow = JSON.stringify(loadWorkflow(source, { source: file }));
      const text = JSON.stringify(`${file}?raw`);
      // Engines read a large text of JSON faster than the same as code.
      return `export const readSource = async () => (await import(${text})).default;\nexport const workflow = JSON.parse(${JSON.stringify(workflow)});`;
    },
  };
}

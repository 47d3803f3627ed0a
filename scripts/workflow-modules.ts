import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { loadWorkflow } from "../src/yaml/load-workflow.ts";

const QUERY = "?workflow";

/**
 * A plugin that imports `x.yaml?workflow` as `{ workflow, source }`: the definition, checked and read beforehand, and its text. So a page that
 * ships workflows needs no YAML parser to show them.
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
      // Engines read a large text of JSON faster than the same as code.
      return `export const source = ${JSON.stringify(source)};\nexport const workflow = JSON.parse(${JSON.stringify(workflow)});`;
    },
  };
}

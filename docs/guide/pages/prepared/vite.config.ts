import { readFileSync } from "node:fs";
import { defineConfig } from "vite";
import { loadWorkflow } from "wavepoint/yaml";

const QUERY = "?workflow";

export default defineConfig({
  plugins: [
    {
      name: "workflows",
      enforce: "pre",
      load(id) {
        if (!id.endsWith(`.yaml${QUERY}`)) return undefined;
        const file = id.slice(0, -QUERY.length);
        this.addWatchFile(file);
        return `export default ${JSON.stringify(loadWorkflow(readFileSync(file, "utf8"), { source: file }))};`;
      },
    },
  ],
});

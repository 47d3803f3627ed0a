// @ts-check
// Builds what runs the samples of the documents on their page.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, defaultClientConditions } from "vite";

/**
 * Writes `live/live.js` and what it loads later.
 * @param {string} folder The folder of the site.
 */
export async function buildLive(folder) {
  await build({
    configFile: false,
    root: fileURLToPath(new URL(".", import.meta.url)),
    base: "./",
    publicDir: false,
    logLevel: "warn",
    resolve: { conditions: ["wavepoint:source", ...defaultClientConditions] },
    build: {
      outDir: join(folder, "live"),
      emptyOutDir: true,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL("live.js", import.meta.url)),
        // A slow machine is no fault of the build.
        checks: { pluginTimings: false },
        preserveEntrySignatures: "exports-only",
        output: { entryFileNames: "live.js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
}

// @ts-check
// What makes a built page work without a network: its service worker, which knows every file of the page.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { transformWithOxc } from "vite";

/** What a workflow asks the network for stays on the network. */
const NOT_KEPT = /\.json$/;

/**
 * A plugin that writes the service worker beside the page, and its address into the page. Without a build there is none.
 * @param {{ readonly source: string, readonly files: readonly string[] }} options the text of the worker, and files of the page that the
 * build only copies; paths from the root.
 * @returns {import("vite").Plugin}
 */
export function offlinePage({ source, files }) {
  const name = "service-worker.js";
  return {
    name: "offline-page",
    apply: "build",
    enforce: "post",
    transformIndexHtml: () => [{ tag: "meta", attrs: { name: "service-worker", content: `./${name}` }, injectTo: "head" }],
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const parts = Object.values(bundle).filter(({ fileName }) => !NOT_KEPT.test(fileName));
        const version = createHash("sha256");
        for (const part of parts) version.update(part.fileName).update(part.type === "chunk" ? part.code : part.source);
        for (const file of files) version.update(readFileSync(file));
        const built = {
          version: version.digest("hex").slice(0, 16),
          // The page itself goes by the address of its folder.
          files: [
            ...parts.map(({ fileName }) => (fileName === "index.html" ? "./" : fileName)),
            ...files.map((file) => file.replace(/^.*\//, "")),
          ],
        };
        const { code } = await transformWithOxc(readFileSync(source, "utf8"), source, { lang: "ts" });
        this.emitFile({ type: "asset", fileName: name, source: `const BUILT = ${JSON.stringify(built)};\n${code}` });
      },
    },
  };
}

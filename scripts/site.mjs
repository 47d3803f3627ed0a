// @ts-check
// Writes the site of the documents beside the built demo: `npm run build:demo`. Another folder than dist-demo/docs is the first argument.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildLive } from "./site/live-bundle.mjs";
import { makeSite } from "./site/make-site.mjs";
import { makeNotFound } from "./site/not-found.mjs";
import { readImages } from "./site/read-documents.mjs";

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../dist-demo/docs/", import.meta.url)));

const pictures = readImages().map(({ path, bytes }) => /** @type {const} */ ([path, bytes]));
for (const [path, content] of [...makeSite(), ...pictures]) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

await buildLive(folder);

// Only beside the demo. Everything else works below any path; this page has to know it.
if (process.argv[2] === undefined) writeFileSync(join(folder, "../404.html"), makeNotFound(process.env["SITE_BASE"] ?? "/"));

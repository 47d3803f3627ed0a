// @ts-check
// Writes the site of the documents beside the built demo: `npm run build:demo`. Another folder than dist-demo/docs is the first argument.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildLive } from "./site/live-bundle.mjs";
import { makeSite } from "./site/make-site.mjs";
import { readImages } from "./site/read-documents.mjs";

const NOT_FOUND = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found · Wavepoint</title>
<style>body { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; font: 1.0625rem/1.6 system-ui, sans-serif }</style>
<h1>There is no page at this address</h1>
<p>It may have moved. The <a href="/docs/">documentation</a> has a search; runs that you began are in the <a href="/">demo</a>.</p>
</html>
`;

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../dist-demo/docs/", import.meta.url)));

const pictures = readImages().map(({ path, bytes }) => /** @type {const} */ ([path, bytes]));
for (const [path, content] of [...makeSite(), ...pictures]) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

await buildLive(folder);

// What static hosts show for an address that leads nowhere. It may stand in for any folder, so it refers to no other file. Only beside the demo.
if (process.argv[2] === undefined) writeFileSync(join(folder, "../404.html"), NOT_FOUND);

// Runs the modules named on the command line one after another and tells, as JSON, what each printed.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import "fake-indexeddb/auto";
import "../../scripts/corpus/run-from-source.mjs";

globalThis.yamlText = readFileSync(new URL("../../examples/wizard/sign-up.yaml", import.meta.url), "utf8");
globalThis.draw = () => {};

const printed = [];
for (const path of process.argv.slice(2)) {
  const lines = [];
  globalThis.console = { ...console, log: (...values) => lines.push(format(...values)) };
  await import(pathToFileURL(path).href);
  printed.push(lines);
}
process.stdout.write(JSON.stringify(printed));

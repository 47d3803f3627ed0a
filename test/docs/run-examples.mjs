// Runs the modules named on the command line one after another and tells, as JSON, what each printed.
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import "../../scripts/corpus/run-from-source.mjs";

const printed = [];
const log = console.log;
for (const path of process.argv.slice(2)) {
  const lines = [];
  console.log = (...values) => lines.push(format(...values));
  await import(pathToFileURL(path).href);
  printed.push(lines);
}
log(JSON.stringify(printed));

// @ts-check
// Run as a process of its own: imports one module and prints, as JSON, which globals that read and which it made.
import { importWatched } from "./watch-globals.mjs";

const [module = ""] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await importWatched(module)));

// @ts-check
// A worker that imports the module it is sent, and sends back which globals that read and which it made.
import { importWatched } from "./watch-globals.mjs";

addEventListener("message", async ({ data }) => postMessage(await importWatched(data)), { once: true });

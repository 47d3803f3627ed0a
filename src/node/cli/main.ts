#!/usr/bin/env node
import { runCommandLine } from "./command-line.ts";
import { EXIT } from "./exit-code.ts";
import { processTerminal } from "./real-terminal.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second signal means: do not wait for the cleanup. Stored data is safe either way.
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    stop.abort();
  });
}
// The reader of a pipe may leave early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(EXIT.completed);
});

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal(stop.signal));

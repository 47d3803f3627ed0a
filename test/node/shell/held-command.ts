import { nodeShell } from "wavepoint/node";

/** A process that runs a command which takes long, and exits by itself when its input ends. */
const [, , root = "", seconds = ""] = process.argv;
process.stdin.resume();
process.stdin.once("end", () => process.exit(7));
await nodeShell({ root }).run({
  command: `sleep ${seconds} & sleep ${seconds}`,
  timeoutMs: 3_600_000,
  signal: new AbortController().signal,
});

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { createExecutor } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { loadWorkflow } from "wavepoint/yaml";
import { badge } from "./blocks.js";

const visit = loadWorkflow(await readFile(new URL("visit.yaml", import.meta.url), "utf8"));
const executor = createExecutor({ store: filesystemStore("runs"), workflows: [visit], blocks: [badge] });

// Go on with the newest run if it has not ended, else start one.
const [last] = (await executor.runs.list({ workflow: "visit", status: ["running", "paused"], limit: 1 })).items;
const run = last ? await executor.open(last.id) : await executor.start("visit");
let result = await (last ? run.resume() : run.settled());

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const lines = terminal[Symbol.asyncIterator]();
for (;;) {
  const [pause] = run.getSnapshot().pauses;
  if (!pause) break;
  if (result.status === "failure") console.log(result.error.message);
  const choices = pause.schema.oneOf?.map(({ title }) => title).join(", ");
  terminal.setPrompt(`${pause.prompt}${choices ? ` (${choices})` : ""} `);
  terminal.prompt();
  const { value: line, done } = await lines.next();
  // Ctrl+C, or no more input: the run waits where it stands.
  if (done) break;
  result = await run.answer(pause.id, line);
}
terminal.close();

const { status, outputs, error } = run.getSnapshot();
console.log(status === "completed" ? outputs.badge : (error?.message ?? "\nThe run waits. Start again to go on."));
await executor.close();

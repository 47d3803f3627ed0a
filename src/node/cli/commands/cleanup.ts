import { WorkflowError } from "../../../index.ts";
import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { plainJson } from "../plain-text.ts";
import { readDuration } from "../duration.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";

export const cleanupCommand: Command = {
  name: "cleanup",
  usage: "[OPTIONS]",
  summary: "Remove old runs that have ended, automatic checkpoints, and what nothing refers to any more.",
  about: [
    "Never removed are runs that execute, that another run needs, or that wait for an answer. Without options only what nothing refers to goes.",
  ],
  takes: { least: 0, most: 0 },
  options: [
    {
      name: "older-than",
      value: "TIME",
      about: "Remove runs that ended longer ago, and automatic checkpoints that are older: 90s, 30min, 12h, 7d.",
    },
    {
      name: "keep",
      value: "COUNT",
      about: "Keep this many of the newest automatic checkpoints of each workflow. Checkpoints of questions stay.",
    },
    { name: "paused", about: "With --older-than: remove runs that wait for an answer, too." },
    ...STORE_OPTIONS,
    JSON_OPTION,
  ],
  run(call, terminal) {
    const age = call.value("older-than");
    const keep = call.value("keep");
    const options = {
      ...(age === undefined ? {} : { ttlMs: readDuration(age, "older-than") }),
      ...(keep === undefined ? {} : { maxPerWorkflow: readCount(keep) }),
      ...(call.has("paused") ? { keepPaused: false } : {}),
    };
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const report = await executor.cleanup(options);
      const { runs, checkpoints, blobs, done } = report;
      if (call.has("json")) terminal.out.write(`${plainJson(report)}\n`);
      else if (done) note(terminal, `Removed: runs ${runs}, checkpoints ${checkpoints}, blobs ${blobs}.`);
      else note(terminal, "Another process is cleaning this store up just now. Nothing was done here.");
      return EXIT.completed;
    });
  },
};

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new WorkflowError("COMMAND_INVALID", `--keep wants a whole number from 1, not "${text}".`);
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BulkAction, type BulkReport, bulkRuns, WorkflowError } from "../../../index.ts";
import { readGiven } from "../called-workflows.ts";
import { EXECUTION_OPTIONS, type Call, type Command } from "../command.ts";
import { readDuration } from "../duration.ts";
import { EXIT } from "../exit-code.ts";
import { prepareExecution } from "../grants.ts";
import { plainJson } from "../plain-text.ts";
import { noteFailedRuns } from "../problem-lines.ts";
import { FILTER_OPTIONS, readFilter } from "../run-filter.ts";
import { readExportOptions, RUN_FILE_OPTIONS, writeTextFile } from "../write-output.ts";
import { note, type Terminal } from "../terminal.ts";
import { reasonOf } from "../workflow-file.ts";
import { withExecutor } from "../workspace.ts";

const ACTIONS = ["stop", "cancel", "resume", "delete", "export"] as const;
type ActionName = (typeof ACTIONS)[number];

/** What was done, in a word. */
const DONE: { readonly [action in ActionName]: string } = {
  stop: "stopped",
  cancel: "cancelled",
  resume: "resumed",
  delete: "deleted",
  export: "exported",
};

/** Runs after which progress is noted. */
const NOTED = 100;

export const bulkCommand: Command = {
  name: "bulk",
  usage: "ACTION [OPTIONS]",
  summary: "Stop, cancel, resume, delete or export all runs that a filter means.",
  about: [
    `ACTION is one of ${ACTIONS.join(", ")}. With --dry-run the runs are counted, and none is changed: look first. A run that changes before its turn, so that the filter no longer means it, is left as it is.`,
    "What fails with one run keeps no other from it (exit code 1). Runs that other runs called go with their callers.",
  ],
  takes: { least: 1, most: 1 },
  options: [
    { name: "dry-run", about: "Count the runs, and change none." },
    ...FILTER_OPTIONS,
    { name: "older-than", value: "TIME", about: "Only runs in which nothing happened for this long: 90s, 30min, 12h, 7d." },
    { name: "reason", value: "TEXT", about: "With cancel: kept with the runs." },
    { name: "to", value: "DIR", about: "With export: the directory for the files, one for each run." },
    ...RUN_FILE_OPTIONS.filter(({ name }) => name !== "output"),
    ...EXECUTION_OPTIONS.filter(({ name }) => name !== "answers"),
  ],
  async run(call, terminal) {
    const name = readAction(call.places[0]!);
    const action = await actionOf(name, call, terminal);
    const age = call.value("older-than");
    const filter = {
      ...readFilter(call),
      ...(age === undefined ? {} : { updatedBefore: terminal.now() - readDuration(age, "older-than") }),
    };
    const { setup } = await prepareExecution(call, terminal);
    const workflows = name === "resume" ? await readGiven(call.values("workflows"), { blocks: setup.blocks, terminal }) : [];
    const preview = call.has("dry-run");
    return withExecutor({ call, terminal }, { ...setup, workflows }, async (executor) => {
      const report = await bulkRuns(executor, action, filter, {
        preview,
        signal: terminal.signal,
        onProgress: ({ total, done, failed, skipped }) => {
          if ((done + failed + skipped) % NOTED === 0) note(terminal, `${done + failed + skipped} of ${total}`);
        },
      });
      if (call.has("json")) terminal.out.write(`${plainJson(report)}\n`);
      else tell(report, { name, preview, terminal });
      return report.failed.length > 0 ? EXIT.failed : EXIT.completed;
    });
  },
};

function readAction(text: string): ActionName {
  const action = ACTIONS.find((known) => known === text);
  if (action) return action;
  throw new WorkflowError("COMMAND_INVALID", `"${text}" is nothing to do with runs. Use one of ${ACTIONS.join(", ")}.`);
}

async function actionOf(name: ActionName, call: Call, terminal: Terminal): Promise<BulkAction> {
  if (name === "cancel") {
    const reason = call.value("reason");
    return { do: name, ...(reason === undefined ? {} : { reason }) };
  }
  if (name !== "export") return { do: name };
  const to = call.value("to");
  if (to === undefined) throw new WorkflowError("COMMAND_INVALID", "Say where the files go: --to DIR.");
  const options = await readExportOptions(call, terminal);
  makeDirectory(to);
  return { do: name, options, take: (file, run) => writeTextFile(join(to, `${run}.run`), file) };
}

function tell(
  { total, done, skipped, failed }: BulkReport,
  { name, preview, terminal }: { readonly name: ActionName; readonly preview: boolean; readonly terminal: Terminal },
): void {
  noteFailedRuns(failed, terminal);
  if (preview) note(terminal, `${total} runs would be ${DONE[name]}.`);
  else note(terminal, `${done} of ${total} runs are ${DONE[name]}.${skipped > 0 ? ` ${skipped} had changed, and were left.` : ""}`);
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `${path} cannot be made: ${reasonOf(error)}.`, { cause: error });
  }
}

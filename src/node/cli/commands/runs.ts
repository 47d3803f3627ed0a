import { WorkflowError, type RunHead } from "../../../index.ts";
import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { durationText } from "../duration.ts";
import { EXIT } from "../exit-code.ts";
import { plainJson, plainLine, shorten, tableLines } from "../plain-text.ts";
import { FILTER_OPTIONS, readFilter, readWhere, WHERE_OPTION } from "../run-filter.ts";
import { note } from "../terminal.ts";
import { storeAddress, withExecutor } from "../workspace.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;
/** Characters of a question or an error in the list. */
const MAX_TEXT = 60;

export const runsCommand: Command = {
  name: "runs",
  usage: "[OPTIONS]",
  summary: "List runs, the one changed last first.",
  about: ["Runs that other runs called are left out; wavepoint show names them."],
  takes: { least: 0, most: 0 },
  options: [
    ...FILTER_OPTIONS,
    WHERE_OPTION,
    { name: "limit", value: "COUNT", about: `How many at most, from 1 to ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}.` },
    ...STORE_OPTIONS,
    JSON_OPTION,
  ],
  run(call, terminal) {
    const filter = { ...readFilter(call), ...readWhere(call) };
    const limit = readLimit(call.value("limit"));
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const page = await executor.runs.list({
        topLevel: true,
        limit,
        ...filter,
      });
      if (call.has("json")) terminal.out.write(`${plainJson({ runs: page.items, more: page.next !== undefined })}\n`);
      else if (page.items.length === 0) note(terminal, `No such runs in ${storeAddress(call)}.`);
      else {
        const labelled = page.items.some(({ label }) => label !== undefined);
        const titles = ["RUN", "WORKFLOW", ...(labelled ? ["LABEL"] : []), "STATUS", "CHANGED", ""];
        const rows = page.items.map((head) => rowOf(head, { labelled, now: terminal.now() }));
        for (const line of tableLines([titles, ...rows])) terminal.out.write(`${line}\n`);
        if (page.next !== undefined) note(terminal, `There are more than ${limit}. See them with --limit.`);
      }
      return EXIT.completed;
    });
  },
};

function rowOf(head: RunHead, { labelled, now }: { readonly labelled: boolean; readonly now: number }): readonly string[] {
  const { id, workflow, label = "", status, reason, changedAt, pauses, error } = head;
  const [pause] = pauses;
  const text = pause ? pause.prompt.trim().split("\n")[0]! : (error?.message ?? "");
  const names = [id, workflow, ...(labelled ? [shorten(plainLine(label), MAX_TEXT)] : [])];
  return [...names, reason ?? status, `${durationText(Math.max(0, now - changedAt))} ago`, shorten(plainLine(text), MAX_TEXT)];
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new WorkflowError("COMMAND_INVALID", `--limit wants a number from 1 to ${MAX_LIMIT}, not "${text}".`);
}

import { type RunListQuery, type SearchValue, WorkflowError } from "../../index.ts";
import { RUN_STATUSES } from "../../core/model/run.ts";
import type { Call, CommandOption } from "./command.ts";

/** Options that say which runs are meant. */
export const FILTER_OPTIONS: readonly CommandOption[] = [
  { name: "workflow", value: "NAME", about: "Only runs of this workflow." },
  { name: "status", value: "STATUS", about: `Only runs that stand like this: ${RUN_STATUSES.join(", ")}.` },
];

/** The option that looks for runs by their values. */
export const WHERE_OPTION: CommandOption = {
  name: "where",
  value: "NAME=VALUE",
  several: true,
  about:
    'Only runs with this value under a name that their workflow has in "search": plan=team, seats=2, zip=\'"02134"\' for a text. May be given several times.',
};

/** What {@link WHERE_OPTION} says: a number, `true`, `false` or a text in quotation marks is what JSON has, anything else a text. Throws `COMMAND_INVALID`. */
export function readWhere(call: Call): Pick<RunListQuery, "where"> {
  const where = call.values("where").map((text): [string, SearchValue] => {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [name, readValue(value)];
    throw new WorkflowError("COMMAND_INVALID", `--where ${text} is no NAME=VALUE, such as plan=team.`);
  });
  return where.length === 0 ? {} : { where: Object.fromEntries(where) };
}

function readValue(text: string): SearchValue {
  try {
    const value: unknown = JSON.parse(text);
    if (["string", "number", "boolean"].includes(typeof value)) return value as SearchValue;
  } catch {
    // A text without quotation marks.
  }
  return text;
}

/** What {@link FILTER_OPTIONS} say. Throws `COMMAND_INVALID`. */
export function readFilter(call: Call): Pick<RunListQuery, "workflow" | "status"> {
  const workflow = call.value("workflow");
  const text = call.value("status");
  const status = RUN_STATUSES.find((known) => known === text);
  if (text !== undefined && !status) {
    throw new WorkflowError("COMMAND_INVALID", `"${text}" is no status of a run. Use one of ${RUN_STATUSES.join(", ")}.`);
  }
  return { ...(workflow === undefined ? {} : { workflow }), ...(status ? { status } : {}) };
}

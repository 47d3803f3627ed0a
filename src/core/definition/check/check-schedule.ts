import type { Workflow } from "../../model/workflow.ts";
import { resolveInputs } from "../inputs.ts";
import { problemError } from "../../model/source-places.ts";
import { listProblems } from "./problem-list.ts";
import type { Checked } from "./rule.ts";

const MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC";
const WEEKDAYS = "MON|TUE|WED|THU|FRI|SAT|SUN";
/** What stands for one minute, hour, day of the month, month and day of the week. */
const PARTS = ["[1-5]?\\d", "1?\\d|2[0-3]", "[1-9]|[12]\\d|3[01]", `[1-9]|1[0-2]|${MONTHS}`, `[0-7]|${WEEKDAYS}`];
const CRON = new RegExp(`^${PARTS.map(listOf).join(" +")}$`, "i");

/** A list of times, ranges and steps. */
function listOf(part: string): string {
  const item = `(?:\\*|(?:${part})(?:-(?:${part}))?)(?:/[1-9]\\d?)?`;
  return `${item}(?:,${item})*`;
}

/** Throws the first problem of the schedule of a workflow that is checked in all else. */
export function assertSchedule(workflow: Workflow): void {
  const problems = listProblems();
  checkSchedule({ workflow, problems });
  const [first] = problems.problems;
  if (first) throw problemError(workflow, first);
}

/** Reports a schedule that never starts a run, or whose runs could not start. */
export function checkSchedule({ workflow, problems }: Pick<Checked, "workflow" | "problems">): void {
  const { schedule, inputs: declared = {} } = workflow;
  if (!schedule) return;
  const { cron, timeZone = "UTC", inputs = {}, timeInput } = schedule;
  if (!CRON.test(cron)) {
    const message = `The schedule ${JSON.stringify(cron)} cannot be read. Write minute, hour, day of the month, month and day of the week: "0 9 * * MON-FRI".`;
    problems.error("SCHEMA_INVALID", "schedule.cron", message);
  }
  if (!isTimeZone(timeZone)) {
    problems.error(
      "SCHEMA_INVALID",
      "schedule.timeZone",
      `There is no time zone ${JSON.stringify(timeZone)}. Name one like "Europe/Berlin".`,
    );
  }
  // Secrets come from the executor.
  const open = Object.entries(declared).filter(([, { secret }]) => secret !== true);
  const given = timeInput === undefined ? inputs : { ...inputs, [timeInput]: new Date(0).toISOString() };
  try {
    resolveInputs({ ...workflow, inputs: Object.fromEntries(open) }, given);
  } catch (error) {
    problems.caught(error, "schedule");
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

import { ID_DIGITS } from "../../default-host.ts";
import { isWorkflowError, WorkflowError, type Executor } from "../../index.ts";

/** The most runs named if a beginning is ambiguous. */
const MAX_CANDIDATES = 10;

/**
 * Returns the whole id of a run, a pause or a checkpoint for the beginning of the run's part: `run_0mhx`, `run_0mhx/ask`, `pause_0mhx.2`. Only ids made by
 * the engine may be shortened, which all have one length: `order-1` never means `order-12`. A text that begins no id is returned as it is. Throws
 * `COMMAND_INVALID` if several ids begin with it.
 */
export async function fullId(executor: Executor, id: string): Promise<string> {
  const [, mark, start, rest] = /^(run_|pause_|chk_)([0-9a-z]+)((?:[./].*)?)$/s.exec(id) ?? [];
  if (start === undefined || start.length >= ID_DIGITS || (await exists(executor, `run_${start}`))) return id;
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await executor.runs.list({ topLevel: true, limit: 1_000, ...(after === undefined ? {} : { after }) });
    found.push(...page.items.map((run) => run.id.slice("run_".length)).filter((one) => one.startsWith(start) && isMade(one)));
    after = page.next;
  } while (after !== undefined);
  const [only, other] = found;
  if (only === undefined) return id;
  if (other === undefined) return `${mark}${only}${rest}`;
  const named = found.slice(0, MAX_CANDIDATES).map((one) => `run_${one}`);
  const more = found.length > named.length ? ` and ${found.length - named.length} more` : "";
  throw new WorkflowError(
    "COMMAND_INVALID",
    `${found.length} runs begin with run_${start}: ${named.join(", ")}${more}. Write more of the id.`,
  );
}

function isMade(id: string): boolean {
  return id.length === ID_DIGITS && /^[0-9a-z]+$/.test(id);
}

/** Includes damaged runs: the command reports what is wrong with them. */
async function exists(executor: Executor, run: string): Promise<boolean> {
  try {
    await executor.open(run);
    return true;
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    return error.code !== "RUN_NOT_FOUND";
  }
}

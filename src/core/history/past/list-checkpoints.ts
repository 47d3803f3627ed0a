import type { ListedCheckpoint } from "../../model/checkpoint.ts";
import { errorData, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { fullRunId } from "../../model/ids.ts";
import type { DamagedRun, Page } from "../../ports/store.ts";
import { summarize } from "../../journal/journal.ts";
import { pausePath } from "../../machine/machine.ts";
import type { CheckpointListQuery, OpenRun, Services } from "../../run/run.ts";

/** Rows of a page where the query says nothing; see `CheckpointQuery`. */
const DEFAULT_LIMIT = 100;

/** See `Executor.checkpoints.list`. */
export async function listCheckpoints(services: Services, query: CheckpointListQuery): Promise<Page<ListedCheckpoint>> {
  const { id, run, limit = DEFAULT_LIMIT, ...rest } = query;
  if (id !== undefined && typeof id !== "string") {
    throw new WorkflowError("STORE_QUERY_INVALID", "The id of a list of checkpoints is a text, in which * stands for any characters.");
  }
  const of = run === undefined ? rest : { ...rest, run: fullRunId(run) };
  const known = new Map<string, OpenRun | undefined>();
  const items: ListedCheckpoint[] = [];
  const damaged = new Map<string, DamagedRun>();
  let next = query.after;
  do {
    // Never more than there is room for: what is left behind would be on no page.
    const page = await services.store.checkpoints({ ...of, limit: limit - items.length, ...(next === undefined ? {} : { after: next }) });
    for (const one of page.damaged ?? []) damaged.set(one.run, one);
    for (const row of page.items) {
      const summary = summarize(row);
      if (id === undefined || matches(summary.id, id)) items.push(summary);
    }
    next = page.next;
  } while (id !== undefined && next !== undefined && items.length < limit);
  const shown: ListedCheckpoint[] = [];
  for (const summary of items) {
    if (summary.kind === "pause" && !known.has(summary.run)) known.set(summary.run, await openRun(services, summary.run, damaged));
    shown.push({ ...summary, ...questionAt(known.get(summary.run), summary) });
  }
  return { items: shown, ...(next === undefined ? {} : { next }), ...(damaged.size > 0 ? { damaged: [...damaged.values()] } : {}) };
}

async function openRun(services: Services, id: string, damaged: Map<string, DamagedRun>): Promise<OpenRun | undefined> {
  try {
    const run = await services.find(id);
    await run?.update();
    return run;
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    if (!damaged.has(id)) damaged.set(id, { run: id, error: errorData(error, "RUN_CORRUPT") });
    return undefined;
  }
}

function questionAt(run: OpenRun | undefined, { id, kind }: ListedCheckpoint): Partial<ListedCheckpoint> {
  if (!run || kind !== "pause") return {};
  const { pauses, open } = run.session.state;
  const number = Number(id.slice(id.lastIndexOf(".") + 1));
  const pause = pauses[number];
  if (!pause) return {};
  const status = pause.withdrawn ? "withdrawn" : open.has(number) ? "open" : "answered";
  return { path: pausePath(pause.entry), prompt: pause.entry.prompt, status };
}

/** Whether a text has a form, in which `*` stands for any characters. Each part is looked for once, from the left. */
function matches(text: string, form: string): boolean {
  const [first = "", ...others] = form.split("*");
  if (others.length === 0) return text === form;
  if (!text.startsWith(first)) return false;
  const last = others.pop()!;
  let place = first.length;
  for (const part of others) {
    const found = text.indexOf(part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  return text.length - last.length >= place && text.endsWith(last);
}

import type { CheckpointRow, ListedCheckpoint } from "../../model/checkpoint.ts";
import { errorData, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { sameValue } from "../../model/fingerprint.ts";
import { fullRunId } from "../../model/ids.ts";
import { isRecord, type Values } from "../../model/value.ts";
import type { DamagedRun, Page } from "../../ports/store.ts";
import { hasCheckpoint, isTakenBack, summarize } from "../../journal/journal.ts";
import { pausePath } from "../../machine/machine.ts";
import type { CheckpointListQuery, OpenRun, Services } from "../../run/run.ts";

/** Default of `CheckpointQuery.limit`. */
const DEFAULT_LIMIT = 100;

/** See `Executor.checkpoints.list`. */
export async function listCheckpoints(services: Services, query: CheckpointListQuery): Promise<Page<ListedCheckpoint>> {
  const { id, metadata, run, limit = DEFAULT_LIMIT, ...rest } = query;
  assertFilters(query);
  const of = { ...rest, ...(run === undefined ? {} : { run: fullRunId(run) }), ...(metadata && { kind: "requested" as const }) };
  const known = new Map<string, OpenRun | undefined>();
  const items: ListedCheckpoint[] = [];
  const damaged = new Map<string, DamagedRun>();
  let next = query.after;
  do {
    // Never more than there is room for: rows left over would be on no page.
    const page = await services.store.checkpoints({ ...of, limit: limit - items.length, ...(next === undefined ? {} : { after: next }) });
    for (const one of page.damaged ?? []) damaged.set(one.run, one);
    for (const row of page.items) {
      const summary = summarize(row);
      if (id !== undefined && !matches(summary.id, id)) continue;
      if (!known.has(row.run) && (row.kind !== "wave" || (await services.store.head(row.run))?.revised))
        known.set(row.run, await openRun(services, row.run, damaged));
      const item = { ...summary, ...describeRow(known.get(row.run), row) };
      if (metadata === undefined || hasMembers(item.metadata, metadata)) items.push(item);
    }
    next = page.next;
  } while ((id ?? metadata) !== undefined && next !== undefined && items.length < limit);
  return { items, ...(next === undefined ? {} : { next }), ...(damaged.size > 0 ? { damaged: [...damaged.values()] } : {}) };
}

function assertFilters({ id, metadata, kind }: CheckpointListQuery): void {
  if (id !== undefined && typeof id !== "string") {
    throw new WorkflowError("STORE_QUERY_INVALID", "The id of a list of checkpoints is a text, in which * stands for any characters.");
  }
  if (metadata === undefined) return;
  if (!isRecord(metadata)) {
    throw new WorkflowError(
      "STORE_QUERY_INVALID",
      "The metadata of a list of checkpoints is an object: names, and the values that they must have.",
    );
  }
  if (kind === undefined || kind === "requested") return;
  throw new WorkflowError("STORE_QUERY_INVALID", `Only checkpoints that a block asked for have metadata. Leave out kind: "${kind}".`);
}

/** Whether the metadata has all wanted members, with equal values. */
function hasMembers(metadata: Values | undefined, wanted: Values): boolean {
  return (
    metadata !== undefined && Object.keys(wanted).every((name) => Object.hasOwn(metadata, name) && sameValue(metadata[name], wanted[name]))
  );
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

/** What a list shows of a checkpoint beside its row; nothing for one that is gone by now. */
function describeRow(run: OpenRun | undefined, row: CheckpointRow): Partial<ListedCheckpoint> {
  const folded = run?.session.folded;
  if (!folded || !hasCheckpoint(folded, row)) return {};
  const { pauses, open, requested } = folded.state;
  const { number } = row;
  const superseded = isTakenBack(folded, row) && { superseded: true as const };
  if (row.kind === "wave") return { ...superseded };
  if (row.kind === "requested") return { metadata: requested[number]!.metadata as Values, ...superseded };
  const pause = pauses[number]!;
  const status = pause.withdrawn ? "withdrawn" : open.has(number) ? "open" : "answered";
  return { path: pausePath(pause.entry), prompt: pause.entry.prompt, status, ...superseded };
}

/** Whether a text matches a pattern, in which `*` stands for any characters. Looks for each part once, from the left. */
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

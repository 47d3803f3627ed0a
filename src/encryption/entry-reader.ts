import { isWorkflowError, WorkflowError } from "../core/model/errors.ts";
import type { Store } from "../core/ports/store.ts";
import type { OpenedRun, RunSeals } from "./run-seals.ts";
import { markOf } from "./seal.ts";
import { entryTampered, NO_MARK, openBase, openEntries } from "./sealed-entries.ts";

/** Reads of a run that others change meanwhile, before what does not fit together is believed. */
const LOOKS = 20;

/** From one entry (inclusive) to another (exclusive). */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Reads entries of a run, as `Store.read` does. Throws `STORE_TAMPERED`, naming the entry, for what is not as it was sealed. */
export async function readEntries(
  store: Store,
  seals: RunSeals,
  run: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: Partial<Range> = {},
): Promise<readonly string[]> {
  if (![from, to].every((position) => Number.isSafeInteger(position) && position >= 0)) {
    throw new WorkflowError("STORE_QUERY_INVALID", `Entries are read from one whole number to another, not from ${from} to ${to}.`);
  }
  let opened = await seals.read(run);
  for (let looks = 1; opened; looks++) {
    try {
      return (await readChain(store, opened, { from, to })).texts;
    } catch (error) {
      if (!isWorkflowError(error) || error.code !== "STORE_TAMPERED" || looks === LOOKS) throw error;
      // A commit between the two reads, with a base, or a run made anew: only a head that stands still tells.
      const now = await seals.read(run);
      if (now && isSame(opened, now)) throw error;
      opened = now;
    }
  }
  return [];
}

/** Entries of a run whose head is known, with the mark before the first of them: of a base that is one of them, what it stands for. */
export async function readChain(
  store: Store,
  opened: OpenedRun,
  { from, to }: Range,
): Promise<{ readonly texts: readonly string[]; readonly before: string }> {
  const { run, head, chain } = opened;
  const { entries = 0, base = 0 } = head ?? {};
  const first = Math.max(base - 1, 0);
  const end = Math.min(to, entries);
  if (from >= end || end <= first) return { texts: [], before: chain.last };
  const start = Math.max(from - 1, first);
  const stored = await store.read(run, { from: start, to: end });
  const opening = base > 0 && start === first ? await openBase(opened, stored[0], { at: base, mark: chain.base }) : undefined;
  const skipped = opening !== undefined || start < from ? 1 : 0;
  const before = opening?.link ?? (skipped > 0 ? markOf(stored[0] ?? "") : NO_MARK);
  const rest = stored.slice(skipped);
  const texts = await openEntries(opened, rest, { from: start + skipped, before });
  if (stored.length !== end - start) throw entryTampered(run, start + stored.length);
  const last = rest.length > 0 ? markOf(rest.at(-1)!) : before;
  if (end === entries && last !== chain.last) throw entryTampered(run, end - 1);
  return { texts: opening !== undefined && from <= first ? [opening.text, ...texts] : texts, before };
}

function isSame(a: OpenedRun, b: OpenedRun): boolean {
  return a.head?.revision === b.head?.revision && a.wrapped.text === b.wrapped.text;
}

import { assertOptions } from "../../model/assert-options.ts";
import { WorkflowError } from "../../model/errors.ts";
import type { Entry, JournalRecord } from "../../model/journal.ts";
import type { Page } from "../../ports/store.ts";
import { readPast } from "../../journal/journal.ts";
import type { JournalQuery, OpenRun, Services } from "../../run/run.ts";

/** Entries of a page: the default, and the most. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** See `Run.journal`. */
export async function journalOf(services: Services, run: OpenRun, query: JournalQuery): Promise<Page<JournalRecord>> {
  assertOptions("journal", query, { limit: true, after: true });
  const { limit = DEFAULT_LIMIT, after } = query;
  await run.refresh();
  const { entries, base = 0 } = (await services.store.head(run.id)) ?? { entries: 0 };
  const to = after === undefined ? entries : Number(after);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) || !(Number.isInteger(to) && to >= 0 && to <= entries)) {
    throw new WorkflowError(
      "STORE_QUERY_INVALID",
      `A journal is read in pages of 1 to ${MAX_LIMIT} entries, and "after" is the "next" of the page before.`,
    );
  }
  // A base reads as the last of the entries it stands for.
  const first = Math.max(0, base - 1);
  const from = Math.max(first, to - limit);
  const { started } = run.session.state;
  const items = (await readPast(services, run.id, from, to)).map((entry, i): JournalRecord => {
    const at = entry.type === "started" ? entry.at : started.at + entry.at;
    return { place: from + i, at, entry: shown(entry) };
  });
  return { items: items.toReversed(), ...(from > first && { next: String(from) }) };
}

/** A base holds the state and the steps of all entries that it replaced. */
function shown(entry: Entry): Entry {
  return entry.type === "base" ? { ...entry, state: null, steps: [] } : entry;
}

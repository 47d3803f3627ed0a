import { readRange } from "../read-range.ts";
import { damaged } from "./failure.ts";
import type { Database, Reading } from "./schema.ts";
import { type StoredRun, isCommit, readStored } from "./tail.ts";
import type { RunHead } from "../../core/model/run.ts";
import { beginReading } from "./transactions.ts";

/** Records of one request: a request that returns much more stalls the page. */
const RECORDS_A_REQUEST = 500;

/** Entries of a run's journal, in one transaction, so that no commit comes between. */
export async function readEntries(
  database: Database,
  run: string,
  range?: { readonly from?: number; readonly to?: number },
): Promise<string[]> {
  const { from, to } = readRange(range);
  const transaction = beginReading(database, ["heads", "journal", "bases"]);
  const journal = transaction.objectStore("journal");
  const stored = await readStored(transaction, run);
  const end = Math.min(to, stored?.head.entries ?? 0);
  if (stored === undefined || from >= end) return [];
  const { head, number } = stored;
  const base = head.base && (await transaction.objectStore("bases").get(run));
  if (head.base && (!base || base.at !== head.base)) throw damaged(run, "The base");
  const { at: start, text, revision: low } = base || { at: 0, text: "", revision: 1 };
  const found = from < start && start <= end ? [text] : [];
  const first = Math.max(from, start);
  if (first >= end) return found;
  let revision = first === start ? low : await revisionOf(transaction, stored, { entry: first, low });
  let at: number | undefined;
  while (at === undefined || at < end) {
    const range = IDBKeyRange.bound([number, revision], [number, head.revision]);
    const records = await journal.getAll(range, Math.min(RECORDS_A_REQUEST, end - (at ?? first)));
    if (records.length === 0) throw damaged(run, `Entry ${at ?? first}`);
    for (const record of records) {
      // Entries that a base replaces may share a record with later ones.
      at ??= Math.min(record?.[0] ?? 0, first);
      if (!isCommit(record) || record[0] !== at) throw damaged(run, `Entry ${Math.max(at, first)}`);
      for (const entry of record[1]) {
        if (at >= first && at < end) found.push(entry);
        at += 1;
      }
    }
    revision += records.length;
  }
  return found;
}

/** The newest revision, from `low` on, that begins at or before an entry. */
export async function revisionOf(
  transaction: Reading,
  { head, number }: StoredRun,
  { entry, low }: { readonly entry: number; readonly low: number },
): Promise<number> {
  let lowest = low;
  let highest = head.revision;
  while (lowest < highest) {
    const middle = Math.ceil((lowest + highest) / 2);
    const record = await transaction.objectStore("journal").get([number, middle]);
    if (!isCommit(record)) throw damaged(head.id, `Entry ${entry}`);
    if (record[0] <= entry) lowest = middle;
    else highest = middle - 1;
  }
  return lowest;
}

/** The head of a run. */
export async function readHead(database: Database, run: string): Promise<RunHead | undefined> {
  return (await readStored(beginReading(database, ["heads", "journal"]), run))?.head;
}

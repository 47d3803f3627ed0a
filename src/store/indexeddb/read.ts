import type { IDBPDatabase } from "idb";
import { WorkflowError } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { Schema } from "./schema.ts";
import { readStored } from "./tail.ts";

/** Records of one request: a request that returns much more stalls the page. */
const RECORDS_A_REQUEST = 500;

/** The head of a run. */
export async function readHead(database: IDBPDatabase<Schema>, run: string): Promise<RunHead | undefined> {
  const transaction = database.transaction(["heads", "journal"]);
  return (await readStored({ heads: transaction.objectStore("heads"), journal: transaction.objectStore("journal") }, run))?.head;
}

/** Entries of a run's journal, in one transaction, so that no commit comes between. */
export async function readEntries(
  database: IDBPDatabase<Schema>,
  run: string,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const transaction = database.transaction(["heads", "journal"]);
  const stores = { heads: transaction.objectStore("heads"), journal: transaction.objectStore("journal") };
  const head = (await readStored(stores, run))?.head;
  const end = Math.min(to, head?.entries ?? 0);
  const found: string[] = [];
  if (head === undefined || from >= end) return found;
  let revision = from === 0 ? 1 : await revisionOf(stores.journal, head, from);
  let at = from === 0 ? 0 : undefined;
  while (at === undefined || at < end) {
    const range = IDBKeyRange.bound([run, revision], [run, head.revision]);
    const records = await stores.journal.getAll(range, Math.min(RECORDS_A_REQUEST, end - (at ?? from)));
    if (records.length === 0) throw damaged(run, at ?? from);
    for (const record of records) {
      at ??= record?.first;
      if (record === null || record.first !== at) throw damaged(run, at ?? from);
      for (const entry of record.entries) {
        if (at >= from && at < end) found.push(entry);
        at += 1;
      }
    }
    revision += records.length;
  }
  return found;
}

/** The newest revision that begins at or before an entry. */
async function revisionOf(
  journal: { get(key: [string, number]): Promise<Schema["journal"]["value"] | undefined> },
  { id, revision }: RunHead,
  entry: number,
): Promise<number> {
  let low = 1;
  let high = revision;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const record = await journal.get([id, middle]);
    if (!record) throw damaged(id, entry);
    if (record.first <= entry) low = middle;
    else high = middle - 1;
  }
  return low;
}

function damaged(run: string, entry: number): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `Entry ${entry} of run ${run} is missing in the database. Delete the run, or restore the site's data.`,
    {
      details: { run, entry },
    },
  );
}

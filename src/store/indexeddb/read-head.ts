import type { RunHead } from "../../core/model/run.ts";
import { readStored } from "./tail.ts";
import { begin } from "./transaction.ts";

/** The head of a run. */
export async function readHead(database: IDBDatabase, run: string): Promise<RunHead | undefined> {
  return (await readStored(begin(database, ["heads", "journal"]), run))?.head;
}

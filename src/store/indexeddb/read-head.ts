import type { RunHead } from "../../core/model/run.ts";
import { beginReading } from "./begin-reading.ts";
import type { Database } from "./schema.ts";
import { readStored } from "./tail.ts";

/** The head of a run. */
export async function readHead(database: Database, run: string): Promise<RunHead | undefined> {
  return (await readStored(beginReading(database, ["heads", "journal"]), run))?.head;
}

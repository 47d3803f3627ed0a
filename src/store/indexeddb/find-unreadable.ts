import type { IDBPDatabase } from "idb";
import { errorName } from "./failure.ts";
import { readHead } from "./read.ts";
import type { Schema } from "./schema.ts";
import { begin } from "./transaction.ts";

/** The runs whose heads cannot be read, with the reason. A request that fails takes its whole transaction along, so each has one of its own. */
export async function findUnreadable(database: IDBPDatabase<Schema>): Promise<ReadonlyMap<string, unknown>> {
  const broken = new Map<string, unknown>();
  for (const run of await begin(database, ["heads"], "readonly").objectStore("heads").getAllKeys()) {
    try {
      await readHead(database, run);
    } catch (error) {
      if (errorName(error) === "InvalidStateError") throw error;
      broken.set(run, error);
    }
  }
  return broken;
}

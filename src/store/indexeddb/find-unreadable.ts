import { beginReading } from "./begin-reading.ts";
import { errorName } from "./failure.ts";
import { readHead } from "./read-head.ts";
import type { Database } from "./schema.ts";

/** The runs whose heads cannot be read, with the reason. A request that fails takes its whole transaction along, so each has one of its own. */
export async function findUnreadable(database: Database): Promise<ReadonlyMap<string, unknown>> {
  const broken = new Map<string, unknown>();
  for (const run of await beginReading(database, ["heads"]).objectStore("heads").getAllKeys()) {
    try {
      await readHead(database, run);
    } catch (error) {
      if (errorName(error) === "InvalidStateError") throw error;
      broken.set(run, error);
    }
  }
  return broken;
}

import type { StoreUsage } from "../../core/ports/store.ts";
import { beginReading } from "./transactions.ts";
import type { Database } from "./schema.ts";

/** Chromium says apart what its databases take. */
interface DetailedEstimate extends StorageEstimate {
  readonly usageDetails?: { readonly indexedDB?: number };
}

/** Returns the number of runs, and the bytes of the site's databases; in browsers that do not report them, all bytes of the site. */
export async function measureUsage(database: Database): Promise<StoreUsage> {
  const [runs, estimate] = await Promise.all([beginReading(database, ["heads"]).objectStore("heads").count(), estimateStorage()]);
  const bytes = estimate?.usageDetails?.indexedDB ?? estimate?.usage;
  return { runs, ...(bytes !== undefined && { bytes }) };
}

async function estimateStorage(): Promise<DetailedEstimate | undefined> {
  return "navigator" in globalThis && navigator.storage ? navigator.storage.estimate() : undefined;
}

import { assertOptions } from "../core/model/assert-options.ts";
import type { Store } from "../core/ports/store.ts";
import { baseDemands } from "./conformance/bases.ts";
import { blobDemands } from "./conformance/blobs.ts";
import { cacheDemands } from "./conformance/cache.ts";
import type { ConformanceCase, ConformanceOptions, Demand, StorePlace } from "./conformance/case.ts";
import { claimDemands } from "./conformance/claims.ts";
import { commitDemands } from "./conformance/commits.ts";
import { lifetimeDemands } from "./conformance/lifetime.ts";
import { listingDemands } from "./conformance/listing.ts";
import { noteDemands } from "./conformance/notes.ts";
import { valueDemands } from "./conformance/values.ts";

const DEMANDS: readonly Demand[] = [
  ...commitDemands,
  ...baseDemands,
  ...noteDemands,
  ...listingDemands,
  ...valueDemands,
  ...blobDemands,
  ...cacheDemands,
  ...claimDemands,
  ...lifetimeDemands,
];

/**
 * The contract of the store port as a list of cases, each on a place of its own. Register them with any test runner:
 * `for (const { name, run } of storeConformance(makePlace)) test(name, run)`.
 */
export function storeConformance(makePlace: () => Promise<StorePlace>, options: ConformanceOptions = {}): readonly ConformanceCase[] {
  assertOptions("storeConformance", options, { scale: true, leaseMs: true, skewedClock: true });
  const { scale = 2000, leaseMs, skewedClock = true } = options;
  return DEMANDS.map(([name, attempt]) => ({
    name,
    async run() {
      const place = await makePlace();
      const opened: Store[] = [];
      async function another(): Promise<Store> {
        const store = await place.open();
        opened.push(store);
        return store;
      }
      try {
        await attempt({
          store: await another(),
          another,
          freeze: place.freeze?.bind(place),
          abandon: place.abandon?.bind(place),
          leaseMs,
          skewedClock,
          scale,
        });
      } finally {
        for (const store of opened) await store.close();
        await place.dispose();
      }
    },
  }));
}

import type { Store } from "../core/ports/store.ts";
import type { StorePlace } from "./conformance/case.ts";
import { playSimulation, type SimulationReport } from "./simulation/play.ts";
import { assertOptions } from "../core/model/assert-options.ts";

export type { SimulationReport } from "./simulation/play.ts";

/** What to simulate, and where. */
export interface SimulationOptions {
  /** Whole number from which everything follows. */
  readonly seed: number;
  /** Makes an empty place for runs; called several times. */
  readonly makePlace: () => Promise<StorePlace>;
}

/**
 * Plays a random workflow on a store while machines crash and come back, writes fail before and after they are done, several machines
 * work on the same runs, answers come twice, wrong and at the same time, the clock jumps, and runs are forked, revised and cleaned up; then once
 * more without any of that. Rejects with the seed where the two end differently, where something that was stored is executed again, or where
 * the store lost something it took. On stores whose calls take real time the order of things may differ from one run of a seed to the next.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  assertOptions("simulate", options, { seed: true, makePlace: true });
  const { seed, makePlace } = options;
  const opened: { readonly place: StorePlace; readonly stores: Store[] }[] = [];
  async function makeStores(): Promise<() => Promise<Store>> {
    const place = await makePlace();
    const stores: Store[] = [];
    opened.push({ place, stores });
    return async () => {
      const store = await place.open();
      stores.push(store);
      return store;
    };
  }
  try {
    return await playSimulation(seed, makeStores);
  } catch (error) {
    throw new Error(`Simulation of seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    for (const { place, stores } of opened) {
      for (const store of stores) await store.close();
      await place.dispose();
    }
  }
}

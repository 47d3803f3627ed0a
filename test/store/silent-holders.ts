import type { Store } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import type { StorePlace } from "wavepoint/testing";
import { address as claimingWorker } from "./claiming-worker.ts?bundled";

/** How much faster time goes for those who wait for a frozen holder: they give it seconds. */
const HASTE = 20;

/** A place in a database of this browser, with holders that are frozen and killed as those of other pages are. */
export function placeWithSilentHolders(name: string): Pick<Required<StorePlace>, "open" | "freeze" | "abandon"> {
  const frozen = new Set<Store>();
  return {
    async open() {
      const { BroadcastChannel } = globalThis;
      globalThis.BroadcastChannel = class extends BroadcastChannel {
        override postMessage(message: unknown): void {
          if (!frozen.has(store)) super.postMessage(message);
        }
      };
      const store = indexedDbStore({ name });
      // It joins the others with the first call that needs them.
      store.watch!(() => {})();
      globalThis.BroadcastChannel = BroadcastChannel;
      return store;
    },
    async freeze(store) {
      frozen.add(store);
      const { now } = performance;
      const since = performance.now();
      performance.now = () => since + (now.call(performance) - since) * HASTE;
      return () => {
        performance.now = now;
        frozen.delete(store);
      };
    },
    async abandon(run) {
      const worker = new Worker(claimingWorker, { type: "module" });
      worker.postMessage({ name, run });
      const isTaken = await new Promise((resolve) => worker.addEventListener("message", ({ data }) => resolve(data)));
      if (isTaken !== true) throw new Error(`The worker could not take ${run}.`);
      worker.terminate();
    },
  };
}

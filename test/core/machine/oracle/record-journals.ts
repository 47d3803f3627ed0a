import type { Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost, simulate } from "wavepoint/testing";
import { CASES } from "../../../corpus/case-files.ts";
import { runCase } from "../../../corpus/run-case.ts";
import { dumpRuns, type GoldenRuns } from "../../../golden/golden-runs.ts";

/** Seeds of the simulator whose journals are kept. */
const SEEDS = 40;

/** What stores held at the end, by the name of what was played on them. */
export type Recorded = { readonly [name: string]: GoldenRuns };

/** Plays the cases of the corpus and some seeds of the simulator, and gives the journals that this makes. */
export async function recordJournals(): Promise<Recorded> {
  const recorded: { [name: string]: GoldenRuns } = {};
  for (const found of CASES) {
    const store: Store = { ...memoryStore(), close: async () => {} };
    await runCase(found, async () => store, { host: fakeHost({ autoAdvance: true }) });
    recorded[`case ${found.name}`] = await dump(store);
  }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const stores: Store[] = [];
    const makePlace = async () => {
      const store: Store = { ...memoryStore(), close: async () => {} };
      stores.push(store);
      return { open: async () => store, dispose: async () => {} };
    };
    await simulate({ seed, makePlace });
    // The first place is the one with the crashes.
    recorded[`seed ${seed}`] = await dump(stores[0]!);
  }
  return recorded;
}

/** Whole journals and what they refer to; rows and notes say nothing to the machine. */
async function dump(store: Store): Promise<GoldenRuns> {
  const { runs, blobs } = await dumpRuns(store);
  const whole = runs.filter(({ head }) => head.base === undefined);
  return { runs: whole.map((run) => ({ ...run, notes: [], checkpoints: [] })), blobs };
}

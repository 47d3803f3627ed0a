import { expect, test } from "vitest";
import { seededChance } from "../support/seeded.ts";
import { makeWorld } from "./random-run-world.ts";
import { RandomRun } from "./random-run.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const RUNS = Number(process.env.WAVEPOINT_RANDOM_RUNS ?? (IS_LONG ? 1_000 : 3));
/** A run that does nothing for so long hangs. How long all of it takes says nothing: on a busy machine it may be a minute. */
const STALL_MS = 45_000;

/** Plays a run; rejects where it hangs, with its state. */
async function playWatched(run: RandomRun): Promise<void> {
  let seen = -1;
  let timer: ReturnType<typeof setInterval> | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (run.trace.length > seen) seen = run.trace.length;
      else
        run
          .report()
          .then((state) => reject(new Error(`It hangs. Timers and handles: ${process.getActiveResourcesInfo().join()}\n${state}`)), reject);
    }, STALL_MS);
  });
  await Promise.race([run.play(), hung]).finally(() => clearInterval(timer));
}

test(
  "D3: runs that are answered, revised, forked, moved, redefined, cancelled, cleared away and broken off at random end as they would have without all that",
  async () => {
    const { seed } = IS_LONG ? seededChance() : seededChance(Number(process.env.WAVEPOINT_SEED ?? 3_000));
    let compared = 0;
    for (let i = 0; i < RUNS; i++) {
      const chance = seededChance(seed + i);
      const run = new RandomRun(await makeWorld(chance), chance);
      await playWatched(run).catch((cause: unknown) => {
        throw new Error(`WAVEPOINT_SEED=${seed + i} breaks: ${String(cause)}\n${run.trace.join(" | ")}`, { cause });
      });
      if (run.isCompared) compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(Math.floor(RUNS / 3));
  },
  // The watch above ends a run that hangs.
  RUNS * 120_000,
);

import { expect, test } from "vitest";
import { seededChance } from "../support/seeded.ts";
import { makeWorld } from "./random-run-world.ts";
import { RandomRun } from "./random-run.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const RUNS = Number(process.env.WAVEPOINT_RANDOM_RUNS ?? (IS_LONG ? 1_000 : 3));
/** A run that has not ended by then hangs. */
const PATIENCE_MS = 60_000;

/** Rejects where a run hangs, so that the error names its seed. */
async function inTime(playing: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It hangs.")), PATIENCE_MS);
  });
  await Promise.race([playing, hung]).finally(() => clearTimeout(timer));
}

test(
  "runs that are answered, revised, forked, moved, redefined, cancelled, cleared away and broken off at random end as they would have without all that",
  async () => {
    const { seed } = IS_LONG ? seededChance() : seededChance(Number(process.env.WAVEPOINT_SEED ?? 3_000));
    let compared = 0;
    for (let i = 0; i < RUNS; i++) {
      const chance = seededChance(seed + i);
      const run = new RandomRun(await makeWorld(chance), chance);
      await inTime(run.play()).catch((cause: unknown) => {
        throw new Error(`WAVEPOINT_SEED=${seed + i} breaks: ${String(cause)}\n${run.trace.join(" | ")}`, { cause });
      });
      if (run.isCompared) compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(Math.floor(RUNS / 3));
  },
  PATIENCE_MS + RUNS * 10_000,
);

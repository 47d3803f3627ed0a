import { expect, test } from "vitest";
import { seededChance } from "../support/seeded.ts";
import { makeWorld } from "./voyage-world.ts";
import { Voyage } from "./voyage.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const VOYAGES = Number(process.env.WAVEPOINT_VOYAGES ?? (IS_LONG ? 1_000 : 8));
/** A voyage that is not over by then hangs. */
const PATIENCE_MS = 60_000;

/** Rejects where a voyage hangs, so that its seed is told. */
async function inTime(sailing: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It hangs.")), PATIENCE_MS);
  });
  await Promise.race([sailing, hung]).finally(() => clearTimeout(timer));
}

test(
  "runs that are answered, revised, forked, moved, redefined, cancelled, cleared away and broken off at random end as they would have without all that",
  async () => {
    const { seed } = IS_LONG ? seededChance() : seededChance(Number(process.env.WAVEPOINT_SEED ?? 3_000));
    let compared = 0;
    for (let i = 0; i < VOYAGES; i++) {
      const chance = seededChance(seed + i);
      const voyage = new Voyage(await makeWorld(chance), chance);
      await inTime(voyage.sail()).catch((cause: unknown) => {
        throw new Error(`WAVEPOINT_SEED=${seed + i} breaks: ${String(cause)}\n${voyage.trace.join(" | ")}`, { cause });
      });
      if (voyage.isCompared) compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(Math.floor(VOYAGES / 3));
  },
  PATIENCE_MS + VOYAGES * 10_000,
);

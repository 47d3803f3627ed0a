import { expect, test } from "vitest";
import type { CheckpointPolicy, Store } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { clearDatabase } from "../support/clear-database.ts";
import { playGrowing, type Played } from "./growing-run.ts";
import { stopPoints, type StopPoint } from "./stop-at.ts";

const inPage = "document" in globalThis;

const IS_LONG = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined;
const SYNC: CheckpointPolicy = { durability: "sync" };
/** In Node and under the first a process dies at each write, else at every third, in a page at every ninth; in the long tier before and after each. */
const POLICIES: readonly CheckpointPolicy[] = [
  SYNC,
  { durability: "async" },
  { durability: "sync", retention: "windowed", window: 2 },
  { durability: "async", retention: "latest" },
];

async function played(policy: CheckpointPolicy, point?: StopPoint): Promise<Played> {
  if (!inPage) return playGrowing(memoryStore(), policy, point);
  const name = `growing-${crypto.randomUUID()}`;
  const store: Store = indexedDbStore({ name });
  try {
    return await playGrowing(store, policy, point);
  } finally {
    await store.close();
    await clearDatabase(name);
  }
}

test.each(POLICIES)(
  "D1: a process that dies at any write loses no block that was added and no checkpoint that was asked for, %j",
  async (policy) => {
    const unbroken = await played(policy);
    expect(unbroken.ending).toMatchObject({ status: "completed", channels: { said: { length: 8 } } });
    let deaths = 0;
    for (const point of stopPoints(unbroken.writes).filter(
      (_, i) => IS_LONG || (policy === SYNC && !inPage) || i % (inPage ? 9 : 3) === 0,
    )) {
      const { hasDied, again, ending } = await played(policy, point);
      expect({ point, again, ending }).toEqual({ point, again: [], ending: unbroken.ending });
      if (hasDied) deaths += 1;
    }
    expect(deaths).toBeGreaterThan(inPage ? 1 : policy === SYNC ? 20 : 4);
  },
);

import { expect, test } from "vitest";
import type { Store } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { BEHAVIOURS, type Behaviour } from "../corpus/behaviours/behaviours.ts";
import { playBehaviour, type PlayedBehaviour } from "../corpus/behaviours/play-behaviour.ts";
import { clearDatabase } from "../support/clear-database.ts";
import { everyStopPoint, type StopPoint } from "./stop-at.ts";

const inPage = "document" in globalThis;
const IS_LONG = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined;
/** About so many of the places where a process may die are tried, before and after writes in turns; in the long tier all. */
const MOST_POINTS = inPage ? 3 : 8;

function somePoints(writes: number): readonly StopPoint[] {
  const every = everyStopPoint(writes);
  const stride = IS_LONG ? 1 : Math.ceil(every.length / MOST_POINTS) | 1;
  return every.filter((_, i) => i % stride === 0);
}

async function played(behaviour: Behaviour, point?: StopPoint): Promise<PlayedBehaviour> {
  if (!inPage) return playBehaviour(behaviour, memoryStore(), point);
  const name = `behaviour-${crypto.randomUUID()}`;
  const store: Store = indexedDbStore({ name });
  try {
    return await playBehaviour(behaviour, store, point);
  } finally {
    await store.close();
    await clearDatabase(name);
  }
}

test.each(Object.entries(BEHAVIOURS))(
  "D1: %s: a process that dies at any write loses nothing and repeats nothing",
  async (_, behaviour) => {
    const unbroken = await played(behaviour);
    let deaths = 0;
    for (const point of somePoints(unbroken.writes)) {
      const { hasDied, again, ending } = await played(behaviour, point);
      expect({ point, again, ending }).toEqual({ point, again: [], ending: unbroken.ending });
      if (hasDied) deaths += 1;
    }
    expect(deaths).toBeGreaterThan(inPage ? 0 : 3);
  },
);

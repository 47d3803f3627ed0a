import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { playGrowing, type Played } from "./growing-run.ts";
import { everyStopPoint, type StopPoint } from "./stop-at.ts";

const root = await mkdtemp(join(tmpdir(), "wavepoint-growing-"));
afterAll(() => rm(root, { recursive: true, force: true }));

/** On memory each write is tried; here about every seventh, before and after in turns, and in the long tier each. */
const STRIDE = process.env.WAVEPOINT_LONG === undefined ? 15 : 1;
let opened = 0;

async function played(point?: StopPoint): Promise<Played> {
  const store = filesystemStore(join(root, String((opened += 1))));
  try {
    return await playGrowing(store, { durability: "sync" }, point);
  } finally {
    await store.close();
  }
}

test("D1: a process that dies at any write to files loses no block that was added and no checkpoint that was asked for", async () => {
  const unbroken = await played();
  let deaths = 0;
  for (const point of everyStopPoint(unbroken.writes).filter((_, i) => i % STRIDE === 0)) {
    const { hasDied, again, ending } = await played(point);
    expect({ point, again, ending }).toEqual({ point, again: [], ending: unbroken.ending });
    if (hasDied) deaths += 1;
  }
  expect(deaths).toBeGreaterThan(3);
});

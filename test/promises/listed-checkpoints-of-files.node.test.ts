import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isWorkflowError, type CheckpointSummary, type Page } from "wavepoint";
import { fillIn } from "../support/fill-in.ts";
import { directoryPlace } from "./directory-place.ts";
import { ANSWERS, tripExecutor } from "./trip.ts";

/** Every how many bits one is changed: a prime, so that all places in a byte have their turn. */
const EVERY = process.env.WAVEPOINT_LONG === undefined ? 397 : 11;
const CODES = ["STORE_DATA_CORRUPT", "RUN_CORRUPT", "CHECKPOINT_CORRUPT"];

let place: ReturnType<typeof directoryPlace>;
let whole: Page<CheckpointSummary>;

async function listed(): Promise<Page<CheckpointSummary>> {
  const store = place.open();
  try {
    return await tripExecutor(store).checkpoints.list({ limit: 1_000 });
  } finally {
    await store.close();
  }
}

beforeEach(async () => {
  place = directoryPlace();
  const store = place.open();
  await fillIn(await tripExecutor(store).start("trip", { city: "Porto" }), ANSWERS);
  await fillIn(await tripExecutor(store).start("trip", { city: "Rome" }), ANSWERS, { until: "food" });
  await store.close();
  whole = await listed();
});
afterEach(() => place.remove());

/** Looks at the list and at each checkpoint in it; gives how many were told as damaged, in the list or by the checkpoint itself. */
async function look(): Promise<number> {
  const store = place.open();
  try {
    const executor = tripExecutor(store);
    const { items, damaged = [] } = await executor.checkpoints.list({ limit: 1_000 });
    const told = new Set(damaged.map(({ run }) => run));
    for (const { error } of damaged) expect(CODES).toContain(error.code);
    // What is not in the list is of a run that the list says is damaged.
    for (const { id, run } of whole.items) expect(told.has(run) || items.some((item) => item.id === id), id).toBe(true);
    let refused = 0;
    for (const { id } of items) {
      try {
        expect((await executor.checkpoints.get(id)).id).toBe(id);
      } catch (error) {
        if (!isWorkflowError(error)) throw error;
        expect(CODES).toContain(error.code);
        refused += 1;
      }
    }
    return told.size + refused;
  } finally {
    await store.close();
  }
}

describe("D3: every listed checkpoint loads, or is listed as damaged, after a change of any bit", () => {
  const filesOf = (ending: string): readonly string[] => {
    const runs = join(place.directory, "runs");
    return readdirSync(runs, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(ending))
      .map((path) => join(runs, path));
  };

  async function change(ending: string): Promise<{ readonly changes: number; readonly told: number }> {
    let [changes, told] = [0, 0];
    for (const path of filesOf(ending)) {
      const bytes = readFileSync(path);
      for (let bit = changes % EVERY; bit < bytes.length * 8; bit += EVERY) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        writeFileSync(path, changed);
        changes += 1;
        if ((await look()) > 0) told += 1;
      }
      writeFileSync(path, bytes);
    }
    return { changes, told };
  }

  test("in a journal", async () => {
    const { changes, told } = await change(".jsonl");
    expect(whole.items.length).toBeGreaterThan(8);
    expect(changes).toBeGreaterThan(20);
    expect(told).toBe(changes);
  }, 600_000);

  test("in what follows from a journal, which is read again then", async () => {
    const { changes, told } = await change("cache.json");
    expect(changes).toBeGreaterThan(10);
    expect(told).toBe(0);
  }, 600_000);

  test("and where a journal is gone", async () => {
    for (const path of filesOf(".jsonl")) rmSync(path);
    expect(await look()).toBeGreaterThan(0);
  });
});

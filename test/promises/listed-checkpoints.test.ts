import { describe, expect, test } from "vitest";
import { isWorkflowError, type CheckpointPolicy, type Store } from "wavepoint";
import { fillIn } from "../support/fill-in.ts";
import { PLACES } from "./places.ts";
import { ANSWERS, tripExecutor } from "./trip.ts";

const POLICIES: readonly CheckpointPolicy[] = [
  {},
  { retention: "latest" },
  { retention: "windowed", window: 2 },
  { durability: "exit", retention: "latest" },
  { maxPerWorkflow: 2 },
];

describe.each(PLACES)("D3: every checkpoint that a list shows loads: %s", (_, make) => {
  test.each(POLICIES)("%j", async (policy) => {
    const place = await make();
    const store = place.open();
    await fillIn(await tripExecutor(store, policy).start("trip", { city: "Porto" }), ANSWERS);
    const waiting = await tripExecutor(store, policy).start("trip", { city: "Rome" });
    await fillIn(waiting, ANSWERS, { until: "food" });
    const fork = await tripExecutor(store, policy).fork(waiting.getSnapshot().pauses[0]!.id);
    await fork.settled();
    await tripExecutor(store, policy).cleanup();
    await store.close();
    const again = place.open();
    const { items, damaged } = await tripExecutor(again, policy).checkpoints.list({ limit: 1_000 });
    expect(damaged).toBeUndefined();
    expect(new Set(items.map(({ run }) => run)).size).toBeGreaterThan(1);
    for (const { id, run, kind } of items) {
      await expect(tripExecutor(again, policy).checkpoints.get(id), id).resolves.toMatchObject({ id, run, kind });
    }
    await again.close();
    await place.remove();
  });
});

const CODES = ["CHECKPOINT_CORRUPT", "RUN_CORRUPT"];

/** The store with one entry of one run otherwise. */
function damage(store: Store, run: string, at: number, change: (text: string) => string): Store {
  return {
    ...store,
    async read(id, range = {}) {
      const texts = await store.read(id, range);
      return id === run ? texts.map((text, i) => ((range.from ?? 0) + i === at ? change(text) : text)) : texts;
    },
  };
}

const CHANGES: readonly (readonly [how: string, change: (text: string) => string])[] = [
  ["is no JSON", () => "{"],
  ["is of no known kind", () => '{"type":"nothing"}'],
  ["stands for another", (text) => text.replace(/"block":"\w+"/, '"block":"stranger"')],
];

describe.each(PLACES)("D3: a checkpoint behind a damaged entry is refused as damaged, those of other runs load: %s", (_, make) => {
  test.each(CHANGES)("an entry that %s", async (_how, change) => {
    const place = await make();
    const store = place.open();
    const run = await tripExecutor(store).start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS);
    const { items } = await store.checkpoints({ limit: 1_000 });
    const count = (await store.head(run.id))!.entries;
    let refused = 0;
    for (let at = 0; at < count; at += 1) {
      if (change((await store.read(run.id))[at]!) === (await store.read(run.id))[at]) continue;
      const executor = tripExecutor(damage(store, run.id, at, change));
      for (const { id, run: of } of (await executor.checkpoints.list({ limit: 1_000 })).items) {
        const row = items.find(
          (one) => one.run === of && id.endsWith(`.${one.number}`) && id.startsWith(one.kind === "wave" ? "chk" : "pause"),
        )!;
        const outcome = await executor.checkpoints.get(id).then(
          (info) => info.id,
          (error: unknown) => (isWorkflowError(error) ? error.code : "not a WorkflowError"),
        );
        const isBehind = of === run.id && row.entries > at;
        refused += isBehind ? 1 : 0;
        if (of !== run.id) expect([at, id, outcome]).toEqual([at, id, id]);
        else expect(isBehind ? CODES : [...CODES, id], `${id}, entry ${at}`).toContain(outcome);
      }
    }
    expect(refused).toBeGreaterThan(10);
    await store.close();
    await place.remove();
  });
});

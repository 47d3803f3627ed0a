import { expect, test } from "vitest";
import { createExecutor, type RunEvent, type Store, type StoredEvent } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";

const FLOW = {
  name: "ask",
  blocks: [
    { id: "first", type: "EchoBlock", inputs: { message: "hello" } },
    { id: "ask", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["first"] },
  ],
};

/** A store that takes a second for each commit and two for each read. */
function slowStore(host: ReturnType<typeof fakeHost>): Store {
  const store = memoryStore();
  return {
    ...store,
    async commit(commit) {
      await host.sleep(1_000);
      await store.commit(commit);
    },
    async read(run, range) {
      await host.sleep(2_000);
      return store.read(run, range);
    },
  };
}

function storedOf(events: readonly RunEvent[]): readonly StoredEvent[] {
  return events.filter((event): event is StoredEvent => event.type === "saved" || event.type === "loaded");
}

test("each commit and each reading of a run is an event, with how much it was and how long the store took", async () => {
  const host = fakeHost({ autoAdvance: true });
  const store = slowStore(host);
  const events: RunEvent[] = [];
  const run = await createExecutor({ store, host, onEvent: (event) => void events.push(event) }).start(FLOW);
  await run.settled();
  const texts = await store.read(run.id);
  const saved = storedOf(events);
  expect(saved.map(({ type, run: of, tookMs }) => [type, of, tookMs])).toEqual(saved.map(() => ["saved", run.id, 1_000]));
  expect(saved.reduce((sum, { entries }) => sum + entries, 0)).toBe(texts.length);
  expect(saved.reduce((sum, { length }) => sum + length, 0)).toBe(texts.join("").length);

  const later: RunEvent[] = [];
  await createExecutor({ store, host, onEvent: (event) => void later.push(event) }).open(run.id);
  const length = texts.join("").length;
  expect(storedOf(later)).toEqual([{ type: "loaded", run: run.id, entries: texts.length, length, tookMs: 2_000 }]);
});

test("a commit is an event once it was acknowledged, and one that failed is none", async () => {
  const store = memoryStore();
  const events: RunEvent[] = [];
  const order: string[] = [];
  const watching: Store = {
    ...store,
    async commit(commit) {
      await store.commit(commit);
      order.push("stored");
    },
  };
  const onEvent = (event: RunEvent): void => {
    if (event.type === "saved") order.push("told");
    events.push(event);
  };
  const run = await createExecutor({ store: watching, onEvent }).start(FLOW);
  await run.settled();
  await expect.poll(() => order.filter((what) => what === "told").length).toBe(order.filter((what) => what === "stored").length);
  expect(order.slice(0, 2)).toEqual(["stored", "told"]);

  const before = storedOf(events).length;
  const failing = faultyStore(store, failAt(1, { times: "forever" }));
  const executor = createExecutor({ store: failing, onEvent });
  const again = await executor.open(run.id);
  await again.answer(again.getSnapshot().pauses[0]!.id, "x").catch(() => {});
  expect(
    storedOf(events)
      .slice(before)
      .map(({ type }) => type),
  ).not.toContain("saved");
});

test("nothing is measured without a listener", async () => {
  let asked = 0;
  const host = fakeHost();
  const counting = {
    ...host,
    now() {
      asked++;
      return host.now();
    },
  };
  const count = async (listens: boolean): Promise<number> => {
    asked = 0;
    const executor = createExecutor({ store: memoryStore(), host: counting, ...(listens ? { onEvent: () => {} } : {}) });
    await (await executor.start(FLOW)).settled();
    return asked;
  };
  await count(false);
  const quiet = await count(false);
  expect(await count(true)).toBeGreaterThan(quiet);
});

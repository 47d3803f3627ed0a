import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  success,
  type Block,
  type BlockType,
  type Executor,
  type Run,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { stopAt } from "../../crash-points/stop-at.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const book = (id: string, of: string, more: Partial<Block> = {}): Block => ({
  id,
  type: "Book",
  inputs: { of },
  compensate: `un${id}`,
  ...more,
});
const unbook = (id: string, more: Partial<Block> = {}): Block => ({
  id: `un${id}`,
  type: "Unbook",
  inputs: { of: `\${blocks.${id}.booked}` },
  ...more,
});
const FULL: Block = { id: "full", type: "Full" };

/** A place where things are booked, and the calls it got, with the keys. */
function office() {
  const ledger: string[] = [];
  const keys: string[] = [];
  const blocks = [
    defineBlock({
      type: "Book",
      execute({ inputs }) {
        const { of } = inputs as { readonly of: string };
        ledger.push(of);
        return success({ booked: of });
      },
    }),
    defineBlock({
      type: "Unbook",
      execute({ inputs, idempotencyKey }) {
        ledger.push(`no ${String((inputs as { readonly of: string }).of)}`);
        keys.push(idempotencyKey.replace(/^run_\w+\//, ""));
        return success({});
      },
    }),
    defineBlock({ type: "Full", execute: () => failure("Nothing is left.") }),
    defineBlock({
      type: "Hang",
      execute: ({ signal }) => new Promise<never>((_, reject) => void signal.addEventListener("abort", () => reject(new Error("stopped")))),
    }),
  ];
  return { ledger, keys, blocks };
}

function executorOn(store: Store, { blocks }: { readonly blocks: readonly BlockType[] }, seed = 1): Executor {
  return createExecutor({ store, blocks, host: fakeHost({ autoAdvance: true, seed }), policy: { durability: "sync" } });
}

const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });
const firstPause = (run: Run): string => run.getSnapshot().pauses[0]!.id;

describe("a run that fails", () => {
  test("undoes what completed, last first, and tells why it failed", async () => {
    const { ledger, ...parts } = office();
    const trip = flow(
      book("hotel", "room"),
      book("flight", "seat", { dependsOn: ["hotel"] }),
      { ...FULL, dependsOn: ["flight"] },
      unbook("hotel"),
      unbook("flight"),
    );
    const run = await executorOn(memoryStore(), parts).start(trip);
    const views = new Set<string>();
    run.subscribe(({ status, compensations }) => views.add(`${status} ${String(compensations?.length ?? 0)}`));
    expect(await run.settled()).toMatchObject({ status: "failure", error: { message: 'Block "full" failed: Nothing is left.' } });
    expect(ledger).toEqual(["room", "seat", "no seat", "no room"]);
    expect(run.getSnapshot()).toMatchObject({
      status: "failed",
      compensations: [
        { id: "unhotel", status: "completed" },
        { id: "unflight", status: "completed" },
      ],
    });
    expect(run.getSnapshot().waves).toHaveLength(3);
    expect((await run.steps()).map(({ block, status }) => `${block} ${status}`)).toEqual([
      "hotel completed",
      "flight completed",
      "full failed",
      "unflight completed",
      "unhotel completed",
    ]);
  });

  test("has ended then: it is not resumed, moved or revised", async () => {
    const { ledger, ...parts } = office();
    const trip = flow(ask("who"), book("hotel", "room", { dependsOn: ["who"] }), { ...FULL, dependsOn: ["hotel"] }, unbook("hotel"));
    const executor = executorOn(memoryStore(), parts);
    const run = await executor.start(trip);
    await run.settled();
    const who = firstPause(run);
    await run.answer(who, "Ada");
    const ended = { status: "failure", error: { code: "RUN_ENDED" } };
    expect(await run.resume()).toMatchObject(ended);
    expect(await run.resume({ definition: "latest" })).toMatchObject(ended);
    expect(await run.revise(who, "Grace")).toMatchObject(ended);
    expect(await run.back()).toMatchObject(ended);
    expect(ledger).toEqual(["room", "no room"]);
  });

  test("undoes each execution, also one that a revision took the place of", async () => {
    const { ledger, keys, ...parts } = office();
    const trip = flow(
      ask("city"),
      book("hotel", "${blocks.city.input_value}", { dependsOn: ["city"] }),
      ask("sure", { dependsOn: ["hotel"] }),
      { ...FULL, dependsOn: ["sure"] },
      unbook("hotel"),
    );
    const run = await executorOn(memoryStore(), parts).start(trip);
    await run.settled();
    const city = firstPause(run);
    await run.answer(city, "Rome");
    await run.revise(city, "Oslo");
    expect(await run.answer(firstPause(run), "yes")).toMatchObject({ status: "failure" });
    expect(ledger).toEqual(["Rome", "Oslo", "no Oslo", "no Rome"]);
    expect(new Set(keys).size).toBe(2);
    expect((await run.steps()).filter(({ block }) => block === "unhotel")).toMatchObject([
      { iteration: 1, status: "completed" },
      { iteration: 2, status: "completed" },
    ]);
  });

  test("is revised as if nothing undid its blocks: what those would write counts for nothing", async () => {
    const { ledger: _, ...parts } = office();
    const store = memoryStore();
    const trip: Workflow = {
      ...flow(
        { id: "greeting", type: "EchoBlock", inputs: { message: "Seen: ${channels.notes}" } },
        ask("city"),
        book("hotel", "${blocks.city.input_value}", { dependsOn: ["city"] }),
        ask("sure", { dependsOn: ["hotel"] }),
        unbook("hotel", { writes: { notes: "undone" } }),
      ),
      channels: { notes: { reduce: "append" } },
    };
    const run = await executorOn(store, parts).start(trip);
    await run.settled();
    const city = firstPause(run);
    await run.answer(city, "Rome");
    await run.revise(city, "Oslo");
    const entries = (await store.read(run.id)).map((text) => JSON.parse(text) as { readonly type: string });
    const after = entries.slice(entries.findIndex(({ type }) => type === "revised"));
    expect(after).toMatchObject([
      { type: "revised" },
      { type: "completed", block: "city" },
      { block: "hotel" },
      { units: [{ block: "sure" }] },
    ]);
  });

  test("undoes each item that completed", async () => {
    const { ledger, ...parts } = office();
    const trip = flow(book("seat", "${each.value}", { forEach: ["1A", "1B"] }), FULL, unbook("seat"));
    await (await executorOn(memoryStore(), parts).start(trip)).settled();
    expect(ledger).toEqual(["1A", "1B", "no 1B", "no 1A"]);
  });

  test("undoes what it did where its outputs cannot be made", async () => {
    const { ledger, ...parts } = office();
    const trip = {
      ...flow(book("hotel", "room"), unbook("hotel")),
      outputs: { n: { value: "${blocks.hotel.booked}", type: "integer" } },
    } as const;
    const run = await executorOn(memoryStore(), parts).start(trip);
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "OUTPUT_INVALID" } });
    expect(ledger).toEqual(["room", "no room"]);
  });

  test("names what it could not undo, and undoes the rest", async () => {
    const { ledger, ...parts } = office();
    const trip = flow(
      book("hotel", "room"),
      book("flight", "seat", { dependsOn: ["hotel"] }),
      { ...FULL, dependsOn: ["flight"] },
      unbook("hotel"),
      unbook("flight", { type: "Full", inputs: {} }),
    );
    const run = await executorOn(memoryStore(), parts).start(trip);
    expect(await run.settled()).toMatchObject({
      error: {
        message: 'Block "full" failed: Nothing is left. Not all of it could be undone: "unflight" failed.',
        details: { block: "full", notUndoneBy: ["unflight"] },
      },
    });
    expect(ledger).toEqual(["room", "seat", "no room"]);
  });

  test("may ask while it undoes", async () => {
    const { ledger, ...parts } = office();
    const trip = flow(
      book("hotel", "room"),
      book("flight", "seat", { dependsOn: ["hotel"], compensate: "ask" }),
      { ...FULL, dependsOn: ["flight"] },
      unbook("hotel"),
      ask("ask"),
    );
    const executor = executorOn(memoryStore(), parts);
    const run = await executor.start(trip);
    expect(await run.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["ask"] }] });
    expect(run.getSnapshot().progress).toEqual({ answered: 0, remaining: { min: 1 } });
    expect(await run.cancel()).toMatchObject({ status: "paused" });
    expect(await run.answer(firstPause(run), "done")).toMatchObject({ status: "failure", error: { code: "BLOCK_FAILED" } });
    expect(ledger).toEqual(["room", "seat", "no room"]);
  });
});

describe("a run that is cancelled", () => {
  const trip = flow(book("hotel", "room"), ask("sure", { dependsOn: ["hotel"] }), unbook("hotel"));

  test("undoes what it did, and ends as cancelled", async () => {
    const { ledger, ...parts } = office();
    const run = await executorOn(memoryStore(), parts).start(trip);
    await run.settled();
    const sure = firstPause(run);
    expect(await run.cancel({ reason: "Rain." })).toMatchObject({ status: "failure", error: { code: "RUN_CANCELLED" } });
    expect(ledger).toEqual(["room", "no room"]);
    expect(run.getSnapshot()).toMatchObject({ status: "cancelled", pauses: [] });
    expect(await run.answer(sure, "yes")).toMatchObject({ status: "failure" });
    await run.cancel();
    expect(ledger).toEqual(["room", "no room"]);
  });

  test("by an answer to its question", async () => {
    const { ledger, ...parts } = office();
    const run = await executorOn(memoryStore(), parts).start(trip);
    await run.settled();
    expect(await run.decline(firstPause(run), { action: "cancel" })).toMatchObject({ error: { code: "RUN_CANCELLED" } });
    expect(ledger).toEqual(["room", "no room"]);
  });

  test("while a block works", async () => {
    const { ledger, ...parts } = office();
    const run = await executorOn(memoryStore(), parts).start(
      flow(book("hotel", "room"), { id: "hang", type: "Hang", dependsOn: ["hotel"] }, unbook("hotel")),
    );
    while (!run.getSnapshot().waves[1]!.blocks.some(({ status }) => status === "running"))
      await new Promise((resolve) => setTimeout(resolve));
    expect(await run.cancel()).toMatchObject({ error: { code: "RUN_CANCELLED" } });
    expect(ledger).toEqual(["room", "no room"]);
    expect(run.getSnapshot().waves[1]!.blocks).toMatchObject([{ status: "stopped" }]);
  });

  test("can be forked at its question, beside which a block worked", async () => {
    const { ledger, ...parts } = office();
    let isOpen = false;
    const gate = defineBlock({
      type: "Gate",
      execute: ({ signal }) =>
        isOpen ? success({}) : new Promise<never>((_, reject) => void signal.addEventListener("abort", () => reject(new Error("stopped")))),
    });
    const executor = executorOn(memoryStore(), { blocks: [...parts.blocks, gate] });
    const run = await executor.start(
      flow(
        book("hotel", "room"),
        ask("sure", { dependsOn: ["hotel"] }),
        { id: "gate", type: "Gate", dependsOn: ["hotel"] },
        unbook("hotel"),
      ),
    );
    await expect.poll(() => run.getSnapshot().pauses).toHaveLength(1);
    const sure = firstPause(run);
    await run.cancel();
    isOpen = true;
    const other = await executor.fork(sure);
    await other.settled();
    expect(await other.answer(firstPause(other), "yes")).toMatchObject({ status: "success" });
    expect(other.getSnapshot().waves[1]!.blocks).toMatchObject([{ status: "completed" }, { status: "completed" }]);
    // There was no room any more.
    expect(ledger).toEqual(["room", "no room", "room"]);
  });

  test("after a change of an answer tells what it aborted", async () => {
    const { ledger: _, ...parts } = office();
    const hang: Block = { id: "hang", type: "Hang", dependsOn: ["second"] };
    const run = await executorOn(memoryStore(), parts).start(flow(ask("first"), ask("second", { dependsOn: ["first"] }), hang));
    await run.settled();
    const first = firstPause(run);
    await run.answer(first, "a");
    await run.revise(first, "b");
    void run.answer(firstPause(run), "c");
    await expect.poll(() => run.getSnapshot().waves[2]!.blocks).toMatchObject([{ status: "running" }]);
    await run.cancel();
    expect(run.getSnapshot().waves[2]!.blocks).toMatchObject([{ status: "stopped" }]);
    expect((await run.steps()).at(-1)).toMatchObject({ block: "hang", status: "stopped", superstep: 3 });
  });

  test("with nothing to undo just ends", async () => {
    const { ledger, ...parts } = office();
    const run = await executorOn(memoryStore(), parts).start(
      flow(ask("sure"), book("hotel", "room", { dependsOn: ["sure"] }), unbook("hotel")),
    );
    await run.settled();
    expect(await run.cancel()).toMatchObject({ error: { code: "RUN_CANCELLED" } });
    expect(ledger).toEqual([]);
  });

  test("lets the workflow that it called undo first", async () => {
    const { ledger, blocks } = office();
    const inner: Workflow = { ...trip, name: "inner" };
    const outer = flow(
      book("car", "wheels"),
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" }, dependsOn: ["car"] },
      unbook("car"),
    );
    const executor = createExecutor({ store: memoryStore(), blocks, workflows: [inner], host: fakeHost({ autoAdvance: true }) });
    const run = await executor.start(outer);
    await run.settled();
    await run.cancel();
    expect(ledger).toEqual(["wheels", "room", "no room", "no wheels"]);
  });
});

test("a crash at any write leaves nothing that is not undone", async () => {
  const trip = flow(
    book("hotel", "room"),
    book("flight", "seat", { dependsOn: ["hotel"] }),
    { ...FULL, dependsOn: ["flight"] },
    unbook("hotel"),
    unbook("flight"),
  );
  const counting = stopAt(memoryStore());
  await (await executorOn(counting.store, office()).start(trip)).settled();
  expect(counting.writes()).toBeGreaterThan(5);
  for (let write = 3; write <= counting.writes(); write++) {
    for (const when of ["before", "after"] as const) {
      const { ledger, keys, ...parts } = office();
      const store = memoryStore();
      const dying = executorOn(stopAt(store, { write, when }).store, parts);
      const died = async (): Promise<unknown> => (await dying.start(trip)).settled();
      await died().catch(() => undefined);
      const executor = executorOn(store, parts, 2);
      const run = await executor.open((await executor.runs.list()).items[0]!.id);
      if (run.getSnapshot().status === "running") await run.resume();
      expect(await run.settled(), `${write} ${when}`).toMatchObject({ status: "failure", error: { code: "BLOCK_FAILED" } });
      const once = ledger.filter((line, i) => ledger.indexOf(line) === i);
      expect(once, `${write} ${when}`).toEqual(["room", "seat", "no seat", "no room"]);
      expect(new Set(keys)).toEqual(new Set(["unflight", "unhotel"]));
    }
  }
});

import { describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore } from "wavepoint/testing";
import { answer, place, stepsOf } from "./trip.ts";

const TRANSFERRED = { code: "RUN_TRANSFERRED", details: { to: "the server" }, message: expect.stringContaining("the server") };

async function handedOver() {
  const home = place();
  const run = await home.executor.start("trip");
  await answer(run, "Rome");
  const file = await home.executor.runs.transfer(run.id, { to: "the server" });
  return { home, run, file };
}

describe("a run that was handed over", () => {
  test("refuses to go on, says where it went, and can be read", async () => {
    const { home, run } = await handedOver();
    const [pause] = run.getSnapshot().pauses;
    const before = JSON.stringify([await home.store.head(run.id), await home.store.read(run.id)]);
    await expect(run.answer(pause!.id, "A 12")).rejects.toMatchObject(TRANSFERRED);
    await expect(run.resume()).rejects.toMatchObject(TRANSFERRED);
    await expect(run.cancel()).rejects.toMatchObject(TRANSFERRED);
    await expect(home.executor.resume(pause!.id, "A 12", { fork: true })).rejects.toMatchObject(TRANSFERRED);
    await expect(home.executor.checkpoints.delete(pause!.id)).rejects.toMatchObject(TRANSFERRED);
    const inner = await home.executor.open(`${run.id}/papers`);
    await expect(answer(inner, "A 12")).rejects.toMatchObject(TRANSFERRED);
    const tab = place({ store: home.store });
    const other = await tab.executor.open(run.id);
    await expect(answer(other, "A 12")).rejects.toMatchObject(TRANSFERRED);
    expect((await other.settled()).status).toBe("paused");
    expect([run, inner, other].map((one) => one.getSnapshot().transferredTo)).toEqual(["the server", "the server", "the server"]);
    expect(await stepsOf(other)).toBe(await stepsOf(run));
    await expect(home.executor.runs.export(run.id)).resolves.toContain('"transferred"');
    expect((await home.executor.runs.list({ topLevel: true })).items[0]).toMatchObject({ transferredTo: "the server", status: "paused" });
    expect(JSON.stringify([await home.store.head(run.id), await home.store.read(run.id)])).toBe(before);
  });

  test("goes on where it was imported, with ownership counted", async () => {
    const { run, file } = await handedOver();
    const server = place();
    const moved = await server.executor.runs.import(file);
    expect(await server.store.head(run.id)).toMatchObject({ ownership: 1 });
    expect((await server.store.head(run.id))!.transferredTo).toBeUndefined();
    await answer(moved, "A 12");
    expect((await moved.settled()).status).toBe("success");
    expect(await server.executor.runs.import(file).then(({ getSnapshot }) => getSnapshot)).toBeDefined();
    expect(moved.getSnapshot().status).toBe("completed");
  });

  test("comes back behind the copy that was left, with what happened meanwhile", async () => {
    const { home, run, file } = await handedOver();
    const server = place();
    const moved = await server.executor.runs.import(file);
    await answer(moved, "A 12");
    await moved.settled();
    const back = await server.executor.runs.transfer(run.id, { to: "home" });
    await expect(moved.resume()).rejects.toMatchObject({ code: "RUN_TRANSFERRED", details: { to: "home" } });
    const again = await home.executor.runs.import(back);
    expect(again).toBe(run);
    expect(run.getSnapshot()).toMatchObject({ status: "completed", outputs: { papers: "A 12" } });
    expect(run.getSnapshot().transferredTo).toBeUndefined();
    expect(await home.store.head(run.id)).toMatchObject({ ownership: 2, status: "completed" });
    expect((await home.executor.checkpoints.list({ run: run.id })).items).toEqual(
      (await server.executor.checkpoints.list({ run: run.id })).items,
    );
    expect(await stepsOf(run)).toBe(await stepsOf(moved));
  });

  test("comes back where the other side kept only its newest state", async () => {
    const { home, run, file } = await handedOver();
    const server = place({ policy: { retention: "latest" } });
    const moved = await server.executor.runs.import(file);
    await answer(moved, "A 12");
    await moved.settled();
    await home.executor.runs.import(await server.executor.runs.transfer(run.id, { to: "home" }));
    expect(run.getSnapshot()).toMatchObject({ status: "completed", outputs: { papers: "A 12" } });
    expect((await home.store.head(run.id))!.base).toBeGreaterThan(1);
    const reader = place({ store: home.store });
    expect((await reader.executor.open(run.id)).getSnapshot()).toMatchObject({ status: "completed" });
    const listed = (await reader.executor.checkpoints.list()).items;
    expect(listed).toEqual((await server.executor.checkpoints.list()).items);
    const away = await reader.executor.runs.transfer(run.id, { to: "the archive" });
    expect((await place().executor.runs.import(away)).getSnapshot().status).toBe("completed");
  });

  test("D3: comes back without the checkpoints that were deleted where it was", async () => {
    const { home, run, file } = await handedOver();
    const server = place();
    await server.executor.runs.import(file);
    const [checkpoint] = (await server.executor.checkpoints.list({ run: run.id, kind: "wave" })).items;
    await server.executor.checkpoints.delete(checkpoint!.id);
    await home.executor.runs.import(await server.executor.runs.transfer(run.id, { to: "home" }));
    const listed = (await home.executor.checkpoints.list({ run: run.id })).items;
    expect(listed).toEqual((await server.executor.checkpoints.list({ run: run.id })).items);
    for (const { id } of listed) await expect(home.executor.checkpoints.get(id)).resolves.toMatchObject({ id });
  });

  test("comes back by its own file, if it was not taken", async () => {
    const { home, run, file } = await handedOver();
    await home.executor.runs.import(file);
    await answer(run, "A 12");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(await home.store.head(run.id)).toMatchObject({ ownership: 1 });
    await expect(home.executor.runs.import(file)).resolves.toBe(run);
  });

  test("gives the same file again, and goes to no second place", async () => {
    const { home, run, file } = await handedOver();
    expect(await home.executor.runs.transfer(run.id, { to: "the server" })).toBe(file);
    await expect(home.executor.runs.transfer(run.id, { to: "elsewhere" })).rejects.toMatchObject(TRANSFERRED);
  });

  test("may have ended before", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    for (const response of ["Rome", "A 12"]) await answer(run, response);
    await run.settled();
    const archive = place();
    const moved = await archive.executor.runs.import(await home.executor.runs.transfer(run.id, { to: "the archive" }));
    expect(moved.getSnapshot()).toMatchObject({ status: "completed" });
    await home.executor.runs.delete(run.id);
    expect((await home.executor.runs.list()).items).toEqual([]);
  });

  test("says where it goes in words", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    await expect(home.executor.runs.transfer(run.id, { to: " " })).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await expect(home.executor.runs.transfer(run.id, { to: "x".repeat(1_001) })).rejects.toMatchObject({ code: "INPUT_INVALID" });
    expect(await answer(run, "Rome")).toBe("paused");
  });
});

describe("an answer at the moment of a transfer", () => {
  /** Lets something happen in a store right before its `count`th commit. */
  function beforeCommit(store: Store, count: number, happen: () => Promise<unknown>): Store {
    let left = count;
    const commit: Store["commit"] = async (one) => {
      left -= 1;
      if (left === 0) await happen();
      return store.commit(one);
    };
    return new Proxy(store, { get: (target, key) => (key === "commit" ? commit : Reflect.get(target, key)) as unknown });
  }

  test.each([1, 2])("of another tab, right before departure %i is stored, is in the file", async (departure) => {
    const store = memoryStore();
    const tab = place({ store });
    const run = await tab.executor.start("trip");
    await answer(run, "Rome");
    const papers = await tab.executor.open(`${run.id}/papers`);
    let outcome: Promise<unknown> | undefined;
    const answered = async (): Promise<void> => {
      outcome = answer(papers, "A 12").catch((error: unknown) => error);
      // What was answered is stored before the other tab writes.
      await expect.poll(async () => (await store.read(papers.id)).length).toBeGreaterThan(2);
    };
    const home = place({ store: beforeCommit(store, departure, answered) });
    const file = await home.executor.runs.transfer(run.id, { to: "the server" });
    await outcome;
    const server = place();
    const moved = await server.executor.runs.import(file);
    expect((await moved.resume()).status).toBe("success");
    expect(moved.getSnapshot().outputs).toMatchObject({ papers: "A 12" });
  });

  test.each([1, 2])("after departure %i was stored is refused, and in no journal", async (departures) => {
    const store = memoryStore();
    const tab = place({ store });
    const run = await tab.executor.start("trip");
    await answer(run, "Rome");
    const [pause] = run.getSnapshot().pauses;
    const refused = async (): Promise<void> => {
      await expect(run.answer(pause!.id, "A 12")).rejects.toMatchObject(TRANSFERRED);
    };
    const home = place({ store: beforeCommit(store, departures + 1, refused) });
    const file = await home.executor.runs.transfer(run.id, { to: "the server" });
    if (departures === 2) await refused();
    expect(file).not.toContain('"A 12"');
  });
});

describe("a crash", () => {
  test("between the departure and the file: once more gives the file", async () => {
    for (let write = 1; write <= 2; write++) {
      for (const when of ["before", "after"] as const) {
        const store = memoryStore();
        const home = place({ store });
        const run = await home.executor.start("trip");
        await answer(run, "Rome");
        const broken = place({ store: faultyStore(store, failAt(write, { when, times: "forever" })) });
        await expect(broken.executor.runs.transfer(run.id, { to: "the server" })).rejects.toMatchObject({ code: "STORE_FAILED" });
        const again = place({ store });
        const file = await again.executor.runs.transfer(run.id, { to: "the server" });
        const server = place();
        const moved = await server.executor.runs.import(file);
        await answer(moved, "A 12");
        expect((await moved.settled()).status).toBe("success");
      }
    }
  });

  test("in the middle of an import leaves no run, and the same file completes it", async () => {
    const { run, file } = await handedOver();
    const counted = faultyStore(memoryStore());
    await place({ store: counted }).executor.runs.import(file);
    expect(counted.writes).toBeGreaterThan(4);
    for (let write = 1; write <= counted.writes; write++) {
      for (const when of ["before", "after"] as const) {
        const store = memoryStore();
        const broken = place({ store: faultyStore(store, failAt(write, { when, times: "forever" })) });
        await broken.executor.runs.import(file).catch((error: unknown) => expect(error).toMatchObject({ code: "STORE_FAILED" }));
        const again = place({ store });
        const listed = (await again.executor.runs.list()).items.map(({ id }) => id);
        // The called run comes first; without its caller it belongs to no run.
        if (listed.length === 1) expect(listed).not.toContain(run.id);
        const moved = await again.executor.runs.import(file);
        await answer(moved, "A 12");
        expect((await moved.settled()).status).toBe("success");
      }
    }
  });
});

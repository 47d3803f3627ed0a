import { describe, expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore } from "wavepoint/testing";
import { answer, trip, passport, place, stepsOf } from "./trip.ts";

const OUTPUTS = { place: "Rome", papers: "A 12", packed: 1 };

describe("a run that is exported", () => {
  test("goes on elsewhere from where it stood, with the bytes it had", async () => {
    const home = place();
    const run = await home.executor.start("trip", { who: "Ada" });
    await run.settled();
    const away = place();
    const moved = await away.executor.runs.import(await home.executor.runs.export(run.id));
    expect(moved.id).toBe(run.id);
    expect(moved.getSnapshot()).toEqual(run.getSnapshot());
    expect(await stepsOf(moved)).toBe(await stepsOf(run));
    expect(await answer(moved, "Rome")).toBe("paused");
    await answer(moved, "A 12");
    expect(await moved.settled()).toMatchObject({ status: "success", outputs: OUTPUTS });
    expect([home.packed, away.packed]).toEqual([["Ada"], ["Rome"]]);
  });

  test("takes along drafts of questions that are open, and no other that a page left behind", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    const { pauses } = await run.settled();
    await home.store.putNote(run.id, "draft.0", '"Rom"');
    const open = await home.executor.runs.export(run.id, { drafts: true });
    expect(open).toContain('"draft.0"');
    await run.answer(pauses![0]!.id, "Rome");
    await home.store.putNote(run.id, "draft.0", '"Rom"');
    const answered = await home.executor.runs.export(run.id, { drafts: true });
    expect(answered).not.toContain('"draft.0"');
  });

  test("takes along the runs it called, and lists and checkpoints are the same there", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await answer(run, "Rome");
    const away = place();
    const moved = await away.executor.runs.import(await home.executor.runs.export(run.id));
    expect((await away.executor.checkpoints.list({ run: run.id })).items).toEqual(
      (await home.executor.checkpoints.list({ run: run.id })).items,
    );
    const [here, there] = await Promise.all([home, away].map(async ({ executor }) => (await executor.runs.list()).items));
    expect(there!.length).toBe(2);
    const own = { revision: 0, epoch: 0, imported: true };
    expect(there!.map((head) => ({ ...head, ...own }))).toEqual(here!.map((head) => ({ ...head, ...own })));
    const inner = await away.executor.open(`${run.id}/papers`);
    expect(await answer(inner, "A 12")).toBe("success");
    expect(await moved.settled()).toMatchObject({ status: "success", outputs: OUTPUTS });
  });

  test("is refused while it executes", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    const release = await home.store.claim(run.id);
    await expect(home.executor.runs.export(run.id)).rejects.toMatchObject({ code: "RUN_ACTIVE" });
    await release!();
    await expect(home.executor.runs.export(run.id)).resolves.toContain(run.id);
  });

  test("makes no file of its own where another one called it", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await answer(run, "Rome");
    const inner = await home.executor.open(`${run.id}/papers`);
    await expect(home.executor.runs.export(inner.id)).rejects.toMatchObject({ code: "RUN_FILE_INVALID", details: { caller: run.id } });
    await expect(home.executor.runs.export("run_nothing")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  test("keeps its end, its failure and its cancelling", async () => {
    for (const end of ["completed", "cancelled"] as const) {
      const home = place();
      const run = await home.executor.start("trip");
      await run.settled();
      if (end === "cancelled") await run.cancel({ reason: "of the weather" });
      else for (const response of ["Rome", "A 12"]) await answer(run, response);
      const away = place();
      const moved = await away.executor.runs.import(await home.executor.runs.export(run.id));
      expect(moved.getSnapshot()).toMatchObject({ status: end });
      expect(await moved.settled()).toEqual(await run.settled());
    }
  });

  test("has a history that is no longer kept one by one", async () => {
    const home = place({ policy: { retention: "latest" } });
    const run = await home.executor.start("trip", { who: "Ada" });
    await answer(run, "Rome");
    const away = place();
    const moved = await away.executor.runs.import(await home.executor.runs.export(run.id));
    expect((await away.store.head(run.id))!.base).toBe((await home.store.head(run.id))!.base);
    expect((await home.store.head(run.id))!.base).toBeGreaterThan(1);
    expect((await away.executor.checkpoints.list({ run: run.id })).items).toEqual(
      (await home.executor.checkpoints.list({ run: run.id })).items,
    );
    await answer(moved, "A 12");
    expect(await moved.settled()).toMatchObject({ status: "success", outputs: OUTPUTS });
  });
});

describe("a file that is imported", () => {
  test("tells its answers as they are where an older copy of the run it was forked from was left", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await answer(run, "Rome");
    const away = place();
    const moved = await away.executor.runs.import(await home.executor.runs.transfer(run.id, { to: "away" }));
    await answer(moved, "A 12");
    await moved.settled();
    const [newest] = (await away.executor.checkpoints.list({ run: run.id, kind: "wave" })).items;
    const fork = await away.executor.fork(newest!.id);
    await fork.settled();
    const back = await home.executor.runs.import(await away.executor.runs.export(fork.id));
    const answers = (await back.answers()).map(({ path, status, answer: given }) => [path.join("/"), status, given]);
    expect(answers).toEqual([
      ["where", "answered", "Rome"],
      ["papers/number", "answered", "A 12"],
    ]);
  });

  test("need not be told of the definitions that only the run it was forked from went on with", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    const longer = { ...trip, blocks: [...trip.blocks, { id: "more", type: "Pack", inputs: { of: "all" }, dependsOn: ["go"] }] };
    for (const [i, workflow] of [longer, trip].entries()) {
      const { executor } = place({ store: home.store, workflows: [workflow, passport] });
      const moved = await executor.open(run.id);
      await moved.resume({ definition: "latest" });
      await executor.close();
      expect((await home.store.head(run.id))!.blobs).toHaveLength(i + 1);
    }
    const { executor } = place({ store: home.store });
    const [first] = (await executor.checkpoints.list({ run: run.id, kind: "pause" })).items;
    const fork = await executor.fork(first!.id);
    await fork.settled();
    const away = place();
    const there = await away.executor.runs.import(await executor.runs.export(fork.id));
    expect(there.getSnapshot().pauses).toHaveLength(1);
    await expect(away.executor.runs.export(fork.id)).resolves.toContain(fork.id);
  });

  test("twice, also after the run went on, changes nothing", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    const file = await home.executor.runs.export(run.id);
    const away = place();
    await away.executor.runs.import(file);
    const head = await away.store.head(run.id);
    const again = await away.executor.runs.import(file);
    expect(await away.store.head(run.id)).toEqual(head);
    await answer(again, "Rome");
    const later = await away.executor.runs.import(file);
    expect(later.getSnapshot().pauses[0]!.prompt).toBe("Its number?");
    await expect(home.executor.runs.import(file)).resolves.toMatchObject({ id: run.id });
  });

  test("does not touch a run of the same id with another history", async () => {
    const home = place();
    const run = await home.executor.start("trip", {}, { id: "trip" });
    await run.settled();
    const away = place();
    const other = await away.executor.start("trip", { who: "Bob" }, { id: "trip" });
    await other.settled();
    const before = JSON.stringify([await away.store.head(other.id), await away.store.read(other.id)]);
    await expect(away.executor.runs.import(await home.executor.runs.export(run.id))).rejects.toMatchObject({ code: "RUN_EXISTS" });
    expect(JSON.stringify([await away.store.head(other.id), await away.store.read(other.id)])).toBe(before);
  });

  test("does not take over where the run here is behind and was not handed over", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    const away = place();
    const moved = await away.executor.runs.import(await home.executor.runs.export(run.id));
    await answer(moved, "Rome");
    await expect(home.executor.runs.import(await away.executor.runs.export(run.id))).rejects.toMatchObject({ code: "RUN_EXISTS" });
    expect(run.getSnapshot().pauses[0]!.prompt).toContain("Where to");
  });

  test("can be taken in by two tabs at the same time", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await answer(run, "Rome");
    const file = await home.executor.runs.export(run.id);
    const store = memoryStore();
    const tabs = [place({ store }), place({ store }), place({ store })];
    const results = await Promise.allSettled(tabs.map(({ executor }) => executor.runs.import(file)));
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "RUN_ACTIVE" });
    expect((await tabs[0]!.executor.runs.list()).items.length).toBe(2);
    const moved = await tabs[1]!.executor.open(run.id);
    await answer(moved, "A 12");
    expect(await moved.settled()).toMatchObject({ status: "success", outputs: OUTPUTS });
  });
});

describe("rule 46: a run from elsewhere whose definition is not loaded here", () => {
  async function stranger(workflows = [] as (typeof trip)[]) {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    const file = await home.executor.runs.export(run.id);
    const away = place({ workflows });
    return { file, away, run: await away.executor.runs.import(file) };
  }

  test("can be read, and does not go on", async () => {
    const { away, run } = await stranger();
    const [pause] = run.getSnapshot().pauses;
    const before = JSON.stringify([await away.store.head(run.id), await away.store.read(run.id)]);
    const untrusted = { code: "DEFINITION_UNTRUSTED", details: { workflow: "trip" } };
    await expect(run.answer(pause!.id, "Rome")).rejects.toMatchObject(untrusted);
    await expect(run.resume()).rejects.toMatchObject(untrusted);
    await expect(away.executor.resume(pause!.id, "Rome")).rejects.toMatchObject(untrusted);
    await expect(away.executor.resume(pause!.id, "Rome", { fork: true })).rejects.toMatchObject(untrusted);
    await expect(away.executor.answer(pause!.id, "Rome")).rejects.toMatchObject(untrusted);
    await expect(run.cancel()).rejects.toMatchObject(untrusted);
    expect((await run.settled()).status).toBe("paused");
    expect(JSON.stringify([await away.store.head(run.id), await away.store.read(run.id)])).toBe(before);
    expect(away.packed).toEqual([]);
  });

  test("does not go on with another definition of that name", async () => {
    const { run } = await stranger([{ ...trip, description: "another one" }, passport]);
    await expect(answer(run, "Rome")).rejects.toMatchObject({ code: "DEFINITION_UNTRUSTED" });
  });

  test("goes on once the definition is loaded, and then in every executor", async () => {
    const { away, run } = await stranger();
    for (const workflow of [structuredClone(trip), passport]) await away.executor.load(workflow);
    expect(await answer(run, "Rome")).toBe("paused");
    expect((await away.store.head(run.id))!.imported).toBeUndefined();
    const other = place({ store: away.store, workflows: [] });
    const again = await other.executor.open(run.id);
    expect(again.getSnapshot().pauses[0]!.prompt).toBe("Its number?");
  });

  test("goes on where it is accepted, then or later", async () => {
    const { file, away, run } = await stranger([passport]);
    await expect(answer(run, "Rome")).rejects.toMatchObject({ code: "DEFINITION_UNTRUSTED" });
    await away.executor.runs.import(file, { accept: true });
    expect(await answer(run, "Rome")).toBe("paused");
  });

  test("holds for called runs that a crash left in the middle: no block of them is executed, and their caller does not fail", async () => {
    const inner = { ...passport, blocks: [{ id: "pack", type: "Pack", inputs: { of: "papers" } }], outputs: {} };
    const outer = { ...trip, blocks: [{ id: "papers", type: "ExecuteWorkflow", inputs: { workflow: "passport" } }], outputs: {} };
    const store = memoryStore();
    const broken = place({ store: faultyStore(store, failAt(6, { times: "forever" })), workflows: [outer, inner] });
    const begun = await broken.executor.start("trip");
    await expect(begun.settled()).rejects.toMatchObject({ code: "STORE_FAILED" });
    const home = place({ store, workflows: [outer, inner] });
    const file = await home.executor.runs.export(begun.id);
    expect(file).toContain('{"type":"called"');
    const away = place({ workflows: [outer] });
    const run = await away.executor.runs.import(file);
    await expect(run.resume()).rejects.toMatchObject({ code: "DEFINITION_UNTRUSTED", details: { workflow: "passport" } });
    expect([away.packed, run.getSnapshot().status]).toEqual([[], "running"]);
    await away.executor.load(inner);
    expect(await run.resume()).toMatchObject({ status: "success" });
    expect(away.packed).toEqual(["papers"]);
  });

  test("holds for the runs it called", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await answer(run, "Rome");
    const away = place({ workflows: [trip] });
    const moved = await away.executor.runs.import(await home.executor.runs.export(run.id));
    await expect(answer(moved, "A 12")).rejects.toMatchObject({ code: "DEFINITION_UNTRUSTED", details: { workflow: "passport" } });
    await away.executor.load(passport);
    await answer(moved, "A 12");
    expect(await moved.settled()).toMatchObject({ status: "success", outputs: OUTPUTS });
  });
});

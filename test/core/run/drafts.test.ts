import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  invalid,
  pause,
  WorkflowError,
  type Block,
  type ExecutorOptions,
  type Pause,
  type Run,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";

const question = (id = "ask", more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

let seed = 1;

function executorFor(store: Store, workflows: readonly Workflow[] = [], options: Partial<ExecutorOptions> = {}) {
  return createExecutor({ store, workflows, host: fakeHost({ seed: (seed += 1) }), ...options });
}

async function asked(workflows: readonly Workflow[] = [flow(question())], store: Store = memoryStore()) {
  const executor = executorFor(store, workflows);
  const run = await executor.start(workflows.at(-1)!.name);
  const { pauses } = await run.settled();
  return { store, executor, run, pause: pauses![0]! };
}

const shown = (run: Run): readonly (Value | undefined)[] => run.getSnapshot().pauses.map(({ draft }) => draft);

async function kept(store: Store, run: string): Promise<readonly string[]> {
  return (await store.notes(run, "draft.")).map(({ key }) => key);
}

describe("a draft", () => {
  test("is shown at once, and as it was saved last", async () => {
    const { run, pause: open } = await asked();
    expect(run.getSnapshot().pauses[0]).not.toHaveProperty("draft");
    await run.saveDraft(open.id, "A");
    await run.saveDraft(open.id, "Ad");
    expect(shown(run)).toEqual(["Ad"]);
    expect((await run.settled()).pauses![0]!.draft).toBe("Ad");
  });

  test("is never checked: it may be of any kind", async () => {
    const { run, pause: open } = await asked();
    for (const draft of [null, 5, false, "", ["x"], { name: "", deep: { more: [null] } }]) {
      await run.saveDraft(open.id, draft);
      expect(shown(run)).toEqual([draft]);
    }
  });

  test("is gone where undefined is saved", async () => {
    const { store, run, pause: open } = await asked();
    await run.saveDraft(open.id, "A");
    await run.saveDraft(open.id, undefined);
    expect(run.getSnapshot().pauses[0]).not.toHaveProperty("draft");
    expect(await kept(store, run.id)).toEqual([]);
  });

  test("tells subscribers, and changes the pause alone", async () => {
    const { run } = await asked([flow(question(), question("other"))]);
    const [ask, other] = run.getSnapshot().pauses as [Pause, Pause];
    const seen: (readonly (Value | undefined)[])[] = [];
    run.subscribe((view) => seen.push(view.pauses.map(({ draft }) => draft)));
    await run.saveDraft(ask.id, "A");
    await expect.poll(() => seen.at(-1)).toEqual(["A", undefined]);
    expect(run.getSnapshot().pauses[1]).toBe(other);
    const before = run.getSnapshot();
    await run.saveDraft(ask.id, "A");
    await run.refresh();
    expect(run.getSnapshot()).toBe(before);
  });

  test("is no longer that of its caller: later changes to the object do not show", async () => {
    const { run, pause: open } = await asked();
    const form = { name: "A" };
    await run.saveDraft(open.id, form);
    form.name = "B";
    expect(shown(run)).toEqual([{ name: "A" }]);
  });

  test("of more than 65,536 characters is refused, and the one before stays", async () => {
    const { run, pause: open } = await asked();
    await run.saveDraft(open.id, "A");
    await expect(run.saveDraft(open.id, "x".repeat(65_535))).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", details: { limit: 65_536 } });
    await run.saveDraft(open.id, "x".repeat(65_534));
    expect(String(shown(run)[0])).toHaveLength(65_534);
  });

  test("that is no plain JSON is refused", async () => {
    const { run, pause: open } = await asked();
    await expect(run.saveDraft(open.id, (() => {}) as unknown as Value)).rejects.toMatchObject({ code: "VALUE_UNSERIALIZABLE" });
    expect(shown(run)).toEqual([undefined]);
  });

  test("takes part in nothing: the journal and the head stay as they are", async () => {
    const { store, run, pause: open } = await asked();
    const before = [await store.read(run.id), await store.head(run.id)];
    await run.saveDraft(open.id, "A");
    expect([await store.read(run.id), await store.head(run.id)]).toEqual(before);
  });
});

describe("a draft in other tabs and after a restart", () => {
  test("is there when the run is opened", async () => {
    const { store, executor, run, pause: open } = await asked();
    await run.saveDraft(open.id, { name: "Ad" });
    await executor.close();
    const again = await executorFor(store).open(run.id);
    expect(shown(again)).toEqual([{ name: "Ad" }]);
  });

  test("is seen on refresh, and the last writer wins", async () => {
    const { store, run, pause: open } = await asked();
    const other = await executorFor(store).open(run.id);
    await run.saveDraft(open.id, "mine");
    expect(shown(other)).toEqual([undefined]);
    await other.refresh();
    expect(shown(other)).toEqual(["mine"]);
    await other.saveDraft(open.id, "yours");
    await run.refresh();
    expect(shown(run)).toEqual(["yours"]);
  });

  test("that is damaged in the store is left out; the run can be answered", async () => {
    const { store, run, pause: open } = await asked();
    for (const text of ["{", "x".repeat(70_000), "[".repeat(300) + "]".repeat(300)]) {
      await store.putNote(run.id, "draft.0", text);
      const again = await executorFor(store).open(run.id);
      expect(shown(again)).toEqual([undefined]);
    }
    expect((await run.answer(open.id, "me")).status).toBe("success");
  });

  test("costs no reading where the run is not looked at", async () => {
    const store = memoryStore();
    let reads = 0;
    const counted: Store = {
      ...store,
      notes: (id, prefix) => {
        reads += 1;
        return store.notes(id, prefix);
      },
    };
    const { run, pause: open } = await asked([flow(question())], counted);
    expect((await run.answer(open.id, "me")).status).toBe("success");
    expect((await executorFor(counted).answer(open.id, "me")).status).toBe("success");
    expect(reads).toBe(0);
  });
});

describe("a draft ends", () => {
  test("in the same step that accepts the answer", async () => {
    const inside = memoryStore();
    const { run, pause: open } = await asked([flow(question(), question("next", { dependsOn: ["ask"] }))], inside);
    await run.saveDraft(open.id, "A");
    const commits: { readonly answers: boolean; readonly drops: readonly string[] | undefined }[] = [];
    const watched: Store = {
      ...inside,
      commit: (commit) => {
        commits.push({ answers: commit.entries.some((text) => text.includes('"answered"')), drops: commit.dropNotes });
        return inside.commit(commit);
      },
    };
    await executorFor(watched).answer(open.id, "Ada");
    expect(commits.filter(({ answers }) => answers)).toEqual([{ answers: true, drops: ["draft.0"] }]);
    expect(commits.filter(({ answers, drops }) => !answers && drops)).toEqual([]);
    expect(await kept(inside, run.id)).toEqual([]);
  });

  test("not with an answer that is refused", async () => {
    const { store, run, pause: open } = await asked();
    await run.saveDraft(open.id, "A");
    expect((await run.answer(open.id, "")).status).toBe("failure");
    expect(shown(run)).toEqual(["A"]);
    expect(await kept(store, run.id)).toEqual(["draft.0"]);
  });

  test("not with an answer that could not be stored", async () => {
    const inside = memoryStore();
    const { run, pause: open } = await asked([flow(question())], inside);
    await run.saveDraft(open.id, "A");
    const failing = executorFor(faultyStore(inside, failAt(1)));
    await expect(failing.answer(open.id, "Ada")).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(shown(await executorFor(inside).open(run.id))).toEqual(["A"]);
  });

  test("not with an answer that could not be stored, in the tab that gave it either", async () => {
    const inside = memoryStore();
    let isFull = false;
    const full = (): Promise<never> => Promise.reject(new WorkflowError("STORE_QUOTA", "Full."));
    const { run, pause: open } = await asked([flow(question())], {
      ...inside,
      commit: (commit) => (isFull ? full() : inside.commit(commit)),
    });
    await run.saveDraft(open.id, "A");
    const seen: (readonly (Value | undefined)[])[] = [];
    run.subscribe((view) => seen.push(view.pauses.map(({ draft }) => draft)));
    isFull = true;
    await expect(run.answer(open.id, "Ada")).rejects.toMatchObject({ code: "STORE_QUOTA" });
    expect(shown(run)).toEqual(["A"]);
    expect(seen.at(-1)).toEqual(["A"]);
    isFull = false;
    expect((await run.answer(open.id, "Ada")).status).toBe("success");
    expect(seen.at(-1)).toEqual([]);
  });

  test("with an answer that the block refuses, though the same question waits again", async () => {
    const picky = defineBlock({ type: "Picky", execute: () => pause({ prompt: "?" }), resume: () => invalid("no") });
    const store = memoryStore();
    const run = await executorFor(store, [flow({ id: "ask", type: "Picky" })], { blocks: [picky] }).start("flow");
    const [open] = (await run.settled()).pauses!;
    await run.saveDraft(open!.id, "A");
    expect((await run.answer(open!.id, "Ada")).error).toMatchObject({ code: "RESPONSE_INVALID" });
    expect(run.getSnapshot().pauses.map(({ id }) => id)).toEqual([open!.id]);
    expect(shown(run)).toEqual([undefined]);
    expect(await kept(store, run.id)).toEqual([]);
  });

  test.each<[string, (run: Run, pause: string) => Promise<unknown>]>([
    ["declined", (run, id) => run.decline(id)],
    ["cancelled", (run, id) => run.decline(id, { action: "cancel" })],
  ])("with a question that is %s", async (_, end) => {
    const { store, run, pause: open } = await asked();
    await run.saveDraft(open.id, "A");
    await end(run, open.id);
    expect(await kept(store, run.id)).toEqual([]);
  });

  test("with a run that is cancelled, for all of its questions", async () => {
    const { store, run } = await asked([flow(question(), question("other"))]);
    for (const { id } of run.getSnapshot().pauses) await run.saveDraft(id, "A");
    await run.cancel();
    expect(await kept(store, run.id)).toEqual([]);
  });

  test("with a pause that is deleted", async () => {
    const { store, executor, run, pause: open } = await asked();
    await run.saveDraft(open.id, "A");
    await executor.checkpoints.delete(open.id);
    expect(await kept(store, run.id)).toEqual([]);
  });

  test.each(["skip", "fail", { answer: "no name" }] as const)("with the time of its question: %j", async (onTimeout) => {
    const host = fakeHost({ seed: (seed += 1) });
    const store = memoryStore();
    const run = await executorFor(store, [flow(question("ask", { answerTimeoutMs: 1_000, onTimeout }))], { host }).start("flow");
    const { pauses } = await run.settled();
    await run.saveDraft(pauses![0]!.id, "A");
    await host.advance(1_000);
    await run.settled();
    expect(await kept(store, run.id)).toEqual([]);
  });

  test("where the history is let go too", async () => {
    const store = memoryStore();
    const executor = executorFor(store, [flow(question(), question("next", { dependsOn: ["ask"] }))], { policy: { retention: "latest" } });
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    await run.saveDraft(pauses![0]!.id, "A");
    await run.answer(pauses![0]!.id, "Ada");
    expect(await kept(store, run.id)).toEqual([]);
  });
});

test("a draft ends with a question whose end replaces the history", async () => {
  const host = fakeHost({ seed: (seed += 1) });
  const store = memoryStore();
  const policy = { durability: "exit", retention: "latest" } as const;
  const workflow = flow(
    question("ask", { answerTimeoutMs: 1_000, onTimeout: "skip" }),
    question("next", { dependsOn: [{ block: "ask", required: false }] }),
  );
  const run = await executorFor(store, [workflow], { host, policy }).start("flow");
  const { pauses } = await run.settled();
  await run.saveDraft(pauses![0]!.id, "A");
  await host.advance(1_000);
  await expect.poll(() => run.getSnapshot().pauses.map(({ prompt }) => prompt)).toEqual(["next?"]);
  await run.settled();
  expect(await kept(store, run.id)).toEqual([]);
});

describe("a draft that comes too late", () => {
  test("is refused, and nothing of it stays", async () => {
    const { store, run, pause: open } = await asked([flow(question(), question("next", { dependsOn: ["ask"] }))]);
    await run.answer(open.id, "Ada");
    await expect(run.saveDraft(open.id, "A")).rejects.toMatchObject({ code: "PAUSE_ALREADY_ANSWERED" });
    expect(await kept(store, run.id)).toEqual([]);
  });

  test("is refused also where this tab does not know of the answer", async () => {
    const { store, run, pause: open } = await asked([flow(question(), question("next", { dependsOn: ["ask"] }))]);
    const other = executorFor(store);
    await other.answer(open.id, "Ada");
    await expect(run.saveDraft(open.id, "A")).rejects.toMatchObject({ code: "PAUSE_ALREADY_ANSWERED" });
    expect(await kept(store, run.id)).toEqual([]);
    expect(run.getSnapshot().pauses).toMatchObject([{ prompt: "next?" }]);
  });

  test("is refused for a pause that there is not, and for a run that was cancelled", async () => {
    const { run, pause: open } = await asked();
    await expect(run.saveDraft("pause_other.0", "A")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    await expect(run.saveDraft(open.id.replace(".0", ".5"), "A")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    await run.cancel();
    await expect(run.saveDraft(open.id, "A")).rejects.toMatchObject({ code: "PAUSE_ALREADY_ANSWERED" });
  });

  test("is kept for a question that another tab has learnt of later", async () => {
    const { store, run, pause: open } = await asked([flow(question(), question("next", { dependsOn: ["ask"] }))]);
    const { pauses } = await executorFor(store).answer(open.id, "Ada");
    await run.saveDraft(pauses![0]!.id, "N");
    expect(shown(run)).toEqual(["N"]);
  });
});

describe("the draft of a called workflow's question", () => {
  const workflows: readonly Workflow[] = [
    { name: "inner", blocks: [question()] },
    { name: "outer", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } }] },
  ];

  test("is kept with the run that the page holds, and ends with the answer", async () => {
    const { store, run, pause: open } = await asked(workflows);
    await run.saveDraft(open.id, "A");
    const again = await executorFor(store).open(run.id);
    expect(shown(again)).toEqual(["A"]);
    await again.answer(open.id, "Ada");
    expect(await kept(store, run.id)).toEqual([]);
  });

  test("ends also where the called run is answered by itself", async () => {
    const { store, run, pause: open, executor } = await asked(workflows);
    await run.saveDraft(open.id, "A");
    const child = await executor.open(`${run.id}/call`);
    await child.answer(child.getSnapshot().pauses[0]!.id, "Ada");
    await run.settled();
    expect(await kept(store, run.id)).toEqual([]);
  });
});

test("D15: a draft for which there is no room says so; what was saved before stays", async () => {
  const inside = memoryStore();
  const { run, pause: open } = await asked([flow(question())], inside);
  await run.saveDraft(open.id, "A");
  const full = await executorFor(faultyStore(inside, failAt(1, { code: "STORE_QUOTA" }))).open(run.id);
  await expect(full.saveDraft(open.id, "Ad")).rejects.toMatchObject({ code: "STORE_QUOTA" });
  await full.refresh();
  expect(shown(full)).toEqual(["A"]);
  await full.saveDraft(open.id, "Ada");
  expect(shown(full)).toEqual(["Ada"]);
});

test("S10: what is secret in a draft is masked, in the store and in the view", async () => {
  const store = memoryStore();
  const workflow: Workflow = { ...flow(question()), inputs: { token: { type: "string", secret: true } } };
  const run = await executorFor(store, [workflow]).start("flow", { token: "open-sesame" });
  const { pauses } = await run.settled();
  await run.saveDraft(pauses![0]!.id, { note: "the word is open-sesame" });
  const texts = (await store.notes(run.id)).map(({ text }) => text).join();
  expect(texts).toContain("the word is");
  expect(texts + JSON.stringify(run.getSnapshot())).not.toContain("sesame");
});

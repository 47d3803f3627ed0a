import { describe, expect, test } from "vitest";
import { copyStore, createExecutor, defineBlock, success, type Run, type Store, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";
import { keyBytes } from "../encryption/keys.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
/** More than stands in an entry. */
const large = (text: string): string => text.repeat(40_000);

const executed: string[] = [];
const blocks = [
  defineBlock({
    type: "Write",
    async execute({ block, inputs, files }) {
      executed.push(block);
      for (const [name, text] of Object.entries(inputs)) await files.write(name, bytesOf(large(String(text))), { type: "text/plain" });
      return success({});
    },
  }),
  defineBlock({
    type: "Read",
    async execute({ block, inputs, files }) {
      executed.push(block);
      const names = Object.keys(inputs);
      const found = await Promise.all(names.map(async (name) => textOf((await files.read(name)).bytes).slice(0, 20)));
      return success({ found });
    },
  }),
];

/** Two answers, a file made of each, one block for each that reads it without saying so in its inputs, and a last question. */
const album: Workflow = {
  name: "album",
  blocks: [
    { id: "one", type: "GetInput", inputs: { prompt: "One?" } },
    { id: "two", type: "GetInput", inputs: { prompt: "Two?" } },
    { id: "writeOne", type: "Write", dependsOn: ["one"], inputs: { one: "${blocks.one.input_value}" } },
    { id: "writeTwo", type: "Write", dependsOn: ["two"], inputs: { two: "${blocks.two.input_value}", both: "x" } },
    { id: "next", type: "EchoBlock", dependsOn: ["writeOne", "writeTwo"], inputs: { message: "next" } },
    { id: "readOne", type: "Read", dependsOn: ["next"], inputs: { one: "" } },
    { id: "readTwo", type: "Read", dependsOn: ["next"], inputs: { two: "", both: "" } },
    { id: "sure", type: "ConfirmOperation", dependsOn: ["readOne", "readTwo"], inputs: { message: "Sure?" } },
  ],
  outputs: { one: "${blocks.readOne.found}", two: "${blocks.readTwo.found}", file: "${blocks.writeOne.files.one}" },
};

let executors = 0;

/** Each has ids of its own. */
function executorOn(store: Store, policy: NonNullable<Parameters<typeof createExecutor>[0]["policy"]> = {}) {
  return createExecutor({ store, blocks, workflows: [album], policy, host: fakeHost({ autoAdvance: true, seed: ++executors }) });
}

const pauseOf = (run: Run, path: string): string => run.getSnapshot().pauses.find((pause) => pause.path[0] === path)!.id;

async function asked(store: Store, policy = {}): Promise<Run> {
  const run = await executorOn(store, policy).start("album");
  await run.settled();
  await run.answer({ [pauseOf(run, "one")]: "a", [pauseOf(run, "two")]: "b" });
  return run;
}

async function filesOf(run: Run): Promise<Record<string, string>> {
  const files = await run.files();
  const contents = await Promise.all(
    files.map(async ({ name }) => [name, textOf((await run.readFile(name)).bytes).replace(/^(.)\1+$/, "$1")] as const),
  );
  return Object.fromEntries(contents.toSorted());
}

const ALL = { one: "a", two: "b", both: "x" };

describe("D13: files of a run", () => {
  test("a revision takes back those of the steps it opens, keeps the others, and runs again what had read them", async () => {
    const run = await asked(memoryStore());
    const pause = (await run.answers()).find(({ block }) => block === "one")!.pause!;
    executed.length = 0;
    const preview = await run.previewRevise(pause, "c");
    expect(preview.rerun).toEqual(expect.arrayContaining(["writeOne"]));
    await run.revise(pause, "c");
    expect(executed.toSorted()).toEqual(["readOne", "writeOne"]);
    expect(await filesOf(run)).toEqual({ ...ALL, one: "c" });
    // The same again changes nothing.
    executed.length = 0;
    await run.revise(pause, "c");
    expect(executed).toEqual([]);
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    expect(result.outputs).toMatchObject({ one: ["c".repeat(20)], file: { name: "one", size: 40_000 } });
  });

  test.each(["full", "latest"] as const)(
    "forks have them, also when the run they come from is deleted, retention %s",
    async (retention) => {
      const store = memoryStore();
      const run = await asked(store, { retention });
      const fork = await executorOn(store, { retention }).fork(run.getSnapshot().pauses[0]!.id);
      await fork.settled();
      const executor = executorOn({ ...store, sweepBlobs: (keep) => store.sweepBlobs(keep, Number.MAX_SAFE_INTEGER) }, { retention });
      await executor.runs.delete(run.id);
      await executor.cleanup();
      expect(await filesOf(await executor.open(fork.id))).toEqual(ALL);
      await executor.runs.delete(fork.id);
      await executor.cleanup();
      expect(await store.sweepBlobs(new Set(), Number.MAX_SAFE_INTEGER)).toBe(0);
    },
  );

  test("exports, stores that are copied, and stores with a key have them, and nothing of them stands in the clear there", async () => {
    const written: string[] = [];
    const inner = memoryStore();
    const spied: Store = {
      ...inner,
      putBlob: async (hash, content) => {
        written.push(typeof content === "string" ? content : String.fromCharCode(...content.subarray(0, 2_000)));
        return inner.putBlob(hash, content);
      },
      commit: async (commit) => {
        written.push(JSON.stringify(commit));
        return inner.commit(commit);
      },
    };
    const sealed = await encryptedStore(spied, { key: keyBytes(1) });
    const run = await asked(sealed);
    expect(await filesOf(run)).toEqual(ALL);
    expect(written.filter((text) => text.includes("aaaaaaaa"))).toEqual([]);

    const away = executorOn(memoryStore());
    const moved = await away.runs.import(await executorOn(sealed).runs.export(run.id));
    expect(await filesOf(moved)).toEqual(ALL);
    const result = await moved.answer(moved.getSnapshot().pauses[0]!.id, "yes");
    expect(result).toMatchObject({ status: "success", outputs: { file: { size: 40_000 } } });

    const copy = memoryStore();
    await copyStore(sealed, copy);
    expect(await filesOf(await executorOn(copy).open(run.id))).toEqual(ALL);
  });

  test("bases and snapshots have them: a run whose past is shortened goes on with its files", async () => {
    const store = memoryStore();
    const run = await asked(store, { retention: "latest" });
    const again = await executorOn(store, { retention: "latest" }).open(run.id);
    expect(await filesOf(again)).toEqual(ALL);
    expect(await again.answer(again.getSnapshot().pauses[0]!.id, "yes")).toMatchObject({
      status: "success",
      outputs: { two: ["b".repeat(20), "x".repeat(20)] },
    });
  });

  test("a process may die at any write: nothing is lost, and what is left dangling goes with a cleanup", async () => {
    const counting = faultyStore(memoryStore());
    await asked(counting);
    expect(counting.writes).toBeGreaterThan(5);
    for (let write = 1; write <= counting.writes; write++) {
      for (const when of ["before", "after"] as const) {
        const store = memoryStore();
        const dying = faultyStore(store, failAt(write, { when, times: "forever" }));
        let id: string | undefined;
        try {
          id = (await asked(dying)).id;
        } catch {
          id = (await store.runs()).items[0]?.id;
        }
        if (id === undefined) continue;
        const executor = executorOn({ ...store, sweepBlobs: (keep) => store.sweepBlobs(keep, Number.MAX_SAFE_INTEGER) });
        await executor.cleanup();
        const run = await executor.open(id);
        await run.resume();
        for (const { id: pause, path } of run.getSnapshot().pauses) {
          const answer = { one: "a", two: "b", sure: "yes" }[path[0]!]!;
          await run.answer(pause, answer);
        }
        for (const { id: pause } of run.getSnapshot().pauses) await run.answer(pause, "yes");
        expect([write, when, run.getSnapshot().status, await filesOf(run)]).toEqual([write, when, "completed", ALL]);
        await executor.runs.delete(id);
        await executor.cleanup();
        expect(await store.sweepBlobs(new Set(), Number.MAX_SAFE_INTEGER)).toBe(0);
      }
    }
  });

  test("a full store fails the write, says so, and keeps what was there", async () => {
    const store = memoryStore();
    const run = await executorOn(store).start("album");
    await run.settled();
    const full = faultyStore(store, failAt(1, { code: "STORE_QUOTA", times: "forever" }));
    const again = await executorOn(full).open(run.id);
    await expect(again.answer(pauseOf(again, "one"), "a")).rejects.toMatchObject({ code: "STORE_QUOTA" });
    const later = await executorOn(store).open(run.id);
    await later.answer({ [pauseOf(later, "one")]: "a", [pauseOf(later, "two")]: "b" });
    expect(await filesOf(later)).toEqual(ALL);
  });

  test("bytes that the store lost or changed make the read fail, and no other run", async () => {
    const store = memoryStore();
    const run = await asked(store);
    const lossy = executorOn({
      ...store,
      getBlob: async (hash) => (hash === run.getSnapshot().files![0]!.hash ? undefined : store.getBlob(hash)),
    });
    const opened = await lossy.open(run.id);
    await expect(opened.readFile("one")).rejects.toMatchObject({ code: "RUN_CORRUPT" });
    expect(textOf((await opened.readFile("two")).bytes)).toContain("bb");
  });
});

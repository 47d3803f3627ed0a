import { describe, expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore, runWriter } from "wavepoint/testing";
import { sharedStore } from "../support/shared-store.ts";
import { keyBytes } from "./keys.ts";

const KEY = { key: keyBytes(1) };

const WIZARD: Workflow = {
  name: "wizard",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Your name?" } },
    { id: "town", type: "GetInput", inputs: { prompt: "Where do you live, ${blocks.name.outputs.input_value}?" }, dependsOn: ["name"] },
    { id: "end", type: "EchoBlock", inputs: { message: "Bye" }, dependsOn: ["town"] },
  ],
  outputs: { town: { value: "${blocks.town.outputs.input_value}" } },
};

test("a run is begun in one tab, answered in another, and ended in a third that has the key", async () => {
  const view = sharedStore(memoryStore());
  const tab = async () => createExecutor({ store: await encryptedStore(view(), KEY), workflows: [WIZARD] });
  const first = await (await tab()).start("wizard");
  await first.settled();
  const [listed] = (await (await tab()).runs.list({ status: "paused" })).items;
  expect(listed!.pauses).toMatchObject([{ prompt: "Your name?" }]);
  const second = await (await tab()).open(first.id);
  await second.answer(second.getSnapshot().pauses[0]!.id, "Ada");
  const third = await (await tab()).open(first.id);
  const [pause] = third.getSnapshot().pauses;
  expect(pause!.prompt).toBe("Where do you live, Ada?");
  expect(await third.answer(pause!.id, "Oslo")).toMatchObject({ status: "success", outputs: { town: "Oslo" } });
  await first.refresh();
  expect(first.getSnapshot().status).toBe("completed");
});

test("two tabs that answer the same question: one wins, and the run stays readable", async () => {
  const view = sharedStore(memoryStore());
  const tab = async () => createExecutor({ store: await encryptedStore(view(), KEY), workflows: [WIZARD] });
  const run = await (await tab()).start("wizard");
  await run.settled();
  const pause = run.getSnapshot().pauses[0]!.id;
  const others = await Promise.all([(await tab()).open(run.id), (await tab()).open(run.id)]);
  const outcomes = await Promise.all(others.map((one, i) => one.answer(pause, `tab ${i}`)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["failure", "paused"]);
  const winner = outcomes.findIndex(({ status }) => status === "paused");
  const fresh = await (await tab()).open(run.id);
  expect(fresh.getSnapshot().pauses[0]!.prompt).toBe(`Where do you live, tab ${winner}?`);
});

describe("a commit that fails", () => {
  test.each(["before", "after"] as const)("%s it was written leaves a chain that goes on", async (when) => {
    const inner = memoryStore();
    const store = await encryptedStore(faultyStore(inner, failAt(4, { when })), KEY);
    const writer = runWriter(store, "run_a");
    for (let entry = 0; entry < 2; entry++) await writer.commit([`entry ${entry}`]);
    await expect(writer.commit(["entry 2"])).rejects.toMatchObject({ code: "STORE_FAILED" });
    const known = await store.head("run_a");
    expect(known!.entries).toBe(when === "before" ? 2 : 3);
    await runWriter(store, "run_a", known).commit(["one more"]);
    const texts = ["entry 0", "entry 1", ...(when === "before" ? [] : ["entry 2"]), "one more"];
    expect(await (await encryptedStore(inner, KEY)).read("run_a")).toEqual(texts);
  });

  test("because another tab was first does not mislead those behind it", async () => {
    const view = sharedStore(memoryStore());
    const [one, other] = [await encryptedStore(view(), KEY), await encryptedStore(view(), KEY)];
    await runWriter(one, "run_a").commit(["entry 0"]);
    for (let round = 0; round < 20; round++) {
      const seen = await one.head("run_a");
      const rivals = [one, other, one, other].map((store, i) => runWriter(store, "run_a", seen).commit([`round ${round}, rival ${i}`]));
      const outcomes = await Promise.allSettled(rivals);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
    expect(await one.read("run_a")).toEqual(await other.read("run_a"));
    expect(await one.read("run_a")).toHaveLength(21);
  });
});

test("a run that another tab deleted and began again is gone on with as it is now", async () => {
  const view = sharedStore(memoryStore());
  const [one, other] = [await encryptedStore(view(), KEY), await encryptedStore(view(), KEY)];
  await runWriter(one, "run_a").commit(["before"]);
  await other.delete("run_a");
  await runWriter(other, "run_a").commit(["anew"]);
  await runWriter(one, "run_a", await one.head("run_a")).commit(["gone on"]);
  expect(await other.read("run_a")).toEqual(["anew", "gone on"]);
});

test("who reads while another tab writes, and puts bases, sees whole commits and no error", async () => {
  const view = sharedStore(memoryStore());
  const [mine, theirs] = [await encryptedStore(view(), KEY), await encryptedStore(view(), KEY)];
  const writer = runWriter(theirs, "run_a");
  await writer.commit(["entry 0"]);
  let isWriting = true;
  let reads = 0;
  const reading = (async () => {
    for (; isWriting; reads++) {
      const texts = await mine.read("run_a");
      const last = Number(/\d+$/.exec(texts.at(-1)!)![0]);
      texts.forEach((text, i) => expect(Number(/\d+$/.exec(text)![0])).toBe(last - texts.length + 1 + i));
    }
  })();
  for (let entry = 1; entry <= 150; entry++) {
    await writer.commit([`entry ${entry}`], entry % 3 === 0 ? { base: { at: entry, text: `base up to ${entry - 1}` } } : {});
  }
  isWriting = false;
  await reading;
  expect(reads).toBeGreaterThan(5);
});

test("a blob that is kept again is the same bytes, and another content under its hash other bytes throughout", async () => {
  const inner = memoryStore();
  const store = await encryptedStore(inner, KEY);
  const sealed = async (content: string): Promise<readonly number[]> => {
    await inner.sweepBlobs(new Set(), Number.MAX_SAFE_INTEGER);
    await store.putBlob("f00d", content);
    return [...((await inner.getBlob("f00d")) as Uint8Array)];
  };
  const [one, again, other] = [await sealed("a blob"), await sealed("a blob"), await sealed("b blob")];
  expect(again).toEqual(one);
  expect(other.slice(0, 12)).not.toEqual(one.slice(0, 12));
});

test("no two records have the same nonce, though they say the same", async () => {
  const inner = memoryStore();
  const store = await encryptedStore(inner, KEY);
  const writer = runWriter(store, "run_a");
  for (let i = 0; i < 40; i++) await writer.commit(["same", "same"]);
  const nonces = (await inner.read("run_a")).map((text) => text.slice(0, 16));
  expect(new Set(nonces).size).toBe(80);
});

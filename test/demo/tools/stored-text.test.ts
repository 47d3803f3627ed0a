import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { lookAtRun } from "../../../demo/tools/storage-look.ts";
import { bytesText, textBytes, unpacked } from "../../../demo/tools/stored-text.ts";

test("a size is shown in the unit that fits", () => {
  expect([0, 999, 1_000, 1_449, 99_999, 20_000_000, 7e12].map(bytesText)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "1.4 kB",
    "100 kB",
    "20 MB",
    "7 TB",
  ]);
});

test("bytes are those of UTF-8", () => {
  expect(textBytes("aé≠😀")).toBe(10);
});

test("a record that the engine compressed can be read, and says so", async () => {
  const store = memoryStore();
  const executor = createExecutor({ store });
  const message = "a wave and ".repeat(5_000);
  const run = await executor.start({ name: "long", blocks: [{ id: "echo", type: "EchoBlock", inputs: { message } }] });
  await run.settled();
  const look = await lookAtRun(store, executor, run.id, 50);
  const record = look?.records.find(({ type }) => type === "completed");
  expect(record).toMatchObject({ isPacked: true, text: expect.stringContaining("echo is done") });
  expect(record!.json).toContain(message);
  expect(record!.bytes).toBeLessThan(message.length / 4);
});

test("what only looks compressed is shown as it is", async () => {
  const text = '{"packed":"no base64!"}';
  expect(await unpacked(text)).toEqual({ plain: text, isPacked: true });
});

test("of a long journal the newest records are read, with their places", async () => {
  const store = memoryStore();
  const executor = createExecutor({ store });
  const blocks = Array.from({ length: 30 }, (_, index) => ({ id: `b${index}`, type: "EchoBlock", inputs: { message: "x" } }));
  const run = await executor.start({ name: "many", blocks });
  await run.settled();
  const look = await lookAtRun(store, executor, run.id, 5);
  const { entries } = look!.head;
  expect(entries).toBeGreaterThan(30);
  expect(look!.records.map(({ place }) => place)).toEqual([5, 4, 3, 2, 1].map((back) => entries - back));
  expect(look!.blobs.filter(({ isDefinition }) => isDefinition)).toHaveLength(1);
});

test("a run that is not there has nothing to be looked at", async () => {
  const store = memoryStore();
  expect(await lookAtRun(store, createExecutor({ store }), "run_gone", 5)).toBeUndefined();
});

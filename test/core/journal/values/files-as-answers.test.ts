import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  success,
  type Block,
  type FileValue,
  type Pause,
  type Run,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const DAY_MS = 86_400_000;

function file(text: string, more: Partial<FileValue> = {}): FileValue & Value {
  const bytes = new TextEncoder().encode(text);
  return { name: "note.txt", type: "text/plain", size: bytes.length, bytes, ...more } as never;
}

const form = (...fields: readonly object[]): Block => ({ id: "ask", type: "Form", inputs: { prompt: "A file?", fields: fields as never } });
const ONE = form({ name: "note", type: "file", accept: "text/*,.md", max_bytes: 20 });

const lengthOf = defineBlock({
  type: "LengthOf",
  inputs: { jsonSchema: { type: "object", properties: { file: {} } } },
  execute: ({ inputs }) => success({ length: (inputs.file as unknown as FileValue).bytes.length }),
});

const flow: Workflow = {
  name: "flow",
  blocks: [ONE, { id: "length", type: "LengthOf", dependsOn: ["ask"], inputs: { file: "${blocks.ask.note}" } }],
  outputs: { note: "${blocks.ask.note}", length: "${blocks.length.length}" },
};

async function begin(workflow: Workflow = flow, store: Store = memoryStore()) {
  const executor = createExecutor({ store, blocks: [lengthOf], workflows: [workflow] });
  const run = (await executor.start(workflow.name)) as Run;
  await run.settled();
  return { run, store, executor };
}

function open(run: Run): Pause {
  return run.getSnapshot().pauses[0]!;
}

function answering(run: Run, note: Value) {
  return run.answer(open(run).id, { note });
}

describe("a file as an answer", () => {
  test("is asked with its types and its greatest size", async () => {
    const { run } = await begin();
    expect(open(run).schema.properties).toEqual({
      note: { type: "object", format: "file", contentMediaType: "text/*,.md", maxLength: 20 },
    });
  });

  test("is what the block gives, and references hand on", async () => {
    const { run } = await begin();
    expect((await answering(run, file("hello"))).outputs).toEqual({ note: file("hello"), length: 5 });
    expect((await run.answers())[0]!.answer).toEqual({ note: file("hello") });
    expect((await run.steps())[0]!.outputs).toEqual({ note: file("hello") });
  });

  test("leaves its bytes beside the journal, however few, and once", async () => {
    const { run, store } = await begin();
    await answering(run, file("hello"));
    const texts = await store.read(run.id);
    expect(texts.join()).not.toContain(btoa("hello"));
    const blobs = (await store.head(run.id))!.blobs!;
    expect(blobs).toHaveLength(1);
    expect(await store.getBlob(blobs[0]!)).toEqual(file("hello").bytes);
    expect(texts.filter((text) => text.includes(blobs[0]!)).length).toBeGreaterThan(1);
  });

  test("is there again in another process", async () => {
    const { run, store } = await begin();
    await answering(run, file("hello"));
    const again = await createExecutor({ store, blocks: [lengthOf] }).open(run.id);
    expect(again.getSnapshot().outputs).toEqual({ note: file("hello"), length: 5 });
  });

  test.each<[string, Value, object]>([
    [
      "another type",
      file("x", { type: "image/png", name: "x.png" }),
      { code: "contentMediaType", params: { contentMediaType: "text/*,.md" } },
    ],
    ["too many bytes", file("x".repeat(21)), { code: "maxLength", params: { limit: 20 }, message: "must have at most 20 bytes" }],
    ["no bytes", { name: "a", type: "", size: 0 }, { code: "format", params: { format: "file" } }],
    ["a size that is not that of the bytes", file("x", { size: 7 }), { code: "format" }],
    ["numbers in the place of bytes", file("x", { bytes: [120] as never }), { code: "format" }],
    ["a text", "hello", { code: "format" }],
  ])("is refused with %s", async (_, note, error) => {
    const { run } = await begin();
    expect(await answering(run, note)).toMatchObject({
      status: "failure",
      error: { code: "RESPONSE_INVALID", details: { errors: [{ instancePath: "/note", ...error }] } },
    });
    expect((await answering(run, file("hello"))).status).toBe("success");
  });

  test.each<[string, FileValue & Value]>([
    ["a type with what it is written in", file("x", { type: "text/plain;charset=utf-8" })],
    ["the ending of a name", file("x", { type: "", name: "README.MD" })],
    ["nothing in it", file("")],
  ])("is taken with %s", async (_, note) => {
    const { run } = await begin();
    expect((await answering(run, note)).outputs!["note"]).toEqual(note);
  });

  test("may be one of several", async () => {
    const { run } = await begin({
      name: "flow",
      blocks: [form({ name: "notes", type: "file", multiple: true, max_items: 2 })],
      outputs: { notes: "${blocks.ask.notes}" },
    });
    const { id, schema } = open(run);
    expect(schema.properties).toEqual({ notes: { type: "array", items: { type: "object", format: "file" }, minItems: 1, maxItems: 2 } });
    const three = [file("a"), file("b"), { name: "c", type: "", size: 1 }];
    expect((await run.answer(id, { notes: [] })).error!.details).toMatchObject({ errors: [{ code: "minItems" }] });
    expect((await run.answer(id, { notes: three.slice(1) })).error!.details).toMatchObject({
      errors: [{ instancePath: "/notes/1", code: "format" }],
    });
    expect((await run.answer(id, { notes: three.slice(0, 2) })).outputs).toEqual({ notes: [file("a"), file("b")] });
  });

  test.each([
    [{ name: "a", type: "file", max_length: 3 }, "max_length"],
    [{ name: "a", type: "file", max_items: 3 }, "max_items"],
    [{ name: "a", accept: "image/*" }, "accept"],
    [{ name: "a", type: "integer", multiple: true }, "multiple"],
  ])("is not written as %j", async (field, rule) => {
    const executor = createExecutor({ store: memoryStore() });
    await expect(executor.load({ name: "flow", blocks: [form(field)] })).rejects.toMatchObject({
      code: "BLOCK_INPUT_INVALID",
      message: expect.stringContaining(`"${rule}" says nothing`) as string,
    });
  });

  test("goes along where the run is exported or handed over", async () => {
    const { run, executor } = await begin();
    await answering(run, file("hello"));
    const there = createExecutor({ store: memoryStore(), blocks: [lengthOf], workflows: [flow] });
    expect((await there.runs.import(await executor.runs.export(run.id))).getSnapshot().outputs).toMatchObject({ note: file("hello") });
    const third = createExecutor({ store: memoryStore(), blocks: [lengthOf], workflows: [flow] });
    const text = await executor.runs.transfer(run.id, { to: "there" });
    expect((await third.runs.import(text)).getSnapshot().outputs).toMatchObject({ note: file("hello") });
  });

  test("is kept in a fork, in a revision, and in the question that is opened again", async () => {
    const after: Block = { id: "after", type: "GetInput", dependsOn: ["length"], inputs: { prompt: "And?" } };
    const { run, executor } = await begin({ ...flow, blocks: [...flow.blocks, after] });
    const first = open(run).id;
    await answering(run, file("hello"));
    const fork = (await executor.fork(open(run).id)) as Run;
    await fork.settled();
    expect((await fork.answer(open(fork).id, "x")).outputs).toEqual({ note: file("hello"), length: 5 });
    await run.revise(first, { note: file("other!") });
    await run.back();
    expect(open(run)).toMatchObject({ prefill: { note: file("other!") }, earlier: { state: "ok" } });
    await run.answer(open(run).id, { note: file("other!") });
    expect((await run.answer(open(run).id, "y")).outputs).toEqual({ note: file("other!"), length: 6 });
  });

  test("is sealed where the store is", async () => {
    const bare = memoryStore();
    const store = await encryptedStore(bare, { passphrase: "a very long passphrase" });
    const { run } = await begin(flow, store);
    await answering(run, file("hello"));
    const again = await createExecutor({ store, blocks: [lengthOf] }).open(run.id);
    expect(again.getSnapshot().outputs).toMatchObject({ note: file("hello") });
    const blobs = (await store.head(run.id))!.blobs!;
    expect(await bare.getBlob(blobs[0]!)).not.toEqual(file("hello").bytes);
  });

  test("of a called workflow reaches its caller", async () => {
    const { run } = await begin(flow);
    await run.cancel();
    const executor = createExecutor({ store: memoryStore(), blocks: [lengthOf], workflows: [flow] });
    const outer = (await executor.start({
      name: "outer",
      blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "flow" } }],
      outputs: { note: "${blocks.call.note}" },
    })) as Run;
    await outer.settled();
    expect((await answering(outer, file("hello"))).outputs).toEqual({ note: file("hello") });
  });
});

describe("a draft with a file", () => {
  test("is kept over a restart, with its bytes beside it", async () => {
    const { run, store } = await begin();
    await run.saveDraft(open(run).id, { note: file("hello") });
    expect(open(run).draft).toEqual({ note: file("hello") });
    expect((await store.notes(run.id)).map(({ text }) => text).join()).not.toContain(btoa("hello"));
    const again = (await createExecutor({ store, blocks: [lengthOf] }).open(run.id)) as Run;
    expect(open(again).draft).toEqual({ note: file("hello") });
    const before = open(again).draft;
    await again.refresh();
    expect(open(again).draft).toBe(before);
    expect((await answering(again, open(again).draft!["note" as never])).outputs).toMatchObject({ length: 5 });
    expect(await store.notes(run.id)).toEqual([]);
  });

  test("keeps its bytes through a cleanup as long as it is there, and no longer", async () => {
    const host = fakeHost({ startAt: Date.now() + 2 * DAY_MS });
    const store = memoryStore();
    const executor = createExecutor({ store, host, workflows: [flow], blocks: [lengthOf] });
    const run = (await executor.start("flow")) as Run;
    await run.settled();
    await run.saveDraft(open(run).id, { note: file("hello") });
    expect(await executor.cleanup()).toMatchObject({ blobs: 0 });
    expect(open((await createExecutor({ store, blocks: [lengthOf] }).open(run.id)) as Run).draft).toEqual({ note: file("hello") });
    await run.saveDraft(open(run).id, undefined);
    expect(await executor.cleanup()).toMatchObject({ blobs: 1 });
  });

  test("goes along where drafts do", async () => {
    const { run, executor } = await begin();
    await run.saveDraft(open(run).id, { note: file("hello") });
    const there = createExecutor({ store: memoryStore(), blocks: [lengthOf], workflows: [flow] });
    const brought = (await there.runs.import(await executor.runs.export(run.id, { drafts: true }))) as Run;
    await brought.refresh();
    expect(open(brought).draft).toEqual({ note: file("hello") });
  });

  test("whose bytes are gone is as good as none", async () => {
    const { run, store } = await begin();
    await run.saveDraft(open(run).id, { note: file("hello") });
    await store.sweepBlobs(new Set([(await store.head(run.id))!.definition]), Number.MAX_SAFE_INTEGER);
    const again = (await createExecutor({ store, blocks: [lengthOf], workflows: [flow] }).open(run.id)) as Run;
    expect(open(again)).not.toHaveProperty("draft");
  });

  test("is there again after going back", async () => {
    const first: Block = { id: "first", type: "GetInput", inputs: { prompt: "First?" } };
    const { run } = await begin({ name: "flow", blocks: [first, { ...ONE, dependsOn: ["first"] }] });
    await run.answer(open(run).id, "x");
    await run.saveDraft(open(run).id, { note: file("hello") });
    await run.back();
    await run.answer(open(run).id, "y");
    expect(open(run).draft).toEqual({ note: file("hello") });
  });
});

describe("what a program gives for a file", () => {
  test.each<[what: string, given: unknown]>([
    ["a path", "note.txt"],
    ["bytes alone", new Uint8Array(3)],
    ["a file without its size", { name: "a", type: "text/plain", bytes: new Uint8Array(3) }],
    ["bytes as a list", { name: "a", type: "text/plain", size: 3, bytes: [1, 2, 3] }],
    ["a size that is not that of the bytes", { name: "a", type: "text/plain", size: 4, bytes: new Uint8Array(3) }],
  ])("is refused with what to give: %s", async (_, given) => {
    const { run } = await begin();
    const { error } = await answering(run, given as Value);
    expect(error!.code).toBe("RESPONSE_INVALID");
    expect(error!.message).toContain("note: Enter a file: { name, type, size, bytes }, its bytes as a Uint8Array of that size.");
    expect(error!.details!["errors"]).toMatchObject([{ instancePath: "/note", code: "format", params: { format: "file" } }]);
    expect((await answering(run, file("small"))).status).toBe("success");
  });

  test("as the platform has it says how to read its bytes", async () => {
    const { run } = await begin();
    const { error } = await answering(run, new File(["abc"], "a.txt", { type: "text/plain" }) as never);
    expect(error!.message).toBe(
      'The answer holds an instance of File at "note", which cannot be stored. Give { name, type, size, bytes }, with await file.bytes().',
    );
  });
});

import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type Pause, type Run, type Workflow } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { leftOpen } from "../../support/left-open.ts";

const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });
const ask = (inputs: Block["inputs"] = {}, more: Partial<Block> = {}): Block => ({
  id: "ask",
  type: "GetInput",
  inputs: { prompt: "Who?", ...inputs },
  ...more,
});
const call: Workflow = { name: "outer", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "flow" } }] };

async function begin(...workflows: readonly Workflow[]) {
  const store = memoryStore();
  const executor = createExecutor({ store, workflows });
  const run = await executor.start(workflows.at(-1)!.name);
  await run.settled();
  return { store, run, open: () => open(run), reread: () => createExecutor({ store }).open(run.id) };
}

function open(run: Run): Pause {
  return run.getSnapshot().pauses[0]!;
}

describe("a question", () => {
  test.each<[string, Block]>([
    ["GetInput", ask({ title: "A name", prefill: "Ada" })],
    ["Prompt", { ...ask({ title: "A name", prefill: "Ada" }), type: "Prompt" }],
    ["AskChoice", { id: "ask", type: "AskChoice", inputs: { question: "Who?", choices: ["Bob", "Ada"], title: "A name", prefill: "Ada" } }],
    [
      "Form",
      { id: "ask", type: "Form", inputs: { prompt: "Who?", fields: [{ name: "name" }], title: "A name", prefill: { name: "Ada" } } },
    ],
  ])("of %s carries its title and what the controls show at first, also when it is read again", async (type, block) => {
    const { open, reread } = await begin(flow(block));
    expect(open()).toMatchObject({ title: "A name", prefill: type === "Form" ? { name: "Ada" } : "Ada" });
    expect((await reread()).getSnapshot().pauses).toEqual([open()]);
  });

  test("of ConfirmOperation carries its title", async () => {
    const { open } = await begin(flow({ id: "ask", type: "ConfirmOperation", inputs: { message: "Now?", title: "The end" } }));
    expect(open().title).toBe("The end");
  });

  test("carries neither where the block says nothing", async () => {
    const { open } = await begin(flow(ask()));
    expect(Object.keys(open())).not.toEqual(expect.arrayContaining(["title"]));
    expect(open()).not.toHaveProperty("prefill");
    expect(open()).not.toHaveProperty("sensitive");
  });

  test("of a choice shows no choice that there is not", async () => {
    const inputs = { question: "Who?", choices: ["Bob"], prefill: "Ada" };
    const { open } = await begin(flow({ id: "ask", type: "AskChoice", inputs }));
    expect(open()).not.toHaveProperty("prefill");
  });

  test("may be filled in with more than JSON holds", async () => {
    const day = new Date("2026-11-21");
    const type = defineBlock({
      type: "Day",
      execute: () => pause({ prompt: "When?", prefill: { day } as never }),
      resume: () => success({}),
    });
    const store = memoryStore();
    const run = await createExecutor({ store, blocks: [type] }).start(flow({ id: "ask", type: "Day" }));
    await run.settled();
    expect(open(run).prefill).toEqual({ day });
    expect(open((await createExecutor({ store, blocks: [type] }).open(run.id)) as Run).prefill).toEqual({ day });
  });

  test("of a called workflow is passed on with all of it", async () => {
    const { open, reread } = await begin(
      flow(ask({ title: "A name", prefill: "Ada", sensitive: true }, { skippable: true, declinable: true })),
      call,
    );
    expect(open()).toMatchObject({ title: "A name", prefill: "Ada", sensitive: true, allows: { skip: true, decline: true } });
    expect((await reread()).getSnapshot().pauses).toEqual([open()]);
  });

  test("is prefilled with the earlier answer after going back, unless that no longer fits", async () => {
    const { run } = await begin(flow(ask({ prefill: "Bob" }), { ...ask({ prompt: "And?" }), id: "then", dependsOn: ["ask"] }));
    await run.answer(open(run).id, "Ada");
    await run.back();
    expect(open(run)).toMatchObject({ prefill: "Ada", earlier: { response: "Ada", state: "ok" } });
  });
});

describe("what is allowed at a question", () => {
  test("cancelling, going back once something was answered, and declining where its block says so", async () => {
    const { run } = await begin(flow(ask(), { ...ask({ prompt: "And?" }, { declinable: true }), id: "then", dependsOn: ["ask"] }));
    expect(open(run).allows).toEqual({ decline: false, cancel: true, back: false, skip: false });
    await run.answer(open(run).id, "Ada");
    expect(open(run).allows).toEqual({ decline: true, cancel: true, back: true, skip: false });
    expect(await run.back()).toMatchObject({ status: "paused" });
  });

  test("leaving it out, where its block says so: the block is skipped and what needs it too", async () => {
    const after: Block = { id: "after", type: "EchoBlock", dependsOn: ["ask"], inputs: { message: "x" } };
    const other: Block = { ...after, id: "other", dependsOn: [{ block: "ask", required: false }] };
    const { run, store } = await begin(flow(ask({}, { skippable: true }), after, other));
    expect((await run.decline(open(run).id, { action: "skip" })).status).toBe("success");
    expect((await run.steps()).map(({ block, status, skipped }) => [block, status, skipped?.kind])).toEqual([
      ["ask", "skipped", "left-out"],
      ["after", "skipped", "dependency"],
      ["other", "completed", undefined],
    ]);
    expect((await store.read(run.id)).map((text) => JSON.parse(text) as object)).toContainEqual(
      expect.objectContaining({ type: "answered", response: null, action: "skip" }),
    );
    expect(await run.answers()).toMatchObject([{ block: "ask", status: "declined" }]);
    expect((await createExecutor({ store }).open(run.id)).getSnapshot().status).toBe("completed");
  });

  test("leaving it out is refused elsewhere, and changes nothing", async () => {
    const { run } = await begin(flow(ask()));
    const refused = await run.decline(open(run).id, { action: "skip" });
    expect(refused).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    expect(refused.error!.message).toContain("skippable");
    expect((await run.answer(open(run).id, "Ada")).status).toBe("success");
  });

  test("leaving out a called workflow's question goes on in both runs", async () => {
    const { run } = await begin(flow(ask({}, { skippable: true })), call);
    expect(await run.decline(open(run).id, { action: "skip" })).toMatchObject({ status: "success" });
  });

  test("takes an answer after all, by a revision", async () => {
    const then = { ...ask({ prompt: "And?" }, { skippable: true }), id: "then", dependsOn: ["ask"] };
    const { run } = await begin(leftOpen(flow(ask(), then)));
    await run.answer(open(run).id, "Ada");
    const second = open(run).id;
    await run.decline(second, { action: "skip" });
    expect(open(run)).toMatchObject({ path: ["sure"] });
    await run.revise(second, "Bob");
    expect(open(run)).toMatchObject({ path: ["sure"] });
    expect((await run.answers()).slice(0, 2)).toMatchObject([{ answer: "Ada" }, { block: "then", status: "answered", answer: "Bob" }]);
  });
});

describe("a sensitive question", () => {
  test("keeps no draft and proposes no earlier answer", async () => {
    const { run, store } = await begin(
      flow(ask({ sensitive: true }), { ...ask({ prompt: "And?", sensitive: true }), id: "then", dependsOn: ["ask"] }),
    );
    await run.saveDraft(open(run).id, "hunter");
    expect(open(run)).not.toHaveProperty("draft");
    expect(await store.notes(run.id)).toEqual([]);
    await run.answer(open(run).id, "hunter2");
    await run.back();
    expect(open(run).sensitive).toBe(true);
    expect(open(run)).not.toHaveProperty("prefill");
  });

  test("is named as such in a review, and its answer in no refusal", async () => {
    const { run } = await begin(flow(ask({ sensitive: true }), { ...ask({ prompt: "And?" }), id: "then", dependsOn: ["ask"] }));
    const { id } = open(run);
    await run.answer(id, "hunter2");
    expect(await run.answers()).toMatchObject([{ block: "ask", sensitive: true }, { block: "then" }]);
    const refused = await run.answer(id, "other");
    expect(refused.error).toMatchObject({ code: "PAUSE_ALREADY_ANSWERED" });
    expect(JSON.stringify(refused)).not.toContain("hunter2");
  });
});

describe.each(["skippable", "declinable"])("the key %s", (key) => {
  const written = (type: string, inputs: string): string =>
    `name: w\nblocks:\n  - id: ask\n    type: ${type}\n    ${key}: true\n    inputs: { ${inputs} }\n`;

  test("is loaded", () => {
    expect(loadWorkflow(written("GetInput", "prompt: Who?")).blocks[0]).toMatchObject({ [key]: true });
  });

  test.each([
    ["EchoBlock", "message: x"],
    ["ExecuteWorkflow", "workflow: x"],
  ])("is refused for %s, which asks nothing itself", async (type, inputs) => {
    expect((await checkWorkflow(written(type, inputs), { blocks: builtinBlocks })).problems).toMatchObject([
      { code: "BLOCK_NOT_INTERACTIVE", path: `blocks[0].${key}`, line: 5 },
    ]);
  });
});

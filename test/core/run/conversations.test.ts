import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";

/** Each turn says what was said before, and adds its own. */
const chat: Workflow = {
  name: "chat",
  inputs: { said: { type: "string" } },
  channels: { lines: { reduce: "append" } },
  blocks: [
    { id: "say", type: "EchoBlock", inputs: { message: "${previous.outputs.last}>${inputs.said}" }, writes: { lines: "${inputs.said}" } },
    { id: "sure", type: "ConfirmOperation", dependsOn: ["say"], condition: '${inputs.said} == "ask"', inputs: { message: "Sure?" } },
  ],
  outputs: { last: "${blocks.say.outputs.echoed}", lines: "${channels.lines}", before: "${previous.run}", all: "${previous.outputs}" },
};

const clock = defineBlock({ type: "Clock", execute: () => success({ at: new Date(5), bytes: new Uint8Array([1, 2]) }) });
const timed: Workflow = {
  name: "timed",
  blocks: [{ id: "clock", type: "Clock" }],
  outputs: { at: "${blocks.clock.outputs.at}", bytes: "${blocks.clock.outputs.bytes}", earlier: "${previous.outputs.at}" },
};

function executorOn(store: Store = memoryStore()): Executor {
  return createExecutor({ store, workflows: [chat, timed], blocks: [clock] });
}

async function turn(executor: Executor, said: string, after?: string): Promise<{ readonly id: string; readonly outputs: unknown }> {
  const run = await executor.start("chat", { said }, after === undefined ? {} : { after });
  const result = await run.settled();
  return { id: run.id, outputs: result.status === "success" ? result.outputs : result };
}

describe("a run that goes on from another", () => {
  test("sees what that one gave; the first one sees null", async () => {
    const executor = executorOn();
    const first = await turn(executor, "a");
    expect(first.outputs).toEqual({ last: ">a", lines: ["a"], before: null, all: null });
    const second = await turn(executor, "b", first.id);
    expect(second.outputs).toEqual({ last: ">a>b", lines: ["b"], before: first.id, all: first.outputs });
    const third = await turn(executor, "c", second.id.replace("run_", ""));
    expect(third.outputs).toMatchObject({ last: ">a>b>c" });
    expect((await executor.open(third.id)).getSnapshot().previous).toEqual({ run: second.id, conversation: first.id });
    expect((await executor.open(first.id)).getSnapshot().previous).toBeUndefined();
  });

  test("is listed with its conversation, in pages", async () => {
    const executor = executorOn();
    const first = await turn(executor, "a");
    const other = await turn(executor, "x");
    const second = await turn(executor, "b", first.id);
    const branch = await turn(executor, "c", first.id);
    await turn(executor, "y", other.id);
    const { items } = await executor.runs.list({ conversation: first.id });
    expect(items.map(({ id }) => id).toSorted()).toEqual([first.id, second.id, branch.id].toSorted());
    const found: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await executor.runs.list({ conversation: first.id, limit: 1, ...(after === undefined ? {} : { after }) });
      found.push(...page.items.map(({ id }) => id));
      after = page.next;
      more = after !== undefined;
    }
    expect(found.toSorted()).toEqual([first.id, second.id, branch.id].toSorted());
    expect((await executor.runs.list({ conversation: first.id, status: "failed" })).items).toEqual([]);
    expect((await executor.runs.list({ conversation: "run_none" })).items).toEqual([]);
  });

  test("keeps what it was given when the earlier run is deleted, in another process too", async () => {
    const store = memoryStore();
    const executor = executorOn(store);
    const first = await turn(executor, "a");
    const asking = await executor.start("chat", { said: "ask" }, { after: first.id });
    await asking.settled();
    await executor.runs.delete(first.id);
    await executor.close();
    const other = executorOn(store);
    const again = await other.open(asking.id);
    const result = await again.answer(again.getSnapshot().pauses[0]!.id, "yes");
    expect(result).toMatchObject({ status: "success", outputs: { last: ">a>ask", all: first.outputs } });
    expect((await other.runs.list({ conversation: first.id })).items.map(({ id }) => id)).toEqual([asking.id]);
  });

  test("takes dates and bytes along", async () => {
    const store = memoryStore();
    const executor = executorOn(store);
    const first = await executor.start("timed");
    await first.settled();
    const second = await executor.start("timed", {}, { after: first.id });
    expect((await second.settled()).status).toBe("success");
    await executor.close();
    const outputs = (await executorOn(store).open(second.id)).getSnapshot().outputs;
    expect(outputs?.["earlier"]).toEqual(new Date(5));
  });

  test("is forked, exported and imported with it", async () => {
    const executor = executorOn();
    const first = await turn(executor, "a");
    const asking = await executor.start("chat", { said: "ask" }, { after: first.id });
    await asking.settled();
    const pause = asking.getSnapshot().pauses[0]!.id;
    const fork = await executor.fork(pause);
    await fork.settled();
    expect(fork.getSnapshot().previous).toEqual({ run: first.id, conversation: first.id });
    expect(await fork.answer(fork.getSnapshot().pauses[0]!.id, "yes")).toMatchObject({ outputs: { last: ">a>ask" } });
    const file = await executor.runs.export(asking.id);
    const other = executorOn();
    await other.load(chat);
    await other.runs.import(file);
    const moved = await other.open(asking.id);
    expect(moved.getSnapshot().previous).toEqual({ run: first.id, conversation: first.id });
    expect(await moved.answer(moved.getSnapshot().pauses[0]!.id, "yes")).toMatchObject({ outputs: { last: ">a>ask", all: first.outputs } });
  });

  test("cannot go on from a run that is not there, has not ended, or gave nothing", async () => {
    const executor = executorOn();
    const asking = await executor.start("chat", { said: "ask" });
    await asking.settled();
    const start = (after: string) => executor.start("chat", { said: "b" }, { after });
    await expect(start("run_none")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect(start(asking.id)).rejects.toMatchObject({ code: "RUN_ACTIVE" });
    await asking.cancel();
    await expect(start(asking.id)).rejects.toMatchObject({ code: "RUN_ENDED" });
    expect((await executor.runs.list({})).items).toHaveLength(1);
  });

  test("cannot take along what is kept in memory only", async () => {
    const secret: Workflow = {
      name: "s",
      blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "x" } }],
      outputs: { api_key: "hunter2hunter2" },
    };
    const executor = createExecutor({ store: memoryStore(), workflows: [secret, chat] });
    const run = await executor.start("s");
    await run.settled();
    await expect(executor.start("chat", { said: "b" }, { after: run.id })).rejects.toMatchObject({ code: "SECRET_MISPLACED" });
  });
});

describe("a reference to the run before", () => {
  const problems = async (reference: string, more = "") =>
    (await checkWorkflow(`name: w\n${more}blocks:\n  - { id: a, type: EchoBlock, inputs: { message: "${reference}" } }\n`)).problems.map(
      ({ code, line, column }) => `${line}:${column} ${code}`,
    );

  test("is checked when the workflow is loaded", async () => {
    expect(await problems("${previous.outputs.x} ${previous.run} ${previous.outputs}")).toEqual([]);
    expect(await problems("${previous.output.x}")).toEqual(["3:51 REFERENCE_UNKNOWN"]);
    expect(await problems("${previous}")).toEqual(["3:51 REFERENCE_FORBIDDEN"]);
    expect(await problems("${previous.outputs.__proto__}")).toEqual([expect.stringContaining("REFERENCE_FORBIDDEN")]);
  });

  test("is an input where there is one of that name", async () => {
    const found = await problems("${previous.output}", "inputs: { previous: { type: object } }\n");
    expect(found.filter((problem) => !problem.includes("DEPRECATED"))).toEqual([]);
  });
});

test("an output that the earlier run did not give is an error that says what it gave", async () => {
  const executor = createExecutor({
    store: memoryStore(),
    workflows: [chat, { name: "next", blocks: [], outputs: { x: "${previous.outputs.lats}" } }],
  });
  const first = await turn(executor, "a");
  const run = await executor.start("next", {}, { after: first.id });
  expect(await run.settled()).toMatchObject({
    status: "failure",
    error: { code: "REFERENCE_UNKNOWN", message: expect.stringContaining("last") as string },
  });
});

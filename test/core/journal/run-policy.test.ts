import {
  createExecutor,
  defineBlock,
  success,
  type CheckpointPolicy,
  type Executor,
  type RunPolicy,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { describe, expect, test } from "vitest";

/** Says how many runs the store holds while a block executes. */
function lookType(store: Store) {
  return defineBlock({ type: "Look", execute: async () => success({ stored: (await store.runs({})).items.length }) });
}

/** What a block sees of the store, then a question, then a block that needs the answer. */
function wizard(policy?: RunPolicy): Workflow {
  return {
    name: "wizard",
    ...(policy ? { policy } : {}),
    blocks: [
      { id: "look", type: "Look" },
      { id: "name", type: "GetInput", dependsOn: ["look"], inputs: { prompt: "Name?" } },
      { id: "hello", type: "EchoBlock", dependsOn: ["name"], inputs: { message: "Hello ${blocks.name.input_value}" } },
      { id: "town", type: "GetInput", dependsOn: ["hello"], inputs: { prompt: "Town?" } },
    ],
    outputs: { stored: "${blocks.look.outputs.stored}", text: "${blocks.hello.outputs.echoed}" },
  };
}

const caller = (policy?: RunPolicy): Workflow => ({
  name: "caller",
  ...(policy ? { policy } : {}),
  blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "wizard" } }],
});

let seed = 100;

function executorOn(store: Store, workflows: readonly Workflow[], policy: CheckpointPolicy = {}): Executor {
  return createExecutor({ store, policy, workflows, blocks: [lookType(store)], host: fakeHost({ seed: (seed += 1), autoAdvance: true }) });
}

const EXIT: RunPolicy = { durability: "exit", retention: "latest" };
const FULL: RunPolicy = { durability: "sync", retention: "full" };

describe("the policy of a run", () => {
  test.each<[string, { executor?: CheckpointPolicy; workflow?: RunPolicy; start?: RunPolicy }, { stored: number; entries: number }]>([
    ["is that of the executor where nothing else is said", { executor: EXIT }, { stored: 0, entries: 1 }],
    ["is that of the workflow", { workflow: EXIT }, { stored: 0, entries: 1 }],
    ["is that of the workflow, and not of the executor", { executor: EXIT, workflow: FULL }, { stored: 1, entries: 7 }],
    ["is that of the start, and not of the workflow", { workflow: EXIT, start: FULL }, { stored: 1, entries: 7 }],
    ["is that of the start, and not of the others", { executor: FULL, workflow: FULL, start: EXIT }, { stored: 0, entries: 1 }],
    ["is of each for what it says", { executor: { retention: "latest" }, start: { durability: "sync" } }, { stored: 1, entries: 1 }],
    ["keeps more than one written at its end can", { executor: EXIT, start: { retention: "full" } }, { stored: 1, entries: 7 }],
    [
      "takes no window from another retention",
      { executor: { retention: "windowed", window: 1 }, workflow: { retention: "full" } },
      { stored: 1, entries: 7 },
    ],
  ])("%s", async (_, { executor: ofExecutor, workflow, start }, { stored, entries }) => {
    const store = memoryStore();
    const executor = executorOn(store, [wizard(workflow)], ofExecutor);
    const run = await executor.start("wizard", {}, start ? { policy: start } : {});
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "Ada");
    expect((await run.state()).values["look"]).toEqual({ stored });
    expect((await store.read(run.id)).length).toBe(entries);
  });

  test("goes on in another process that has another policy", async () => {
    const store = memoryStore();
    const kept = await executorOn(store, [wizard()], EXIT).start("wizard", {}, { policy: FULL });
    const short = await executorOn(store, [wizard()]).start("wizard", {}, { policy: { retention: "latest" } });
    for (const [run, policy] of [
      [kept, EXIT],
      [short, {}],
    ] as const) {
      const { pauses } = await run.settled();
      await executorOn(store, [], policy).answer(pauses![0]!.id, "Ada");
      expect((await executorOn(store, []).open(run.id)).getSnapshot().pauses).toHaveLength(1);
    }
    expect((await store.read(kept.id)).length).toBe(7);
    expect((await store.read(short.id)).length).toBe(1);
  });

  test("is shown, also of a run of which the newest state alone is kept", async () => {
    const store = memoryStore();
    const executor = executorOn(store, [wizard({ retention: "latest", maxCheckpointBytes: 5_000 })]);
    const run = await executor.start("wizard", {}, { policy: { durability: "sync" } });
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "Ada");
    const policy = { durability: "sync", retention: "latest", maxCheckpointBytes: 5_000 };
    expect(run.getSnapshot().policy).toEqual(policy);
    expect((await executorOn(store, []).open(run.id)).getSnapshot().policy).toEqual(policy);
    const plain = await executorOn(store, [{ ...wizard(), name: "plain" }]).start("plain");
    expect(plain.getSnapshot()).not.toHaveProperty("policy");
  });

  test("holds for all that the run calls, which has none of its own then", async () => {
    const store = memoryStore();
    const workflows = [caller(EXIT), wizard(FULL)];
    const run = await executorOn(store, workflows).start("caller");
    await run.settled();
    const child = await executorOn(store, workflows).open(`${run.id}/call`);
    expect(child.getSnapshot().policy).toEqual(EXIT);
    expect((await child.state()).values["look"]).toEqual({ stored: 0 });

    const free = await executorOn(store, [caller(), wizard(EXIT)]).start("caller");
    await free.settled();
    expect((await executorOn(store, []).open(`${free.id}/call`)).getSnapshot()).not.toHaveProperty("policy");
  });

  test("goes along with forks, files and moves", async () => {
    const store = memoryStore();
    const executor = executorOn(store, [wizard({ retention: "latest" })]);
    const run = await executor.start("wizard");
    const { pauses } = await run.settled();

    const fork = await executor.fork(pauses![0]!.id);
    expect(fork.getSnapshot().policy).toEqual({ retention: "latest" });

    const other = executorOn(memoryStore(), [wizard({ retention: "latest" })]);
    const brought = await other.runs.import(await executor.runs.export(run.id));
    expect(brought.getSnapshot().policy).toEqual({ retention: "latest" });

    const moved = await executorOn(store, [wizard({ retention: "full" })]).open(run.id);
    await moved.resume({ definition: "latest" });
    expect(moved.getSnapshot()).toMatchObject({ policy: { retention: "latest" } });
    expect(moved.getSnapshot().definition).not.toBe(run.getSnapshot().definition);
  });
});

describe("how much a run may hold", () => {
  const large: Workflow = {
    name: "large",
    inputs: { size: { type: "integer" } },
    blocks: [{ id: "fill", type: "Fill", inputs: { size: "${inputs.size}" } }],
  };
  const fill = defineBlock({ type: "Fill", execute: ({ inputs }) => success({ text: "x".repeat(Number(inputs["size"])) }) });

  async function statusOf(executor: CheckpointPolicy, own: RunPolicy): Promise<string | undefined> {
    const run = await createExecutor({ store: memoryStore(), policy: executor, workflows: [large], blocks: [fill] }).start(
      "large",
      { size: 2_000 },
      { policy: own },
    );
    const result = await run.settled();
    return result.status === "failure" ? result.error.code : result.status;
  }

  test("is less where the run says so, and never more than the executor allows", async () => {
    await expect(statusOf({}, { durability: "sync" })).resolves.toBe("success");
    await expect(statusOf({}, { maxCheckpointBytes: 1_000 })).resolves.toBe("CHECKPOINT_TOO_LARGE");
    await expect(statusOf({ maxCheckpointBytes: 1_000 }, { maxCheckpointBytes: 1_000_000 })).resolves.toBe("CHECKPOINT_TOO_LARGE");
  });
});

describe("a policy of a run that cannot be", () => {
  test.each<[object, string, string]>([
    [{ durability: "exit" }, "POLICY_INVALID", 'needs retention "latest"'],
    [{ retention: "windowed" }, "POLICY_INVALID", "needs a window"],
    [{ window: 2 }, "POLICY_INVALID", "goes only with"],
    [{ retention: "windowed", window: 0 }, "POLICY_INVALID", "whole number from 1"],
    [{ maxCheckpointBytes: "1000" }, "POLICY_INVALID", "whole number from 1"],
    [{ durability: "often" }, "POLICY_INVALID", "durability"],
    [{ retention: "lately" }, "POLICY_INVALID", "retention"],
    [{ ttlMs: 1_000 }, "KEY_UNKNOWN", "ttlMs"],
    [{ durabilty: "sync" }, "KEY_UNKNOWN", "durability"],
  ])("is refused before anything is stored: %j", async (policy, code, message) => {
    const store = memoryStore();
    const start = executorOn(store, [wizard()]).start("wizard", {}, { policy: policy as RunPolicy });
    await expect(start).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect((await store.runs({})).items).toEqual([]);
  });

  test.each<[string, string]>([
    ["{ durability: exit }", "POLICY_INVALID policy.retention 2"],
    ["{ durability: exit, retention: full }", "POLICY_INVALID policy.retention 2"],
    ["{ retention: windowed }", "POLICY_INVALID policy.window 2"],
    ["{ retention: windowed, window: 0 }", "SCHEMA_INVALID policy.window 2"],
    ["{ window: 3 }", "POLICY_INVALID policy.window 2"],
    ["{ durability: often }", "SCHEMA_INVALID policy.durability 2"],
    ["{ ttl_ms: 5 }", "KEY_UNKNOWN policy.ttl_ms 2"],
    ["{ max_checkpoint_bytes: 0 }", "SCHEMA_INVALID policy.max_checkpoint_bytes 2"],
    ["sync", "SCHEMA_INVALID policy 2"],
  ])("is refused when it is loaded: %s", async (policy, expected) => {
    const text = `name: w\npolicy: ${policy}\nblocks:\n  - { id: a, type: EchoBlock, inputs: { message: x } }\n`;
    const { problems } = await checkWorkflow(text);
    expect(problems.map(({ code, path, line }) => `${code} ${path} ${line}`)).toEqual([expected]);
  });
});

test("YAML says a policy as TypeScript does", () => {
  const text = "name: w\npolicy: { durability: sync, retention: windowed, window: 3, max_checkpoint_bytes: 1000 }\nblocks: []\n";
  expect(loadWorkflow(text).policy).toEqual({ durability: "sync", retention: "windowed", window: 3, maxCheckpointBytes: 1_000 });
});

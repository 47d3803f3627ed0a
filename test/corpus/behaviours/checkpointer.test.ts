import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  success,
  type Block,
  type CheckpointPolicy,
  type Executor,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const DAY_MS = 86_400_000;
const NODES = ["load", "clean", "embed", "index", "report"];

/** Seed 3, "SyncRunner": five nodes, of which the fifth does not live the first time. */
const dag: Workflow = {
  name: "dag",
  inputs: { data: { type: "string" } },
  blocks: NODES.map((id, i): Block => {
    const before = NODES[i - 1];
    return {
      id,
      type: "Node",
      inputs: { value: before === undefined ? "${inputs.data}" : `\${blocks.${before}.value}` },
      dependsOn: before === undefined ? [] : [before],
      cache: { ttlMs: DAY_MS },
    };
  }),
  outputs: { value: "${blocks.report.value}" },
};

test("a cache: a run that is started again with the same inputs executes what the one before did not come to", async () => {
  const store = memoryStore();
  const did: string[] = [];
  let isBroken = true;
  const node = defineBlock({
    type: "Node",
    execute({ block, inputs }) {
      did.push(block);
      if (block === "report" && isBroken) throw new Error("It crashes at node 5.");
      return success({ value: `${String(inputs["value"])} ${block}` });
    },
  });
  let seed = 1;
  const process = (): Executor => createExecutor({ store, workflows: [dag], blocks: [node], host: fakeHost({ seed: seed++ }) });
  expect((await (await process().start("dag", { data: "file" })).settled()).status).toBe("failure");
  expect(did).toEqual(NODES);
  isBroken = false;
  did.length = 0;
  const again = await process().start("dag", { data: "file" });
  expect(await again.settled()).toMatchObject({ outputs: { value: `file ${NODES.join(" ")}` } });
  expect(did).toEqual(["report"]);
  did.length = 0;
  await (await process().start("dag", { data: "another" })).settled();
  expect(did).toEqual(NODES);
});

/** Seed 3, "Usage examples" and "Choosing a policy". */
const POLICIES: readonly CheckpointPolicy[] = [
  {},
  { durability: "sync", retention: "full" },
  { durability: "async", retention: "latest" },
  { durability: "exit", retention: "latest" },
  { durability: "async", retention: "windowed", window: 50 },
  { durability: "async", retention: "full", ttlMs: 7 * DAY_MS },
  { durability: "sync", retention: "full", ttlMs: 90 * DAY_MS },
  { durability: "async", retention: "windowed", window: 1 },
];

const flow: Workflow = {
  name: "flow",
  blocks: [
    { id: "embed", type: "EchoBlock", inputs: { message: "embedding" } },
    { id: "validate", type: "EchoBlock", inputs: { message: "valid" } },
    { id: "retrieve", type: "EchoBlock", dependsOn: ["embed", "validate"], inputs: { message: "docs" } },
    { id: "generate", type: "EchoBlock", dependsOn: ["retrieve"], inputs: { message: "from ${blocks.retrieve.echoed}" } },
  ],
  outputs: { answer: "${blocks.generate.echoed}" },
};

describe("each policy that is printed", () => {
  test.each(POLICIES)("gives the newest state, and of the past what its table says: %j", async (policy) => {
    const store: Store = memoryStore();
    const one = createExecutor({ store, workflows: [flow], policy: { autoCleanup: false, ...policy }, host: fakeHost() });
    const { id } = await one.start("flow");
    await (await one.open(id)).settled();
    await one.close();
    const run = await createExecutor({ store, host: fakeHost({ seed: 2 }) }).open(id);
    const all = { embed: "embedding", validate: "valid", retrieve: "docs", generate: "from docs" };
    const echoed = async (superstep?: number): Promise<unknown> =>
      Object.fromEntries(
        Object.entries((await run.state(superstep === undefined ? {} : { superstep })).values).map(([block, value]) => [
          block,
          value!["echoed"],
        ]),
      );
    expect(await echoed()).toEqual(all);
    const [first, last] = [echoed(0), echoed(2)];
    const { retention = "full", window = 0 } = policy;
    if (retention === "latest" || window === 1) await expect(first).rejects.toMatchObject({ code: "CHECKPOINT_PRUNED" });
    else expect(await first).toEqual({ embed: "embedding", validate: "valid" });
    if (retention === "latest") await last.catch(() => {});
    else expect(await last).toEqual(all);
  });
});

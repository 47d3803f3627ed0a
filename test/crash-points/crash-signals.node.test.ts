import { expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  isWorkflowError,
  success,
  waitFor,
  type CheckpointPolicy,
  type Executor,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { openWizard } from "../../src/bindings/wizard-run.ts";
import { stopAt, type StopPoint } from "./stop-at.ts";

const FLOW: Workflow = {
  name: "flow",
  blocks: [
    { id: "paid", type: "Wait", inputs: { event: ["paid", "given_up"] } },
    { id: "ok", type: "ConfirmOperation", inputs: { message: "?" }, onEvent: { mailed: { answer: "yes" } } },
    { id: "twice", type: "Twice", dependsOn: ["paid"] },
    { id: "last", type: "Wait", inputs: { event: "paid", duration_ms: 60_000 }, dependsOn: ["twice", "ok"] },
  ],
  outputs: { paid: "${blocks.paid.value}", ok: "${blocks.ok.confirmed}", twice: "${blocks.twice.said}", last: "${blocks.last.value}" },
};

/** What is done to the run, in its order; each may be done again by another process. */
const DEEDS: readonly ((executor: Executor) => Promise<unknown>)[] = [
  (executor) => executor.start("flow", {}, { id: "s" }).catch(forgive("RUN_EXISTS")),
  (executor) => executor.signal("s", "step", "early", { id: "1" }),
  (executor) => executor.stop("s"),
  (executor) => executor.signal("s", "paid", { amount: 1 }, { id: "2" }),
  (executor) => executor.open("s").then((run) => run.resume()),
  (executor) => executor.signal("s", "paid", { amount: 2 }, { id: "3" }),
  (executor) => executor.signal("s", "mailed", null, { id: "4" }),
  (executor) => executor.signal("s", "step", "late", { id: "5" }).catch(forgive("RUN_ENDED")),
  (executor) => executor.open("s").then((run) => run.resume()),
];

function forgive(code: string): (error: unknown) => void {
  return (error) => {
    if (!isWorkflowError(error) || error.code !== code) throw error;
  };
}

/** Plays it to its end. The first process dies at the point, where one is given, and the next ones do what was left again. */
async function play(policy: CheckpointPolicy, point?: StopPoint) {
  const store = memoryStore();
  const got: string[] = [];
  const twice = defineBlock({
    type: "Twice",
    async execute({ event, carried, nextIteration }) {
      if (!event) return waitFor("step");
      got.push(`${String(carried ?? "")}${String(event.value)}`);
      return carried === undefined
        ? nextIteration(`${String(event.value)} `)
        : success({ said: `${String(carried)}${String(event.value)}` });
    },
  });
  let seed = 0;
  const processOn = (its: Store): Executor =>
    createExecutor({ store: its, workflows: [FLOW], blocks: [twice], policy, host: fakeHost({ autoAdvance: true, seed: (seed += 1) }) });
  const doomed = stopAt(store, point);
  let executor = processOn(doomed.store);
  let hasDied = false;
  for (const deed of DEEDS) {
    for (;;) {
      try {
        await deed(executor);
        await executor.open("s").then((run) => run.settled());
        break;
      } catch (error) {
        if (hasDied) throw error;
        hasDied = true;
        executor = processOn(store);
        await executor.recover();
      }
    }
  }
  const run = await executor.open("s");
  const { status, outputs } = await run.settled();
  const journal = await run.steps();
  return {
    writes: doomed.writes(),
    status,
    outputs,
    steps: journal.map(({ block, status: ended }) => `${block} ${ended}`).toSorted(),
    got,
  };
}

test.each([{ durability: "sync" }, { durability: "async" }] as const)(
  "D1: a process that dies at any write keeps signals and stops, %j",
  async (policy) => {
    const { writes, got, ...unbroken } = await play(policy);
    expect(unbroken).toMatchObject({
      status: "success",
      outputs: { paid: { amount: 1 }, ok: true, twice: "early late", last: { amount: 2 } },
    });
    expect(got).toEqual(["early", "early late"]);
    expect(writes).toBeGreaterThan(8);
    for (let write = 1; write <= writes; write += 1) {
      for (const when of ["before", "after"] as const) {
        const { writes: _, got: again, ...broken } = await play(policy, { write, when });
        expect({ write, when, ...broken }).toEqual({ write, when, ...unbroken });
        expect([...new Set(again)]).toEqual(["early", "early late"]);
      }
    }
  },
);

/** Sends a signal to a called run. The first process dies at the point, where one is given, and the next one goes on with what that left. */
async function playCalled(goOn: (executor: Executor) => Promise<unknown>, point?: StopPoint) {
  const store = memoryStore();
  const called: Workflow = {
    name: "called",
    blocks: [
      { id: "paid", type: "Wait", inputs: { event: "paid" } },
      { id: "ask", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["paid"] },
    ],
  };
  const caller: Workflow = {
    name: "caller",
    blocks: [
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "called" } },
      { id: "other", type: "ExecuteWorkflow", inputs: { workflow: "simple" } },
    ],
  };
  const simple: Workflow = { name: "simple", blocks: [{ id: "wait", type: "Wait", inputs: { event: "paid" } }] };
  let seed = 0;
  const processOn = (its: Store): Executor =>
    createExecutor({ store: its, workflows: [called, simple, caller], host: fakeHost({ autoAdvance: true, seed: (seed += 1) }) });
  const first = processOn(store);
  await (await first.start("caller", {}, { id: "c" })).settled();
  await first.close();
  const doomed = stopAt(store, point);
  const dying = processOn(doomed.store);
  const signalBoth = async (executor: Executor): Promise<void> => {
    for (const block of ["call", "other"]) await executor.signal(`c/${block}`, "paid", 1, { id: block }).catch(forgive("RUN_ENDED"));
  };
  await signalBoth(dying).catch(forgive("STORE_FAILED"));
  await dying
    .open("c")
    .then((run) => run.settled())
    .catch(() => {});
  await doomed.quiet();
  const next = processOn(store);
  const isTaken = async (block: string): Promise<boolean> =>
    (await store.read((await next.open(`c/${block}`)).id)).some((text) => text.includes("signalled"));
  const taken = { call: await isTaken("call"), other: await isTaken("other") };
  await goOn(next);
  const run = await next.open("c");
  const look = () => {
    const { pauses, waves } = run.getSnapshot();
    return { point, asks: pauses.length === 1, other: waves[0]!.blocks[1]!.status };
  };
  await expect.poll(look).toEqual({ point, asks: taken.call, other: taken.other ? "completed" : "waiting" });
  expect(await processOn(store).recover()).toEqual({ runs: [], failed: [] });
  return { writes: doomed.writes(), taken };
}

test.each([
  { by: "recover", goOn: (executor: Executor) => executor.recover() },
  { by: "a wizard that is opened", goOn: (executor: Executor) => openWizard(executor, "caller", { id: "c" }) },
])("D1: a process that dies at any write: a run that others wait for in vain is found by $by", async ({ goOn }) => {
  const { writes, taken } = await playCalled(goOn);
  expect(taken).toEqual({ call: true, other: true });
  expect(writes).toBeGreaterThan(4);
  for (let write = 1; write <= writes; write += 1) for (const when of ["before", "after"] as const) await playCalled(goOn, { write, when });
});

import { afterEach, describe, expect, test } from "vitest";
import {
  createExecutor,
  isWorkflowError,
  WorkflowError,
  type Commit,
  type Executor,
  type Run,
  type RunResult,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { stopAt } from "../crash-points/stop-at.ts";
import { openIn, ORDERS, SIZE } from "../support/orders.ts";
import { pauseOf } from "../support/pause-of.ts";
import { putService } from "../support/put-service.ts";
import { sharedStore } from "../support/shared-store.ts";
import { gatedStore, type Done } from "./gated-store.ts";

const RUN = "run_one";

const executors: Executor[] = [];
afterEach(async () => {
  await Promise.all(executors.splice(0).map((executor) => executor.close()));
});

// Ids go on counting from one executor to the next.
const host = fakeHost({ autoAdvance: true });

function executorOn(store: Store): Executor {
  const executor = createExecutor({ store, host, workflows: ORDERS, blocks: putService().blocks, policy: { durability: "sync" } });
  executors.push(executor);
  return executor;
}

/** A run whose size is known, and which waits for `note`. */
async function prepare() {
  const open = sharedStore(memoryStore());
  const store = open();
  const run = await executorOn(store).start("order", {}, { id: "one" });
  await run.settled();
  await run.answer(run.getSnapshot().pauses.find(({ path }) => path.join("/") === SIZE)!.id, "S");
  expect(openIn(run)).toEqual(["note"]);
  return { open, store };
}

/** Answers what is asked until the run ends. What was answered or withdrawn meanwhile is looked for anew. */
async function finish(run: Run): Promise<RunResult> {
  for (;;) {
    const result = await run.resume();
    if (result.status !== "paused") return result;
    for (const { id, path } of result.pauses) {
      const answered = await run.answer(id, path.at(-1) === "size" ? "S" : "yes");
      const code = answered.status === "failure" ? answered.error.code : "";
      if (code !== "" && code !== "PAUSE_WITHDRAWN" && code !== "PAUSE_ALREADY_ANSWERED") return answered;
    }
  }
}

/** Changes the size. Gives what became of it. */
async function revise(store: Store): Promise<string> {
  const run = await executorOn(store).open(RUN);
  const result = await run.revise(await pauseOf(run, SIZE), "L");
  return result.status === "failure" ? result.error.code : "changed";
}

/** How the run and the runs it called ended. */
async function endingOf(store: Store) {
  const executor = executorOn(store);
  const views = await Promise.all([RUN, `${RUN}/parcel`, `${RUN}/parcel/label`].map(async (id) => (await executor.open(id)).getSnapshot()));
  return { ends: views.map(({ status, outputs }) => ({ status, printed: outputs?.["printed"] })), runs: (await store.runs()).items.length };
}

const ended = (printed: string) => ({ ends: Array.from({ length: 3 }, () => ({ status: "completed", printed })), runs: 3 });

describe("D21: an answer two calls down is changed", () => {
  test("in place: no run comes to be, and all three end with the new answer", async () => {
    const { store } = await prepare();
    expect(await revise(store)).toBe("changed");
    expect(await finish(await executorOn(store).open(RUN))).toMatchObject({ outputs: { printed: "L", note: "yes", sure: "yes" } });
    expect(await endingOf(store)).toEqual(ended("L"));
  });

  test("and the process dies at any record, while another one answers the question beside the call: the run never ends with the old one", async () => {
    const unbroken = stopAt((await prepare()).open());
    await revise(unbroken.store);
    expect(unbroken.writes()).toBeGreaterThan(3);
    let recorded = 0;
    for (let write = 1; write <= unbroken.writes(); write += 1) {
      for (const when of ["before", "after"] as const) {
        const scene = `killed ${when} write ${write}`;
        const { open, store } = await prepare();
        // The other one has looked at the run before anything was changed.
        const other = await executorOn(open()).open(RUN);
        const note = await pauseOf(other, "note");
        const before = await store.head(RUN);
        const doomed = stopAt(open(), { write, when });
        await revise(doomed.store).catch((error: unknown) => {
          if (!isWorkflowError(error)) throw error;
        });
        await doomed.quiet();
        const isRecorded = (await store.head(RUN))!.revision > before!.revision;
        if (isRecorded) recorded += 1;
        const answered = await other.answer(note, "quick");
        expect({ scene, status: answered.status }).toEqual({ scene, status: "paused" });
        const result = await finish(other);
        const printed = isRecorded ? "L" : "S";
        expect({ scene, ...result }).toMatchObject({ scene, status: "success", outputs: { printed, note: "quick", sure: "yes" } });
        expect({ scene, ...(await endingOf(store)) }).toEqual({ scene, ...ended(printed) });
      }
    }
    // One record in each of the three runs, at least.
    expect(recorded).toBeGreaterThanOrEqual(5);
  });

  test("while another process goes on to the end, held up at any moment of it: the end has the new answer, or the change is refused", async () => {
    const results = new Set<string>();
    let isReached = true;
    for (let moment = 0; isReached; moment += 1) {
      const { open, store } = await prepare();
      const ledger: Done[] = [];
      const gate = gatedStore(open(), "one", { ledger, moment });
      const revising = revise(gate.store);
      isReached = await Promise.race([gate.reached.then(() => true), revising.then(() => false)]);
      const others = gatedStore(open(), "other", { ledger });
      const finishing = executorOn(others.store)
        .open(RUN)
        .then(finish)
        .then(
          ({ status }) => status,
          (error: unknown) => (isWorkflowError(error) ? error.code : String(error)),
        );
      await Promise.race([finishing, others.stuck]);
      gate.open();
      const told = await revising;
      await finishing;
      const scene = `held up at ${moment}: ${told}`;
      expect(["changed", "RUN_ENDED"], scene).toContain(told);
      await finish(await executorOn(store).open(RUN));
      expect({ scene, ...(await endingOf(store)) }).toEqual({ scene, ...ended(told === "changed" ? "L" : "S") });
      results.add(told);
    }
    expect([...results].toSorted()).toEqual(["RUN_ENDED", "changed"]);
  });
});

test("D21: a run that was called with an answer goes through all of it again where that is changed, though its caller died before it stored that it had called", async () => {
  const ask = (id: string) => ({ id, type: "GetInput", inputs: { prompt: `${id}?` } });
  const workflows: readonly Workflow[] = [
    {
      name: "outer",
      blocks: [
        ask("word"),
        {
          id: "call",
          type: "ExecuteWorkflow",
          inputs: { workflow: "inner", inputs: { word: "${blocks.word.input_value}" } },
          dependsOn: ["word"],
        },
      ],
      outputs: { said: "${blocks.call.said}" },
    },
    {
      name: "inner",
      inputs: { word: { type: "string" } },
      blocks: [ask("sure"), { id: "say", type: "Put", inputs: { value: "${inputs.word}" } }],
      outputs: { said: "${blocks.say.value}" },
    },
  ];
  const policy = { durability: "exit", retention: "latest" } as const;
  const executorOf = (store: Store): Executor => {
    const executor = createExecutor({ store, host, workflows, blocks: putService().blocks, policy });
    executors.push(executor);
    return executor;
  };
  const open = sharedStore(memoryStore());
  const begun = await executorOf(open()).start("outer", {}, { id: "one" });
  await begun.settled();
  // The answer is stored, and the run that is called; nothing else of the caller.
  const view = open();
  let commits = 0;
  const dying = new Proxy(view, {
    get: (target, name) =>
      name === "commit"
        ? async (commit: Commit) => {
            if (commit.run === RUN && (commits += 1) > 1) throw new WorkflowError("STORE_FAILED", "The process has died.");
            await target.commit(commit);
          }
        : (Reflect.get(target, name) as unknown),
  });
  const doomed = await executorOf(dying).open(RUN);
  await expect(doomed.answer(await pauseOf(doomed, "word"), "first")).rejects.toMatchObject({ code: "STORE_FAILED" });

  const run = await executorOf(open()).open(RUN);
  await run.revise(await pauseOf(run, "word"), "second");
  expect(openIn(run)).toEqual(["call/sure"]);
  expect(await run.answer(run.getSnapshot().pauses[0]!.id, "yes")).toMatchObject({ status: "success", outputs: { said: "second" } });
});

describe("D12: an answer two calls down is changed in a fork", () => {
  async function bytesOf(store: Store, runs?: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = runs ?? (await store.runs()).items.map(({ id }) => id);
    const texts = ids.map(async (id) => [id, JSON.stringify([await store.head(id), await store.read(id), await store.notes(id)])] as const);
    return new Map(await Promise.all(texts));
  }

  test.each([
    ["when it is forked", true],
    ["afterwards", false],
  ])("%s: the runs that the source called keep their bytes", async (_, atOnce) => {
    const { store } = await prepare();
    const executor = executorOn(store);
    const source = await executor.open(RUN);
    await source.answer(await pauseOf(source, "note"), "quick");
    const before = await bytesOf(store);
    const [size, sure] = [await pauseOf(source, SIZE), await pauseOf(source, "sure")];
    const fork = await executor.fork(sure, atOnce ? { revise: { [size]: "L" } } : {});
    await fork.settled();
    if (!atOnce) await fork.revise(await pauseOf(fork, SIZE), "L");
    expect(await finish(fork)).toMatchObject({ status: "success", outputs: { printed: "L" } });
    expect(await bytesOf(store, [...before.keys()])).toEqual(before);
    expect(await finish(source)).toMatchObject({ status: "success", outputs: { printed: "S" } });
    expect((await fork.refresh(), fork.getSnapshot()).outputs).toMatchObject({ printed: "L" });
  });
});

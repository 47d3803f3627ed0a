import { describe, expect, test } from "vitest";
import {
  createExecutor,
  isWorkflowError,
  WorkflowError,
  type CheckpointPolicy,
  type Executor,
  type RunResult,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore, type FaultPlan } from "wavepoint/testing";
import { PLACES } from "./places.ts";

const ASKS: Workflow = {
  name: "asks",
  blocks: [
    { id: "first", type: "GetInput", inputs: { prompt: "First?" } },
    { id: "second", type: "GetInput", inputs: { prompt: "Second?" }, dependsOn: ["first"] },
    { id: "third", type: "GetInput", inputs: { prompt: "Third?" }, dependsOn: ["second"] },
  ],
  outputs: { said: "${blocks.third.input_value}" },
};
const CALLS: Workflow = {
  name: "calls",
  blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "asks" } }],
  outputs: { said: "${blocks.call.said}" },
};
const FORM: Workflow = {
  name: "form",
  blocks: [{ id: "account", type: "Form", inputs: { prompt: "Account?", fields: [{ name: "name" }, { name: "password" }] } }],
};

let seed = 0;
const executorOn = (store: Store, policy: CheckpointPolicy = {}): Executor =>
  createExecutor({ store, policy, workflows: [ASKS, CALLS, FORM], host: fakeHost({ seed: (seed += 1), autoAdvance: true }) });

/** The result of an answer: taken, refused and why, or unknown. */
async function told(answer: Promise<RunResult>): Promise<string> {
  try {
    const result = await answer;
    return result.status === "failure" ? `refused: ${result.error.message}` : "taken";
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    return error.code;
  }
}

// Where a store is full, the engine makes room and writes the same once more.
const CODES: readonly FaultPlan["code"][] = ["STORE_LOST", "STORE_QUOTA"];
const ANSWERS: readonly (readonly [workflow: string, response: Value])[] = [
  ["asks", "Ada"],
  ["calls", "Ada"],
  // What stands under a secret key is known to the process alone that was given it.
  ["form", { name: "Ada", password: "hunter2" }],
];

/** Under these the checkpoint of a question that was answered is not kept. */
const POLICIES: readonly CheckpointPolicy[] = [{ retention: "latest" }, { retention: "windowed", window: 1 }];

describe.each(PLACES)("D9: an answer whose acknowledgement was lost is not refused: %s", (_, make) => {
  test.each(ANSWERS)("a question of %s", async (workflow, response) => {
    const place = await make();
    for (const policy of POLICIES) await tryAnswer({ policy });
    const writes = await tryAnswer({});
    expect(writes).toBeGreaterThan(0);
    for (let write = 1; write <= writes; write++) {
      for (const code of CODES) await tryAnswer({ plan: failAt(write, { when: "after", code }) });
    }
    await place.remove();

    /** Answers where one acknowledgement is lost, and once more. Gives the writes of the first time. */
    async function tryAnswer({ plan, policy }: { readonly plan?: FaultPlan; readonly policy?: CheckpointPolicy }): Promise<number> {
      const scene = JSON.stringify({ plan, policy });
      const beginning = place.open();
      const begun = await executorOn(beginning, policy).start(workflow);
      const pause = (await begun.settled()).pauses![0]!.id;
      const inner = place.open();
      const store = faultyStore(inner, plan);
      const executor = executorOn(store, policy);
      const run = await executor.open(begun.id);
      const first = await told(run.answer(pause, response));
      expect(["taken", plan?.code ?? "taken"], scene).toContain(first);
      const { writes } = store;
      expect(await told(run.answer(pause, response)), scene).toBe("taken");
      expect(await told(executor.resume(pause, response)), scene).toBe("taken");
      if (workflow !== "form") expect(await told(begun.answer(pause, response)), scene).toBe("taken");
      await inner.close();
      await beginning.close();
      return writes;
    }
  });
});

describe("D9: what is said of an answer rests on what is stored, where the write of one before it", () => {
  /** A run that waits at a question, over a store that holds its next commit up until it may be made, or fails. */
  async function prepare({ answered }: { readonly answered?: string } = {}) {
    const inner = memoryStore();
    const other = await executorOn(inner).start("asks");
    const pause = (await other.settled()).pauses![0]!.id;
    if (answered !== undefined) await other.answer(pause, answered);
    let begin = (): void => {};
    let decide = (_error?: unknown): void => {};
    const began = new Promise<void>((resolve) => (begin = resolve));
    const decision = new Promise<void>(
      (resolve, reject) => (decide = (error) => (error === undefined ? resolve() : reject(error as Error))),
    );
    const store: Store = {
      ...inner,
      async commit(commit) {
        begin();
        await decision;
        return inner.commit(commit);
      },
    };
    const run = await executorOn(store).open(other.id);
    return { run, other, pause, began, decide };
  }

  /** Until an answer has come as far as it can before that write. */
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  test.each(["Ada", "Eve"])("was made after that of another tab: %s", async (second) => {
    const { run, other, pause, began, decide } = await prepare();
    const answers = [told(run.answer(pause, "Ada"))];
    await began;
    answers.push(told(run.answer(pause, second)));
    await turn();
    const others = told(other.answer(pause, "Bo"));
    await turn();
    decide();
    expect(await others).toBe("taken");
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/refused: .* already answered with "Bo"/);
  });

  test.each(["Ada", "Eve"])("fails: %s", async (second) => {
    const { run, pause, began, decide } = await prepare();
    const answers = [told(run.answer(pause, "Ada"))];
    await began;
    answers.push(told(run.answer(pause, second)));
    await turn();
    decide(new WorkflowError("STORE_FAILED", "The disk is gone."));
    expect(await Promise.all(answers)).toEqual(["STORE_FAILED", "STORE_FAILED"]);
  });
  test("was made after that of another tab: a revision finds its question by what is stored", async () => {
    const { run, other, pause, began, decide } = await prepare({ answered: "Ada" });
    const revisions = [told(run.revise(pause, "Eve"))];
    await began;
    revisions.push(told(run.revise(pause, "Fay")));
    await turn();
    // Its next question gets the number that the first revision would have given to the question it opens.
    const others = told(other.answer(other.getSnapshot().pauses[0]!.id, "Bo"));
    await turn();
    decide();
    expect(await others).toBe("taken");
    expect(await Promise.all(revisions)).toEqual(["taken", expect.stringMatching(/^refused: .* was changed elsewhere meanwhile/)]);
    const answers = await other.answers();
    expect(answers.map(({ block, answer }) => [block, answer])).toEqual([
      ["first", "Eve"],
      ["second", "Bo"],
      ["third", undefined],
    ]);
  });
});

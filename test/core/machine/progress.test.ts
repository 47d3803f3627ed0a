import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type Run, type RunProgress, type Value, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";
import { QuestionCounter } from "../../../src/core/machine/count-questions.ts";
import { FoldedRun } from "../../../src/core/machine/folded-run.ts";
import { initialState } from "../../../src/core/machine/initial-state.ts";
import type { PauseState } from "../../../src/core/machine/state.ts";
import type { Entry } from "../../../src/core/model/journal.ts";
import { TRAVEL_SURVEY } from "../../support/travel-survey.ts";
import { answered, iterated, paused } from "./machine.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

const chatty = defineBlock({
  type: "Chatty",
  execute: () => pause({ prompt: "More?" }),
  resume: ({ response }) => (response === "no" ? success({}) : pause({ prompt: "More?" })),
});

async function begin(workflow: Workflow, others: readonly Workflow[] = []) {
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: others, blocks: [chatty] });
  const run: Run = await executor.start(workflow as Workflow, {});
  await run.settled();
  return { run, store };
}

function progressOf(run: Run): RunProgress {
  return run.getSnapshot().progress;
}

describe("the progress of a run", () => {
  test("counts what is sure and what may still be asked", async () => {
    const { run } = await begin(
      flow(
        ask("first"),
        ask("second", { dependsOn: ["first"] }),
        ask("maybe", { dependsOn: ["second"], condition: '${blocks.second.input_value} == "y"' }),
        ask("behind", { dependsOn: ["maybe"] }),
      ),
    );
    expect(progressOf(run)).toEqual({ answered: 0, remaining: { min: 2, max: 4 } });
    expect(run.getSnapshot().pauses[0]!.progress).toBe(progressOf(run));
    await run.answer(run.getSnapshot().pauses[0]!.id, "x");
    expect(progressOf(run)).toEqual({ answered: 1, remaining: { min: 1, max: 3 } });
    await run.answer(run.getSnapshot().pauses[0]!.id, "n");
    expect(progressOf(run)).toEqual({ answered: 2, remaining: { min: 0, max: 0 } });
  });

  test("knows a condition as soon as what it looks at has come to its end", async () => {
    const branch = (id: string, after: string): Block => ask(id, { dependsOn: [after], condition: '${blocks.first.input_value} == "y"' });
    const { run } = await begin(flow(ask("first"), ask("second", { dependsOn: ["first"] }), branch("a", "second"), branch("b", "a")));
    expect(progressOf(run).remaining).toEqual({ min: 2, max: 4 });
    await run.answer(run.getSnapshot().pauses[0]!.id, "y");
    expect(progressOf(run)).toEqual({ answered: 1, remaining: { min: 3, max: 3 } });
  });

  test.each<[string, Block, RunProgress["remaining"]]>([
    ["of a list that is written out it counts the items", ask("b", { forEach: ["x", "y"] }), { min: 3, max: 3 }],
    ["of a list that comes later is unknown", ask("b", { forEach: "${blocks.a.input_value}", dependsOn: ["a"] }), { min: 1 }],
    ["of a block type that asks as often as it likes is unknown", { id: "b", type: "Chatty", dependsOn: ["a"] }, { min: 1 }],
    [
      "a question that the clock may skip takes those behind it along",
      ask("b", { onTimeout: "skip", answerTimeoutMs: 9e8 }),
      { min: 2, max: 3 },
    ],
    ["a question that may be left out does so too", ask("b", { skippable: true }), { min: 2, max: 3 }],
    ["what is never met is not counted", ask("b", { condition: false }), { min: 1, max: 1 }],
  ])("%s", async (_, block, remaining) => {
    const behind = block.skippable || block.onTimeout ? [ask("c", { dependsOn: ["b"] })] : [];
    const { run } = await begin(flow(ask("a"), block, ...behind));
    expect(progressOf(run).remaining).toEqual(remaining);
  });

  test("a block that need not be skipped with what it depends on is sure", async () => {
    const { run } = await begin(flow(ask("a", { skippable: true }), ask("b", { dependsOn: [{ block: "a", required: false }] })));
    expect(progressOf(run).remaining).toEqual({ min: 2, max: 2 });
  });

  test("counts what is declined, left out and over", async () => {
    const { run } = await begin(flow(ask("a", { skippable: true }), ask("b", { continueOnError: true })));
    await run.decline(run.getSnapshot().pauses[0]!.id, { action: "skip" });
    expect(progressOf(run)).toEqual({ answered: 1, remaining: { min: 1, max: 1 } });
    await run.decline(run.getSnapshot().pauses[0]!.id);
    expect(progressOf(run)).toEqual({ answered: 2, remaining: { min: 0, max: 0 } });
  });

  test("counts the questions of a called workflow that are known, and tells no most before it has ended", async () => {
    const inner: Workflow = { name: "inner", blocks: [ask("x"), ask("y", { dependsOn: ["x"] })] };
    const outer = flow({ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } }, ask("after", { dependsOn: ["call"] }));
    const { run } = await begin(outer, [inner]);
    expect(progressOf(run)).toEqual({ answered: 0, remaining: { min: 2 } });
    await run.answer(run.getSnapshot().pauses[0]!.id, "1");
    await run.answer(run.getSnapshot().pauses[0]!.id, "2");
    expect(progressOf(run)).toEqual({ answered: 2, remaining: { min: 1, max: 1 } });
  });

  test("counts the items of a list once it has begun", async () => {
    const blocks = [ask("a"), ask("b", { forEach: "${inputs.list}", dependsOn: ["a"] })];
    const workflow: Workflow = { name: "flow", inputs: { list: { type: "array" } }, blocks };
    const run = await createExecutor({ store: memoryStore(), workflows: [workflow] }).start("flow", { list: ["x", "y", "z"] });
    await run.settled();
    expect(progressOf(run).remaining).toEqual({ min: 1 });
    await run.answer(run.getSnapshot().pauses[0]!.id, "1");
    expect(progressOf(run)).toEqual({ answered: 1, remaining: { min: 3, max: 3 } });
  });

  test("is the same object while nothing changes, and in another reading of the run", async () => {
    const { run, store } = await begin(flow(ask("a"), ask("b", { dependsOn: ["a"] })));
    const before = progressOf(run);
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, "x");
    expect(progressOf(run)).toBe(before);
    expect(progressOf(await createExecutor({ store }).open(run.id))).toEqual(before);
  });

  test("is counted anew when what failed goes on", async () => {
    const { run } = await begin(flow(ask("a"), ask("b", { dependsOn: ["a"] })));
    await run.decline(run.getSnapshot().pauses[0]!.id);
    expect(progressOf(run).remaining).toEqual({ min: 0, max: 0 });
    await run.resume();
    expect(progressOf(run).remaining).toEqual({ min: 2, max: 2 });
  });

  test("is after each refusal, step back and changed answer what another reading of the run counts", async () => {
    const strict = defineBlock({
      type: "Strict",
      execute: () => pause({ prompt: "A word?" }),
      // A page that looks on sees the answer before it is refused.
      resume: async ({ response, host }) => {
        await host.sleep(1);
        return response === "no"
          ? { status: "invalid", error: { code: "RESPONSE_INVALID", message: "Another word." } }
          : success({ word: response });
      },
    });
    const inner: Workflow = { name: "inner", blocks: [ask("x"), { id: "y", type: "Strict", dependsOn: ["x"] }] };
    const workflow = flow(
      { id: "first", type: "Strict" },
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" }, dependsOn: ["first"] },
      { id: "last", type: "Strict", dependsOn: ["call"] },
    );
    const store = memoryStore();
    const open = () => createExecutor({ store, workflows: [workflow, inner], blocks: [strict] });
    const run = await open().start("flow");
    await run.settled();
    run.subscribe(() => {});
    const seen: number[] = [];
    const compare = async (): Promise<void> => {
      const progress = progressOf(run);
      expect(progress).toEqual(progressOf(await open().open(run.id)));
      seen.push(progress.answered);
    };
    const give = async (response: Value): Promise<void> => {
      await run.answer(run.getSnapshot().pauses[0]!.id, response);
      await compare();
    };
    for (const response of ["no", "a", "b", "no", "c", "no"]) await give(response);
    const asked = (await run.answers()).map(({ pause: id }) => id!);
    await run.back();
    await compare();
    await give("d");
    await run.revise(asked[1]!, "e");
    await compare();
    await run.revise(asked[0]!, "f");
    await compare();
    while (run.getSnapshot().status === "paused") await give("g");
    expect(seen.slice(0, 6)).toEqual([0, 1, 2, 2, 3, 3]);
  });

  test("looks at each question of a long loop once", () => {
    const TURNS = 300;
    let reads = 0;
    const pauses = new Proxy<PauseState[]>([], {
      get(target, member) {
        if (Number.isInteger(Number(String(member)))) reads++;
        return Reflect.get(target, member) as unknown;
      },
    });
    const definition = compileWorkflow(flow({ id: "it", type: "Chatty", maxIterations: TURNS }));
    const started = { type: "started", version: 1, workflow: "flow", definition: "d", inputs: {}, at: 0 } as const;
    const run = new FoldedRun(new Map([["d", definition]]), { ...initialState("run_1", definition, started), pauses });
    const counter = new QuestionCounter(new Map([["Chatty", chatty]]));
    const turns: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const before = reads;
      for (const [i, entry] of [paused("it", turn), answered(turn), iterated("it")].entries()) {
        run.apply({ ...entry, at: 3 * turn + i } as unknown as Entry);
        expect(counter.count(run).answered).toBe(i === 0 ? turn : turn + 1);
      }
      turns.push(reads - before);
    }
    expect(turns[5]).toBeGreaterThan(0);
    expect(turns.at(-1)).toBe(turns[5]);
  });

  test("never claims too much or too little along any way through thirty questions", async () => {
    const workflow = loadWorkflow(TRAVEL_SURVEY);
    const bound = fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 1_000 })), async (chances) => {
      const { run } = await begin(workflow);
      const seen: RunProgress[] = [];
      for (let result = await run.settled(); result.status === "paused";) {
        seen.push(progressOf(run));
        const open = result.pauses[chances.next().value % result.pauses.length]!;
        result = await run.answer(open.id, answerTo(open, chances.next().value));
      }
      const total = progressOf(run).answered;
      expect(total).toBeGreaterThan(10);
      expect(seen.every(({ answered, remaining: { min } }) => answered + min <= total)).toBe(true);
      expect(seen.every(({ answered, remaining: { max } }) => total <= answered + max!)).toBe(true);
      // Each answer tells more.
      expect(seen.map(({ answered, remaining }) => answered + remaining.min)).toEqual(
        seen.map(({ answered, remaining }) => answered + remaining.min).toSorted((a, b) => a - b),
      );
    });
    await fc.assert(bound, { numRuns: 8 });
  });
});

function answerTo({ type, schema }: { readonly type: string; readonly schema: object }, chance: number): Value {
  switch (type) {
    case "Form":
      return Object.fromEntries(
        Object.entries((schema as { properties: { [name: string]: { type: string } } }).properties).map(([name, field]) => [
          name,
          field.type === "integer" ? chance : field.type === "boolean" ? chance % 2 === 0 : "text",
        ]),
      );
    case "AskChoice":
      return (chance % 2) + 1;
    case "ConfirmOperation":
      return chance % 2 === 0 ? "yes" : "no";
    default:
      return `text ${chance}`;
  }
}

import { createExecutor, defineBlock, defineWorkflow, success } from "wavepoint";
import type { BlockType, Executor, ExecutorOptions, Store, Workflow } from "wavepoint";
import { fakeHost } from "wavepoint/testing";

/** Questions with a branch, a called workflow, and a block whose outputs are more than JSON. */
const survey: Workflow = defineWorkflow({
  name: "survey",
  inputs: { who: { type: "string" } },
  blocks: [
    { id: "kind", type: "AskChoice", inputs: { question: "Which, ${inputs.who}?", choices: ["tea", "coffee"] } },
    {
      id: "sugar",
      type: "ConfirmOperation",
      inputs: { message: "Sugar?" },
      dependsOn: ["kind"],
      condition: "${blocks.kind.choice} == 'tea'",
    },
    { id: "name", type: "GetInput", inputs: { prompt: "Your name?", validation_pattern: "^[A-Z]" }, dependsOn: ["kind"] },
    { id: "end", type: "EchoBlock", inputs: { message: "${blocks.name.input_value}: ${blocks.kind.choice}" }, dependsOn: ["name"] },
  ],
  outputs: { order: "${blocks.end.echoed}" },
});

const outer: Workflow = defineWorkflow({
  name: "outer",
  blocks: [{ id: "inner", type: "ExecuteWorkflow", inputs: { workflow: "survey", inputs: { who: "guest" } } }],
  outputs: { order: "${blocks.inner.outputs.order}" },
});

/** A workflow that is unknown before it is loaded. */
export const later: Workflow = defineWorkflow({ name: "later", blocks: [{ id: "echo", type: "EchoBlock", inputs: { message: "later" } }] });

const giveRich: BlockType = defineBlock({
  type: "GiveRich",
  execute: async () =>
    success({
      at: new Date(0),
      map: new Map([["a", new Set([1n])]]),
      bytes: new Uint8Array([1, 2, 3]),
      nothing: undefined,
      odd: [Number.NaN, -0, Number.POSITIVE_INFINITY],
    } as never),
});

const failOnce: BlockType = defineBlock({
  type: "FailOnce",
  execute: async ({ mayHaveRun }) => {
    if (mayHaveRun) return success({ done: true });
    throw new RangeError("Not the first time.");
  },
});

const rich: Workflow = defineWorkflow({ name: "rich", blocks: [{ id: "give", type: "GiveRich" }] }, { blocks: [giveRich] });
const broken: Workflow = defineWorkflow({ name: "broken", blocks: [{ id: "fail", type: "FailOnce" }] }, { blocks: [failOnce] });

/** The executor of these tests: the same in the page and in a worker, with a clock that stands still. */
export function surveyExecutor(store: Store, options: Partial<ExecutorOptions> = {}): Executor {
  return createExecutor({ store, host: fakeHost(), workflows: [survey, outer, rich, broken], blocks: [giveRich, failOnce], ...options });
}

import { appendFileSync } from "node:fs";
import { defineBlock, success, type BlockType, type Workflow } from "wavepoint";
import { stepName } from "./long-run.ts";
import type { Testimony } from "./witness.ts";

/** How long a block of a run works, and how long the run waits, in milliseconds. */
const WORK_MS = 15;
const WAIT_MS = 200;
/** Longer than what a worker waits for by itself: the run is ordered for later. */
const LONG_WAIT_MS = 2_000;
const ITEMS = ["one", "two", "three"];

const work = (id: string, ...dependsOn: readonly string[]) => ({ id, type: "Work", dependsOn });
const ask = (id: string, ...dependsOn: readonly string[]) => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, dependsOn });

/** A run with a pause, items, a timer, a called run that asks, and work before, between and behind them. */
export const CLUSTER_WORKFLOWS: readonly Workflow[] = [
  {
    name: "trip",
    inputs: { isLong: { type: "boolean", default: false } },
    blocks: [
      work("look"),
      { ...work("each"), forEach: ITEMS, maxParallel: 2 },
      ask("who", "look", "each"),
      { id: "rest", type: "Wait", inputs: { duration_ms: WAIT_MS }, dependsOn: ["who"], condition: "not ${inputs.isLong}" },
      { id: "sleep", type: "Wait", inputs: { duration_ms: LONG_WAIT_MS }, dependsOn: ["who"], condition: "${inputs.isLong}" },
      {
        id: "visit",
        type: "ExecuteWorkflow",
        inputs: { workflow: "visit" },
        dependsOn: [
          { block: "rest", required: false },
          { block: "sleep", required: false },
        ],
      },
      work("pay", "visit"),
    ],
    outputs: { who: "${blocks.who.input_value}", sure: "${blocks.visit.sure}" },
  },
  { name: "visit", blocks: [work("knock"), ask("sure", "knock"), work("enter", "sure")], outputs: { sure: "${blocks.sure.input_value}" } },
];

/** The steps that a run leaves, with those of the run that it calls: with bodies, and all of them. */
export const BODIES = 2 + ITEMS.length + 2;
export const STEPS = 7 + ITEMS.length + 3;

/** Blocks that say in a file when they begin and end. A process that is killed loses no line that it wrote. */
export function clusterBlocks(ledger: string, by: string): readonly BlockType[] {
  let executions = 0;
  const tell = (line: Testimony): void => appendFileSync(ledger, `${JSON.stringify(line)}\n`);
  const type = defineBlock({
    type: "Work",
    async execute({ run, block: id, item, idempotencyKey: key, host, signal }) {
      const block = stepName({ block: id, item: item?.index });
      const proof = `${by}.${(executions += 1)}`;
      tell({ type: "began", run, block, key, by, proof });
      await host.sleep(WORK_MS, signal);
      tell({ type: "ended", run, block, key, by, proof });
      return success({ proof });
    },
  });
  return [type];
}

import fc from "fast-check";
import { createExecutor, defineBlock, failure, pause, success } from "wavepoint";
import type { Block, BlockType, Executor, Run, RunResult, Step, Store, Workflow } from "wavepoint";
import { fakeHost } from "wavepoint/testing";

/** What a random block does when it runs. */
export type Deed = "work" | "fail" | "fail twice" | "ask" | "ask twice" | "ask, then fail twice";

/** One block of a random workflow, before it has a name. */
export interface Sketch {
  readonly deed: Deed;
  /** How many blocks before this one each dependency stands; what falls before the first is left out. */
  readonly back: readonly number[];
  /** How many items it has; nothing where it runs once. */
  readonly items: number | undefined;
  readonly lanes: number;
  readonly optional: boolean;
  readonly tolerant: boolean;
  readonly condition: "none" | "true" | "false" | "first succeeded" | "first failed";
}

/** The order in which questions are answered and how long blocks take: nothing that results may depend on. */
export interface Circumstances {
  readonly seed: number;
  readonly delays: readonly number[];
  readonly order: readonly number[];
  readonly maxParallel: number;
}

const MOST_BLOCKS = 14;

/** Random definitions: any DAG of up to 14 blocks, with conditions, failures, attempts, questions, items and optional dependencies. */
export const sketches: fc.Arbitrary<readonly Sketch[]> = fc.array(
  fc.record<Sketch>({
    deed: fc.constantFrom("work", "work", "work", "fail", "fail twice", "ask", "ask twice", "ask, then fail twice"),
    items: fc.constantFrom(undefined, undefined, undefined, 0, 1, 3),
    lanes: fc.integer({ min: 1, max: 3 }),
    back: fc.uniqueArray(fc.integer({ min: 1, max: MOST_BLOCKS }), { maxLength: 3 }),
    optional: fc.boolean(),
    tolerant: fc.boolean(),
    condition: fc.constantFrom("none", "none", "none", "true", "false", "first succeeded", "first failed"),
  }),
  { minLength: 1, maxLength: MOST_BLOCKS },
);

/** Random circumstances. */
export const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  seed: fc.integer({ min: 2, max: 1_000_000 }),
  delays: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: MOST_BLOCKS }),
  order: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 20 }),
  maxParallel: fc.integer({ min: 1, max: 20 }),
});

/** The indexes of the blocks that one depends on. */
export function dependenciesOf(index: number, { back }: Sketch): readonly number[] {
  return back.map((steps) => index - steps).filter((dependency) => dependency >= 0);
}

/** Names say nothing about the order, so that no rule can lean on it. */
export function nameOf(index: number): string {
  return `b${(index * 7) % 31}`;
}

function conditionOf({ condition }: Sketch, first: string | undefined): string | undefined {
  if (condition === "none") return undefined;
  if (condition === "true" || condition === "false") return condition;
  if (first === undefined) return undefined;
  return condition === "first succeeded" ? `\${blocks.${first}.succeeded}` : `\${blocks.${first}.failed}`;
}

/** The definition of a sketch. Every block takes what its dependencies gave into its own output. */
export function toWorkflow(plan: readonly Sketch[]): Workflow {
  const blocks = plan.map((sketch, index): Block => {
    const names = dependenciesOf(index, sketch).map(nameOf);
    const condition = conditionOf(sketch, names[0]);
    return {
      id: nameOf(index),
      type: "Deed",
      inputs: { deed: sketch.deed, seen: names.map((name) => `\${blocks.${name}.metadata.status}`) },
      dependsOn: names.map((block) => (sketch.optional ? { block, required: false } : block)),
      ...(sketch.items === undefined ? {} : { forEach: Array.from({ length: sketch.items }, () => 0), maxParallel: sketch.lanes }),
      ...(sketch.deed.includes("twice") ? { retry: { maxAttempts: 3, delayMs: 10 } } : {}),
      ...(sketch.tolerant ? { continueOnError: true } : {}),
      ...(condition === undefined ? {} : { condition }),
    };
  });
  const outputs = Object.fromEntries(plan.map((_, index) => [nameOf(index), `\${blocks.${nameOf(index)}.metadata.status}`]));
  return { name: "random", blocks, outputs };
}

/** The name of a block, or of one of its items. */
export function unitOf(block: string, item: number | undefined): string {
  return item === undefined ? block : `${block}[${item}]`;
}

/** How often a block, or an item of it, is executed. */
export function executionsOf({ deed }: Sketch): number {
  return deed === "fail twice" ? 3 : 1;
}

/** What happened, told by the blocks and items themselves: a start, or an end. */
export type Event = { readonly block: string; readonly what: "start" | "end" };

function deedBlock({ delays }: Circumstances, events: Event[]): BlockType {
  const ask = (unit: string, round: number) => pause({ prompt: `${unit}, question ${round}`, metadata: { round } });
  return defineBlock({
    type: "Deed",
    async execute({ inputs, block, item, attempt, host, signal }) {
      const unit = unitOf(block, item?.index);
      events.push({ block: unit, what: "start" });
      await host.sleep(delays[(Number(block.slice(1)) + (item?.index ?? 0)) % delays.length]!, signal);
      events.push({ block: unit, what: "end" });
      const deed = String(inputs["deed"]);
      if (deed === "fail" || (deed === "fail twice" && attempt < 3)) return failure(`${unit} fails`, { partial: unit });
      if (deed.startsWith("ask")) return ask(unit, 1);
      return success({ unit, seen: inputs["seen"] });
    },
    async resume({ inputs, block, item, attempt, response, pause: { metadata } }) {
      const unit = unitOf(block, item?.index);
      if (inputs["deed"] === "ask twice" && metadata["round"] === 1) return ask(unit, 2);
      if (inputs["deed"] === "ask, then fail twice" && attempt < 3) return failure(`${unit} fails`);
      return success({ unit, seen: inputs["seen"], answer: String(response) });
    },
  });
}

/** An executor on a store, under given circumstances. */
export function randomExecutor(store: Store, workflow: Workflow, around: Circumstances, events: Event[]): Executor {
  const host = fakeHost({ seed: around.seed, autoAdvance: true });
  return createExecutor({
    store,
    host,
    maxParallel: around.maxParallel,
    policy: { durability: around.seed % 2 === 0 ? "sync" : "async" },
    workflows: [workflow],
    blocks: [deedBlock(around, events)],
  });
}

/** Answers all that a run asks, in the order of the circumstances, until it has ended. */
export async function finish(run: Run, { order }: Circumstances): Promise<RunResult> {
  let result = await run.settled();
  for (let turn = 0; result.status === "paused"; turn += 1) {
    const { id, prompt } = result.pauses[order[turn % order.length]! % result.pauses.length]!;
    result = await run.answer(id, `answer to ${prompt}`);
  }
  return result;
}

/** An ending without how often blocks failed: an attempt that a crash cut short counts, and these blocks fail by the number of the attempt. */
export function withoutAttempts(given: unknown): unknown {
  return JSON.parse(JSON.stringify(given).replaceAll(/,\\"attempts\\":\d+/g, ""));
}

/** How a run ended: all that must not depend on circumstances. Of several failures of a wave the one that is reported is the first in the plan. */
export function ending(result: RunResult, steps: readonly Step[]): unknown {
  return {
    status: result.status,
    outputs: result.outputs,
    error: result.error?.message,
    steps: steps
      .map(({ block, item, status, outputs, error, skipped, attempts }) =>
        JSON.stringify({ block, item, status, outputs, error: error?.message, skipped, attempts }),
      )
      .toSorted(),
  };
}

import {
  createExecutor,
  defineBlock,
  isWorkflowError,
  success,
  type Block,
  type CheckpointPolicy,
  type Executor,
  type Run,
  type Store,
  type Workflow,
} from "wavepoint";
import { fakeHost } from "wavepoint/testing";
import { stopAt, type StopPoint } from "./stop-at.ts";

/** How many waves what is added may take. */
const DEPTH = 5;

/** A run whose blocks add blocks and ask for checkpoints, in a loop, in a list and in a block that was added itself. */
const FLOW: Workflow = {
  name: "growing",
  channels: { said: { reduce: "append" } },
  blocks: [
    { id: "names", type: "GetInput", inputs: { prompt: "names?" } },
    { id: "plan", type: "Plan", dependsOn: ["names"], inputs: { names: "${blocks.names.outputs.input_value}" } },
    { id: "each", type: "Leaf", dependsOn: ["names"], forEach: ["i", "j"], inputs: { name: "${each.value}" } },
    ...Array.from({ length: DEPTH }, (_, i) => ({
      id: `later${i}`,
      type: "EchoBlock",
      inputs: { message: "" },
      dependsOn: [i === 0 ? "names" : `later${i - 1}`],
    })),
    // Asked once all that was added has run: answers of a run that has ended do not change.
    { id: "sure", type: "GetInput", inputs: { prompt: "sure?" }, dependsOn: [`later${DEPTH - 1}`] },
  ],
  outputs: { count: "${blocks.plan.outputs.count}" },
};

/** What is answered to each question; that to the first one is changed in the end. */
const ANSWERS: { readonly [prompt: string]: string } = { "names?": "x,y", "x?": "1", "y?": "2", "z?": "3", "sure?": "yes" };
const CHANGED = "y,z,x";

const echo = (id: string, message: string, more: Partial<Block> = {}): Block => ({
  id,
  type: "EchoBlock",
  inputs: { message },
  writes: { said: `\${blocks.${id}.outputs.echoed}` },
  ...more,
});

function blocksOf(began: (execution: string) => void) {
  const leaf = defineBlock({
    type: "Leaf",
    channels: {},
    execute({ inputs, block, item, add, checkpoint }) {
      began(nameOf(block, item?.index, 1));
      const name = String(inputs["name"]);
      add(echo(`leaf_${name}`, name));
      checkpoint({ leaf: name });
      return success({});
    },
  });
  const plan = defineBlock({
    type: "Plan",
    channels: {},
    execute({ inputs, block, iteration, add, checkpoint, nextIteration }) {
      began(nameOf(block, undefined, iteration));
      const names = String(inputs["names"]).split(",");
      const name = names[iteration - 1]!;
      add([
        { id: `ask_${name}`, type: "GetInput", inputs: { prompt: `${name}?` } },
        echo(`say_${name}`, `${name} is \${blocks.ask_${name}.outputs.input_value}`, { dependsOn: [`ask_${name}`] }),
        { id: `more_${name}`, type: "Leaf", inputs: { name }, dependsOn: [`say_${name}`] },
      ]);
      checkpoint({ name });
      return iteration < names.length ? nextIteration() : success({ count: names.length });
    },
  });
  return [leaf, plan];
}

function nameOf(block: string, item: number | undefined, iteration: number): string {
  return `${block}${item === undefined ? "" : `[${item}]`} ${iteration}`;
}

/** What is done to the run, in its order; each may be done again by another process. */
const DEEDS: readonly ((executor: Executor) => Promise<unknown>)[] = [
  (executor) =>
    executor.start("growing", {}, { id: "g" }).catch((error: unknown) => {
      if (!isWorkflowError(error) || error.code !== "RUN_EXISTS") throw error;
    }),
  (executor) => answerAll(executor, "sure?"),
  async function change(executor) {
    const run = await executor.open("g");
    const asked = (await run.answers()).find(({ prompt, status }) => prompt === "names?" && status === "answered");
    if (asked && asked.answer !== CHANGED) await run.revise(asked.pause!, CHANGED);
  },
  (executor) => answerAll(executor),
];

/** Answers what is asked, up to a question. */
async function answerAll(executor: Executor, last?: string): Promise<void> {
  const run = await executor.open("g");
  for (let result = await settle(run); result.status === "paused";) {
    const { id, prompt } = result.pauses[0]!;
    if (prompt === last) return;
    result = await run.answer(id, ANSWERS[prompt]!);
  }
}

function settle(run: Run) {
  return run.getSnapshot().status === "running" ? run.resume() : run.settled();
}

/** How a run came out that was played to its end. */
export interface Played {
  /** Writes to the store until the end, or until the process died. */
  readonly writes: number;
  /** Whether a process died at all. */
  readonly hasDied: boolean;
  /** Executions that the store had, and that were made again though no answer was changed since. */
  readonly again: readonly string[];
  /** What must be the same whether a process died or not. */
  readonly ending: object;
}

/** Plays the run to its end. The first process dies at the point, where one is given, and another one with nothing but the store does what was left again. */
export async function playGrowing(store: Store, policy: CheckpointPolicy, point?: StopPoint): Promise<Played> {
  const again: string[] = [];
  let stored: readonly string[] = [];
  const processOn = (its: Store, seed: number): Executor =>
    createExecutor({
      store: its,
      workflows: [FLOW],
      blocks: blocksOf((execution) => stored.includes(execution) && again.push(execution)),
      policy,
      host: fakeHost({ autoAdvance: true, seed }),
      onEvent: (event) => event.type === "recorded" && event.entry.type === "revised" && (stored = []),
    });
  const doomed = stopAt(store, point);
  let executor = processOn(doomed.store, 1);
  let hasDied = false;
  for (const deed of DEEDS) {
    for (;;) {
      try {
        await deed(executor);
        await settle(await executor.open("g"));
        break;
      } catch (error) {
        if (hasDied || !isWorkflowError(error) || !error.code.startsWith("STORE_")) throw error;
        hasDied = true;
        await doomed.quiet();
        stored = await storedIn(store);
        executor = processOn(store, 2);
      }
    }
  }
  const writes = doomed.writes();
  await executor.close();
  stored = [];
  return { writes, hasDied, again, ending: await endingOf(processOn(store, 3)) };
}

/** The executions whose end the store has, since an answer was changed. */
async function storedIn(store: Store): Promise<readonly string[]> {
  const texts = (await store.head("run_g")) ? await store.read("run_g") : [];
  const entries = texts.map((text) => JSON.parse(text) as { type: string; block: string; item?: number });
  const counts = new Map<string, number>();
  for (const { type, block, item } of entries.slice(entries.findLastIndex(({ type }) => type === "revised") + 1)) {
    const unit = nameOf(block, item, 0);
    if (type === "completed" || type === "iterated") counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  return [...counts].flatMap(([unit, count]) => Array.from({ length: count }, (_, i) => unit.replace(/0$/, String(i + 1))));
}

/** How the run ended, which checkpoints were asked for, and where a fork from one of them rests. */
async function endingOf(executor: Executor): Promise<object> {
  const run = await executor.open("g");
  const { items } = await executor.checkpoints.list({ run: run.id, kind: "requested" });
  const requested = items.map(({ metadata }) => JSON.stringify({ ...metadata, elapsed_ms: 0 })).toSorted();
  for (const { id } of items) await executor.checkpoints.get(id);
  const fork = await executor.fork(items.find(({ metadata }) => metadata!["name"] === "z")!.id);
  await fork.settled();
  const ending = { ...(await lookOf(run)), requested, fork: await lookOf(fork) };
  await executor.close();
  return ending;
}

async function lookOf(run: Run) {
  const { values, channels } = await run.state();
  const { status, waves } = run.getSnapshot();
  return { status, values, channels, plan: waves.map(({ blocks }) => blocks.map(({ id, status: its }) => `${id} ${its}`)) };
}

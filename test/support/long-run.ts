import { createExecutor, defineBlock, isWorkflowError, success } from "wavepoint";
import type { Block, BlockContext, BlockType, Executor, Run, RunResult, Store, Workflow } from "wavepoint";
import { CHANNELS, featureBlocks, featureTypes, sagaWorkflow } from "./every-feature.ts";
import type { WorkerOptions } from "./witness.ts";

/** A long run: rounds of a question and a wave of blocks that take some time. Every third round calls another workflow. */
export interface LongRunShape {
  readonly rounds: number;
  /** Blocks of a wave. */
  readonly parallel: number;
  /** Items of one more block in each wave, two of them at a time. Default: there is no such block. */
  readonly items?: number;
  /** Whether every third round has one of each feature, waits for a signal, and is stopped for now while it executes. Default: false. */
  readonly hasFeatures?: boolean;
  /** How long each of them takes, in milliseconds. */
  readonly delayMs: number;
}

const ANSWER = "answer to ";
const STOP_AFTER_MS = 8;

/** The name of a block, or of one of its items, in one of its iterations. */
export function stepName({
  block,
  item,
  iteration = 1,
}: {
  readonly block: string;
  readonly item?: number | undefined;
  readonly iteration?: number;
}): string {
  return `${block}${item === undefined ? "" : `[${item}]`}${iteration === 1 ? "" : `#${iteration}`}`;
}

/** The rounds that have features, as those with a called run come every third time. */
const hasFeaturesIn = (round: number): boolean => round % 3 === 1;

/** The workflows of a long run, the main one first. */
export function longWorkflows({ rounds, parallel, items = 0, hasFeatures = false, delayMs }: LongRunShape): readonly Workflow[] {
  const work = (id: string, round: number, dependsOn: readonly string[]) => ({
    id,
    type: "Work",
    inputs: { load: `\${blocks.ask-${round}.input_value} ${id}`, delay_ms: delayMs },
    dependsOn,
  });
  const blocks = Array.from({ length: rounds }, (_, round) => {
    const team = Array.from({ length: parallel }, (_, i) => `work-${round}-${i}`);
    const before = round === 0 ? [] : Array.from({ length: parallel }, (_, i) => `work-${round - 1}-${i}`);
    const called =
      round % 3 === 2
        ? [{ id: `call-${round}`, type: "ExecuteWorkflow", inputs: { workflow: "called" }, dependsOn: [`ask-${round}`] }]
        : [];
    const together =
      items > 0
        ? [
            {
              ...work(`items-${round}`, round, [`ask-${round}`]),
              forEach: Array.from({ length: items }, (_, i) => `item ${i}`),
              maxParallel: 2,
            },
          ]
        : [];
    const question = { id: `ask-${round}`, type: "GetInput", inputs: { prompt: `round ${round}` }, dependsOn: before };
    const features: readonly Block[] = hasFeatures && hasFeaturesIn(round) ? featureBlocks(round, delayMs) : [];
    return [question, ...team.map((id) => work(id, round, [`ask-${round}`])), ...together, ...called, ...features];
  }).flat();
  const called: Workflow = {
    name: "called",
    blocks: [
      { id: "look", type: "Work", inputs: { load: "view", delay_ms: delayMs } },
      { id: "ask-view", type: "GetInput", inputs: { prompt: "called" }, dependsOn: ["look"] },
      { id: "note", type: "Work", inputs: { load: "${blocks.ask-view.input_value}", delay_ms: delayMs }, dependsOn: ["ask-view"] },
    ],
    outputs: { note: "${blocks.note.load}" },
  };
  const outputs = Object.fromEntries(
    Array.from({ length: rounds }, (_, round) => [
      [`round-${round}`, `\${blocks.work-${round}-0.load}`],
      ...(round % 3 === 2 ? [[`call-${round}`, `\${blocks.call-${round}.note}`]] : []),
    ]).flat(),
  ) as Record<string, string>;
  if (!hasFeatures) return [{ name: "long", blocks, outputs }, called];
  const said = { said: "${channels.said}", turns: "${channels.turns}" };
  return [{ name: "long", channels: CHANNELS, blocks, outputs: { ...outputs, ...said } }, called, sagaWorkflow(delayMs)];
}

/** Blocks that tell the witness before and after they work. Each execution leaves a proof of its own in its output. */
function blockTypes(options: WorkerOptions): readonly BlockType[] {
  const { by, tell } = options;
  let executions = 0;
  async function perform(
    context: BlockContext<{ readonly [name: string]: unknown }>,
    deed = async (): Promise<unknown> => undefined,
  ): Promise<string> {
    const { inputs, run, idempotencyKey: key, host, signal } = context;
    const block = stepName({ block: context.block, item: context.item?.index, iteration: context.iteration });
    const proof = `${by}.${(executions += 1)}`;
    await tell({ type: "began", run, block, key, by, proof });
    await deed();
    await host.sleep(Number(inputs["delay_ms"]), signal);
    await tell({ type: "ended", run, block, key, by, proof });
    return proof;
  }
  const work = defineBlock({
    type: "Work",
    async execute(context) {
      const proof = await perform(context);
      return success({ load: String(context.inputs["load"]), proof });
    },
  });
  return [work, ...featureTypes(options, perform)];
}

/** An executor that knows these workflows. `sync`: the next wave waits until this one is stored. */
export function longRunExecutor(options: WorkerOptions, workflows: readonly Workflow[]): Executor {
  return createExecutor({ store: options.store, policy: { durability: "sync" }, workflows, blocks: blockTypes(options) });
}

/** The run that is stored, or a new one. */
export async function findOrStart(executor: Executor): Promise<Run> {
  const { items } = await executor.runs.list({ workflow: "long", topLevel: true, limit: 1 });
  return items[0] === undefined ? executor.start("long") : executor.open(items[0].id);
}

/** Goes on until the run has ended, answers each question, and sends each signal that is waited for. A round with features is stopped once while it executes. */
export async function finishRun(run: Run, { by, tell }: WorkerOptions): Promise<RunResult> {
  let result = await run.resume();
  while (result.status === "paused") {
    for (const name of awaitedBy(run)) {
      await tell({ type: "signalling", run: run.id, name, by });
      // The other process may have sent it with the same id.
      await run.signal(name, name, { id: name });
      await tell({ type: "signalled", run: run.id, name, by });
    }
    for (const pause of result.pauses) {
      const line = { run: run.id, pause: pause.id, by, response: ANSWER + pause.prompt };
      await tell({ type: "answering", ...line });
      const answering = run.answer(pause.id, line.response);
      const round = /^ask-(\d+)$/.exec(pause.path[0]!)?.[1];
      if (round !== undefined && hasFeaturesIn(Number(round)) && hasBlock(run, `loop-${round}`)) await stopOnce(run);
      const answered = await answering;
      if (answered.status === "failure" && answered.error.code !== "PAUSE_ALREADY_ANSWERED") return answered;
      await tell({ type: "answered", ...line });
    }
    result = run.getSnapshot().reason === "stopped" ? await run.resume() : await run.settled();
  }
  await tell({ type: "finished", run: run.id, by });
  return result;
}

/** The events for which blocks of a run wait. */
function awaitedBy(run: Run): readonly string[] {
  return run
    .getSnapshot()
    .waves.flatMap(({ blocks }) => blocks.flatMap(({ status, events }) => (status === "waiting" ? (events ?? []) : [])));
}

const hasBlock = (run: Run, id: string): boolean => run.getSnapshot().waves.some(({ blocks }) => blocks.some((block) => block.id === id));

/** Stops the run for now, soon after it went on. */
async function stopOnce(run: Run): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, STOP_AFTER_MS));
  await run.stop().catch((error: unknown) => {
    if (!isWorkflowError(error) || error.code !== "RUN_ENDED") throw error;
  });
}

/** The names of the signals that a run took, as its journal has them. */
export async function storedSignals(store: Store, run: string): Promise<readonly string[]> {
  const entries = (await store.read(run)).map((text) => JSON.parse(text) as { readonly type: string; readonly name: string });
  return entries.flatMap(({ type, name }) => (type === "signalled" ? [name] : []));
}

/** Reads the store through a connection of its own and tells every completed step, once, until it is stopped. */
export async function watchStore(
  store: Store,
  { by, tell }: Pick<WorkerOptions, "by" | "tell">,
  options: { readonly workflows: readonly Workflow[]; readonly stopped: () => boolean },
): Promise<void> {
  const observer = longRunExecutor({ by, tell, store }, options.workflows);
  const told = new Set<string>();
  while (!options.stopped()) {
    for (const head of (await observer.runs.list()).items) {
      for (const step of await (await observer.open(head.id)).steps()) {
        const name = `${head.id}/${stepName(step)}`;
        if (step.status !== "completed" || told.has(name)) continue;
        told.add(name);
        await tell({
          type: "stored",
          run: head.id,
          block: stepName(step),
          by,
          proof: String(step.outputs?.["proof"] ?? step.outputs?.["input_value"]),
        });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await observer.close();
}

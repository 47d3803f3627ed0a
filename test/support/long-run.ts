import { createExecutor, defineBlock, success } from "wavepoint";
import type { BlockType, Executor, Run, RunResult, Store, Value, Workflow } from "wavepoint";
import type { Testimony } from "./witness.ts";

/** A long run: rounds of a question and a wave of blocks that take some time. Every third round calls another workflow. */
export interface LongRunShape {
  readonly rounds: number;
  /** Blocks of a wave. */
  readonly parallel: number;
  /** Items of one more block in each wave, two of them at a time. Default: there is no such block. */
  readonly items?: number;
  /** How long each of them takes, in milliseconds. */
  readonly delayMs: number;
}

/** What works on the run, and where it reports. */
export interface WorkerOptions {
  readonly by: string;
  readonly store: Store;
  /** Resolves once the witness has it. */
  readonly tell: (line: Testimony) => void | Promise<void>;
}

const ANSWER = "answer to ";

/** The name of a block, or of one of its items. */
export function stepName({ block, item }: { readonly block: string; readonly item?: number | undefined }): string {
  return item === undefined ? block : `${block}[${item}]`;
}

/** The workflows of a long run, the main one first. */
export function longWorkflows({ rounds, parallel, items = 0, delayMs }: LongRunShape): readonly Workflow[] {
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
    return [question, ...team.map((id) => work(id, round, [`ask-${round}`])), ...together, ...called];
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
  return [{ name: "long", blocks, outputs }, called];
}

/** Tells the witness before and after it works. Each execution leaves a proof of its own in its output. */
function workBlock({ by, tell }: WorkerOptions): BlockType {
  let executions = 0;
  return defineBlock({
    type: "Work",
    async execute({ inputs, run, block: id, item, idempotencyKey: key, host, signal }) {
      const block = stepName({ block: id, item: item?.index });
      const proof = `${by}.${(executions += 1)}`;
      await tell({ type: "began", run, block, key, by, proof });
      await host.sleep(Number(inputs["delay_ms"]), signal);
      await tell({ type: "ended", run, block, key, by, proof });
      return success({ load: String(inputs["load"]), proof });
    },
  });
}

/** An executor that knows these workflows. `sync`: the next wave waits until this one is stored. */
export function longRunExecutor(options: WorkerOptions, workflows: readonly Workflow[]): Executor {
  return createExecutor({ store: options.store, policy: { durability: "sync" }, workflows, blocks: [workBlock(options)] });
}

/** The run that is stored, or a new one. */
export async function findOrStart(executor: Executor): Promise<Run> {
  const { items } = await executor.runs.list({ workflow: "long", topLevel: true, limit: 1 });
  return items[0] === undefined ? executor.start("long") : executor.open(items[0].id);
}

/** Goes on until the run has ended, and answers each question. */
export async function finishRun(run: Run, { by, tell }: WorkerOptions): Promise<RunResult> {
  let result = await run.resume();
  while (result.status === "paused") {
    const answers: Record<string, Value> = {};
    for (const pause of result.pauses) {
      const line = { run: run.id, pause: pause.id, by, response: ANSWER + pause.prompt };
      answers[pause.id] = line.response;
      await tell({ type: "answering", ...line });
      const answered = await run.answer(pause.id, line.response);
      if (answered.status === "failure" && answered.error.code !== "PAUSE_ALREADY_ANSWERED") return answered;
      await tell({ type: "answered", ...line });
    }
    result = await run.settled();
  }
  await tell({ type: "finished", run: run.id, by });
  return result;
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

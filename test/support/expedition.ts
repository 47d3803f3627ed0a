import { createExecutor, defineBlock, success } from "wavepoint";
import type { BlockType, Executor, Run, RunResult, Store, Value, Workflow } from "wavepoint";
import type { Testimony } from "./witness.ts";

/** A long way to go: legs of a question and a wave of blocks that take their time, every third one of them in a called workflow. */
export interface ExpeditionOptions {
  readonly legs: number;
  /** Blocks of a wave. */
  readonly porters: number;
  /** Items of one more block in each wave, two of them at a time. Default: there is no such block. */
  readonly crew?: number;
  /** How long each of them takes, in milliseconds. */
  readonly delayMs: number;
}

/** Who goes, and whom they tell. */
export interface TravellerOptions {
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

/** The workflows of an expedition, the main one first. */
export function expedition({ legs, porters, crew = 0, delayMs }: ExpeditionOptions): readonly Workflow[] {
  const carry = (id: string, leg: number, dependsOn: readonly string[]) => ({
    id,
    type: "Carry",
    inputs: { load: `\${blocks.ask-${leg}.input_value} ${id}`, delay_ms: delayMs },
    dependsOn,
  });
  const blocks = Array.from({ length: legs }, (_, leg) => {
    const team = Array.from({ length: porters }, (_, i) => `carry-${leg}-${i}`);
    const before = leg === 0 ? [] : Array.from({ length: porters }, (_, i) => `carry-${leg - 1}-${i}`);
    const sideTrip =
      leg % 3 === 2 ? [{ id: `side-${leg}`, type: "ExecuteWorkflow", inputs: { workflow: "side-trip" }, dependsOn: [`ask-${leg}`] }] : [];
    const together =
      crew > 0
        ? [{ ...carry(`crew-${leg}`, leg, [`ask-${leg}`]), forEach: Array.from({ length: crew }, (_, i) => `tent ${i}`), maxParallel: 2 }]
        : [];
    const question = { id: `ask-${leg}`, type: "GetInput", inputs: { prompt: `leg ${leg}` }, dependsOn: before };
    return [question, ...team.map((id) => carry(id, leg, [`ask-${leg}`])), ...together, ...sideTrip];
  }).flat();
  const sideTrip: Workflow = {
    name: "side-trip",
    blocks: [
      { id: "look", type: "Carry", inputs: { load: "view", delay_ms: delayMs } },
      { id: "ask-view", type: "GetInput", inputs: { prompt: "leg side" }, dependsOn: ["look"] },
      { id: "note", type: "Carry", inputs: { load: "${blocks.ask-view.input_value}", delay_ms: delayMs }, dependsOn: ["ask-view"] },
    ],
    outputs: { note: "${blocks.note.load}" },
  };
  const outputs = Object.fromEntries(
    Array.from({ length: legs }, (_, leg) => [
      [`leg-${leg}`, `\${blocks.carry-${leg}-0.load}`],
      ...(leg % 3 === 2 ? [[`side-${leg}`, `\${blocks.side-${leg}.note}`]] : []),
    ]).flat(),
  ) as Record<string, string>;
  return [{ name: "expedition", blocks, outputs }, sideTrip];
}

/** Tells the witness before and after it works. Each execution leaves a proof of its own in its output. */
function carryBlock({ by, tell }: TravellerOptions): BlockType {
  let executions = 0;
  return defineBlock({
    type: "Carry",
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

/** An executor that knows the expedition. `sync`: the next wave waits until this one is stored. */
export function expeditionExecutor(options: TravellerOptions, workflows: readonly Workflow[]): Executor {
  return createExecutor({ store: options.store, policy: { durability: "sync" }, workflows, blocks: [carryBlock(options)] });
}

/** The run that is stored, or a new one. */
export async function findOrStart(executor: Executor): Promise<Run> {
  const { items } = await executor.runs.list({ workflow: "expedition", topLevel: true, limit: 1 });
  return items[0] === undefined ? executor.start("expedition") : executor.open(items[0].id);
}

/** Goes on until the expedition is over, answering whatever it asks. */
export async function travel(run: Run, { by, tell }: TravellerOptions): Promise<RunResult> {
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
  { by, tell }: Pick<TravellerOptions, "by" | "tell">,
  options: { readonly workflows: readonly Workflow[]; readonly stopped: () => boolean },
): Promise<void> {
  const observer = expeditionExecutor({ by, tell, store }, options.workflows);
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

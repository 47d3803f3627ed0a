import { createExecutor, defineBlock, success, type Executor, type ExecutorOptions, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Two questions, of which the second is asked in a called workflow; what Ada packs is more than fits into an entry. */
export const passport: Workflow = {
  name: "passport",
  inputs: { photo: { type: "string", required: false, default: "none" } },
  blocks: [{ id: "number", type: "GetInput", inputs: { prompt: "Its number?" } }],
  outputs: { number: "${blocks.number.input_value}" },
};
export const trip: Workflow = {
  name: "trip",
  inputs: { who: { type: "string", default: "you" } },
  blocks: [
    { id: "pack", type: "Pack", inputs: { of: "${inputs.who}" } },
    { id: "where", type: "GetInput", inputs: { prompt: "Where to, ${inputs.who}?" }, dependsOn: ["pack"] },
    { id: "papers", type: "ExecuteWorkflow", inputs: { workflow: "passport" }, dependsOn: ["where"] },
    { id: "go", type: "Pack", inputs: { of: "${blocks.where.input_value}" }, dependsOn: ["papers"] },
  ],
  outputs: { place: "${blocks.where.input_value}", papers: "${blocks.papers.number}", packed: "${blocks.pack.size}" },
};

/** Bytes of a large bag, more than stay in an entry. */
const BAG_BYTES = 1_500_000;

export interface Place {
  readonly store: Store;
  readonly executor: Executor;
  /** Who packed here, in order. */
  readonly packed: readonly string[];
}

let places = 0;

/** An executor on a store of its own, or on the given one. */
export function place(options: Partial<ExecutorOptions> = {}): Place {
  const packed: string[] = [];
  const pack = defineBlock({
    type: "Pack",
    execute: ({ inputs }) => {
      packed.push(String(inputs["of"]));
      const bag = new Uint8Array(inputs["of"] === "Ada" ? BAG_BYTES : 3).map((_, i) => (i * 31 + packed.length) % 251);
      return success({ size: packed.length, bag });
    },
  });
  const store = options.store ?? memoryStore();
  places += 1;
  const host = fakeHost({ autoAdvance: true, seed: places });
  return { store, packed, executor: createExecutor({ workflows: [trip, passport], blocks: [pack], host, ...options, store }) };
}

/** Answers the one open question of a run. */
export async function answer(run: Run, response: string): Promise<string> {
  await run.settled();
  await run.refresh();
  const [pause] = run.getSnapshot().pauses;
  return (await run.answer(pause!.id, response)).status;
}

/** The steps of a run, with bytes as a text that differs where they do: comparing millions of numbers one by one takes its time. */
export async function stepsOf(run: Run): Promise<string> {
  const sum = (bytes: Uint8Array): string => `${bytes.length} bytes: ${bytes.reduce((all, byte) => (all * 31 + byte) % 1_000_003, 7)}`;
  return JSON.stringify(await run.steps(), (_, value: unknown) => (value instanceof Uint8Array ? sum(value) : value), 1);
}

import { createExecutor, defineBlock, success, type ExecutorOptions, type RunResult, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

export const GIVES: Workflow = { name: "gives", blocks: [{ id: "give", type: "Give" }], outputs: { kept: "${blocks.give.outputs.value}" } };

export interface Given {
  readonly store: Store;
  readonly id: string;
  readonly result: RunResult;
  /** What the run has in memory, as later blocks see it. */
  readonly seen: unknown;
}

/** Lets a block of a run give a value. */
export async function giveValue(value: unknown, options: Partial<ExecutorOptions> = {}): Promise<Given> {
  const store = options.store ?? memoryStore();
  const give = defineBlock({ type: "Give", execute: async () => success({ value }) });
  const executor = createExecutor({ ...options, store, blocks: [give] });
  const run = await executor.start(GIVES);
  const result = await run.settled();
  return { store, id: run.id, result, seen: result.outputs?.["kept"] };
}

/** The value as another process reads it from the store. */
export async function readValue({ store, id }: Pick<Given, "store" | "id">, options: Partial<ExecutorOptions> = {}): Promise<unknown> {
  const run = await createExecutor({ ...options, store }).open(id);
  return (await run.settled()).outputs?.["kept"];
}

/** Bytes that follow from their number, and do not shrink. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/** The value with `Uint8Array(3) 1a2b` in the place of bytes: fit to be compared, and to be printed where that fails. */
export function inShort(value: unknown): unknown {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    let sum = 0;
    for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) >>> 0;
    return `${value.constructor.name}(${bytes.length}) ${sum.toString(16)}`;
  }
  if (Array.isArray(value)) return value.map(inShort);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inShort(member)]));
}

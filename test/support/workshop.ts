import { defineBlock, failure, pause, success, waitUntil, type BlockContext, type BlockType } from "wavepoint";

/** Block types whose work a test can watch. */
export interface Workshop {
  /**
   * `Work` takes `ms` to do, fails in as many attempts as `fails` says, and gives `value` back. `Ask` asks `prompt`; with `fails` it fails
   * in as many attempts on the answer. `Sleep` waits `ms` once, by an instant.
   */
  readonly blocks: readonly BlockType[];
  /** The executions in the order they began: `block`, or `block[2]`, and the attempt where it is not the first: `block[2]#2`. */
  readonly began: readonly string[];
  /** Executions that came to an end of their own. */
  readonly ended: readonly string[];
  /** Keys of the executions, in the order they began. */
  readonly keys: readonly string[];
  /** From now on nothing fails. */
  mend(): void;
  /** The most executions at one time, of all and by block. */
  most(block?: string): number;
}

type Context = BlockContext<{ readonly [name: string]: unknown }>;

const unitOf = ({ block, item }: Context): string => (item ? `${block}[${item.index}]` : block);

export function workshop(): Workshop {
  const began: string[] = [];
  const ended: string[] = [];
  const keys: string[] = [];
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  let isMended = false;
  const fails = ({ inputs, attempt }: Context): boolean => !isMended && attempt <= Number(inputs["fails"] ?? 0);

  function count(name: string, by: 1 | -1): void {
    const now = (running.get(name) ?? 0) + by;
    running.set(name, now);
    most.set(name, Math.max(most.get(name) ?? 0, now));
  }

  async function watched<T>(context: Context, work: () => Promise<T>): Promise<T> {
    const name = unitOf(context) + (context.attempt > 1 ? `#${context.attempt}` : "");
    began.push(name);
    keys.push(context.idempotencyKey);
    for (const counted of ["", context.block]) count(counted, 1);
    try {
      const result = await work();
      ended.push(name);
      return result;
    } finally {
      for (const counted of ["", context.block]) count(counted, -1);
    }
  }

  const work = defineBlock({
    type: "Work",
    execute: (context) =>
      watched(context, async () => {
        const { inputs, attempt, host, signal } = context;
        if (inputs["ms"] !== undefined) await host.sleep(Number(inputs["ms"]), signal);
        if (fails(context)) return failure(`${unitOf(context)} failed in attempt ${attempt}`);
        return success({ value: inputs["value"], attempt });
      }),
  });

  const ask = defineBlock({
    type: "Ask",
    execute: (context) => watched(context, async () => pause({ prompt: String(context.inputs["prompt"] ?? unitOf(context)) })),
    resume: (context) =>
      watched(context, async () => {
        const { inputs, attempt, response, host, signal } = context;
        if (inputs["ms"] !== undefined) await host.sleep(Number(inputs["ms"]), signal);
        if (fails(context)) return failure(`${unitOf(context)} failed in attempt ${attempt}`);
        return success({ answer: response, attempt });
      }),
  });

  const sleep = defineBlock({
    type: "Sleep",
    execute: (context) =>
      watched(context, async () => {
        const { inputs, attempt, wokenAt, host } = context;
        if (wokenAt === undefined) return waitUntil(host.now() + Number(inputs["ms"]));
        if (fails(context)) return failure(`${unitOf(context)} failed in attempt ${attempt}`);
        return success({ wokenAt });
      }),
  });

  return { blocks: [work, ask, sleep], began, ended, keys, mend: () => void (isMended = true), most: (block = "") => most.get(block) ?? 0 };
}

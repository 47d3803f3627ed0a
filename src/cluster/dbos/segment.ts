import { isDamage, isWorkflowError } from "../../core/model/errors.ts";
import type { Orders, Wake } from "../../core/ports/store.ts";
import type { Query } from "../../store/postgres/connection.ts";

/** The worker itself waits for an instant as near as this, in milliseconds: DBOS looks for due orders once a second. */
const NEAR_MS = 1_500;
/** How long a worker waits before it tries again after an error of the database, in milliseconds: first and at most. */
export const AGAIN_MS = 100;
export const MAX_AGAIN_MS = 5_000;
/** How long an order that this worker cannot execute is delayed, in milliseconds: first and at most. Another worker may have what it needs. */
const ELSEWHERE_MS = 1_000;
const MAX_ELSEWHERE_MS = 300_000;

/** No worker can continue a run with one of these errors. */
const OVER: ReadonlySet<string> = new Set(["RUN_NOT_FOUND", "RUN_TRANSFERRED", "DEFINITION_UNTRUSTED"]);

/** What a worker executes orders with. */
export interface Workbench {
  readonly query: Query;
  readonly execute: Parameters<Orders["take"]>[0];
  /** Aborts when this worker ends. */
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
}

/** An order, as the database has it. */
export interface Order {
  readonly id: string;
  readonly run: string;
  /** How many workers could not execute it. */
  readonly tried: number;
}

/**
 * Executes a run until it rests, and orders its family for the instants at which it is due again. Resolves only once the order is finished or given back:
 * else another worker takes it when this one is gone.
 */
export async function executeSegment(bench: Workbench, order: Order): Promise<void> {
  let run = order.run;
  for (let wait = AGAIN_MS; ;) {
    try {
      const wakes = await bench.execute(run);
      const [first] = wakes.toSorted((one, other) => one.at - other.at);
      const left = (first?.at ?? Infinity) - Date.now();
      if (left > NEAR_MS || bench.signal.aborted) return await orderWakes(bench, order, wakes);
      run = first!.run;
      wait = AGAIN_MS;
      await sleep(left, bench.signal);
    } catch (error) {
      if (isWorkflowError(error) && (OVER.has(error.code) || isDamage(error))) {
        bench.onWarning(`Run ${run} does not go on: ${error.message}`);
        return;
      }
      const isStore = isWorkflowError(error) && error.code.startsWith("STORE_");
      if (bench.signal.aborted || !isStore) {
        const isGiven = await giveBack(bench, order, { isEnding: bench.signal.aborted, error });
        if (isGiven) return;
        // The order stays with this worker until another one takes it.
        if (bench.signal.aborted) return new Promise(() => {});
      } else bench.onWarning(`Run ${run} is tried again: ${error.message}`);
      await sleep(wait, bench.signal);
      wait = Math.min(wait * 2, MAX_AGAIN_MS);
    }
  }
}

/** Orders the runs of a family for the instants at which they are due. The same instant of the same state is ordered once. */
async function orderWakes({ query }: Workbench, order: Order, wakes: readonly Wake[]): Promise<void> {
  for (const { run, at, revision } of wakes) {
    const id = `${run}@${at}#${revision}`;
    // The clocks of two machines differ, so this order came early.
    await orderAgain(query, run, { id: order.id.startsWith(id) ? `${order.id}+` : id, at, tried: 0 });
  }
}

/** Gives an order to another worker: at once if this one is ending, else after a delay. Returns whether the database took it. */
async function giveBack(
  { query, onWarning }: Workbench,
  { run, tried }: Order,
  { isEnding, error }: { readonly isEnding: boolean; readonly error: unknown },
): Promise<boolean> {
  if (!isEnding) onWarning(`Run ${run} does not go on here, and is left to another worker: ${String(error)}`);
  const rest = Math.min(ELSEWHERE_MS * 2 ** tried, MAX_ELSEWHERE_MS);
  const again = isEnding ? { at: null, tried } : { at: Date.now() + rest, tried: tried + 1 };
  try {
    await orderAgain(query, run, { id: `${run}~${crypto.randomUUID()}`, ...again });
    return true;
  } catch {
    return false;
  }
}

async function orderAgain(
  query: Query,
  run: string,
  { id, at, tried }: { readonly id: string; readonly at: number | null; readonly tried: number },
): Promise<void> {
  await query("select wavepoint_order(id, workflow, head, $2, $3, $4) from wavepoint_runs where id = $1", [run, id, at, tried]);
}

/** Resolves when the time is up, or the worker ends. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, ms));
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

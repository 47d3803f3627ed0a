import { isDamage, isWorkflowError } from "../../core/model/errors.ts";
import type { Orders, Wake } from "../../core/ports/store.ts";
import type { Query } from "../../store/postgres/connection.ts";

/** An instant as near as this, in milliseconds, is waited for: DBOS looks once a second for those that have come. */
const NEAR_MS = 1_500;
/** How long a worker waits before it tries again where the database failed it, in milliseconds: first and at most. */
export const AGAIN_MS = 100;
export const MAX_AGAIN_MS = 5_000;
/** How long an order rests that this worker cannot execute, in milliseconds: first and at most. Another worker may have what it needs. */
const ELSEWHERE_MS = 1_000;
const MAX_ELSEWHERE_MS = 300_000;

/** Runs with these errors go on nowhere. */
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
 * Goes on with a run until it rests, and orders its family for the instants at which it goes on by itself. Resolves only once the order is done with, or given back: one that does
 * neither is taken over when its worker is gone.
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
        // It stays this worker's, until another one takes it over.
        if (bench.signal.aborted) return new Promise(() => {});
      } else bench.onWarning(`Run ${run} is tried again: ${error.message}`);
      await sleep(wait, bench.signal);
      wait = Math.min(wait * 2, MAX_AGAIN_MS);
    }
  }
}

/** Orders the runs of a family for the instants at which they go on. The same instant of the same state is ordered once. */
async function orderWakes({ query }: Workbench, order: Order, wakes: readonly Wake[]): Promise<void> {
  for (const { run, at, revision } of wakes) {
    const id = `${run}@${at}#${revision}`;
    // This order came early, by the clocks of two machines.
    await orderAgain(query, run, { id: order.id.startsWith(id) ? `${order.id}+` : id, at, tried: 0 });
  }
}

/** Leaves an order to another worker: at once where this one ends, else after a while. Gives whether the database took it. */
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

/** Until the time is up, or the worker ends. */
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

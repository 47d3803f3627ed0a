import { createExecutor, isWorkflowError } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import type { BlockType, ErrorData, Executor, Grants, Run, RunResult, Store, Values, Workflow } from "wavepoint";
import { watchStore } from "./watched-store.ts";

/** How far a hostile workflow came. */
export interface Attempt {
  readonly reached: "load" | "run";
  /** Why it was refused or failed. */
  readonly error?: ErrorData;
  readonly result?: RunResult;
  readonly run?: Run;
  readonly executor: Executor;
  readonly store: Store;
  /** How many of the blocks ran at the same time, at most. */
  readonly parallel: number;
  /** Writes to the store by a workflow that was refused when it was loaded. */
  readonly writesAtLoad: number;
}

export interface AttemptOptions {
  /** Default: nothing. */
  readonly grants?: Grants;
  readonly inputs?: Values;
}

/** Loads a workflow and runs it. `read` gives the definition, from text or not. */
export async function attemptWorkflow(
  store: Store,
  read: () => Workflow,
  { grants = {}, inputs = {} }: AttemptOptions = {},
): Promise<Attempt> {
  const watched = watchStore(store);
  const echo = echoType();
  const executor = createExecutor({ store: watched.store, blocks: [...builtinBlocks, echo.type], grants });
  const base = { executor, store };
  let workflow: Workflow;
  try {
    workflow = read();
    await executor.load(workflow);
  } catch (thrown) {
    return { ...base, reached: "load", error: expectWorkflowError(thrown), parallel: 0, writesAtLoad: watched.writes() };
  }
  try {
    const run = await executor.start(workflow.name, inputs);
    const result = await run.settled();
    const error = result.status === "failure" ? { error: result.error } : {};
    return { ...base, ...error, reached: "run", result, run, parallel: echo.mostParallel(), writesAtLoad: 0 };
  } catch (thrown) {
    return { ...base, reached: "run", error: expectWorkflowError(thrown), parallel: echo.mostParallel(), writesAtLoad: 0 };
  }
}

/** The data of an error of the package. Anything else that is thrown is a fault of its own and goes on. */
export function expectWorkflowError(thrown: unknown): ErrorData {
  if (isWorkflowError(thrown)) return thrown.toJSON();
  throw thrown;
}

/** What came of an attempt, in words. */
export function describeAttempt(attempt: Attempt): string {
  if (attempt.error === undefined) return `it ran: ${attempt.result?.status}`;
  return `at ${attempt.reached} ${attempt.error.code}: ${attempt.error.message}`;
}

/** The block type that hostile workflows are written for: gives its message back. */
function echoType(): { readonly type: BlockType; mostParallel(): number } {
  let running = 0;
  let most = 0;
  return {
    mostParallel: () => most,
    type: {
      type: "Echo",
      async execute(context) {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        const { inputs } = context as { readonly inputs: { readonly message?: unknown } };
        return { status: "success", outputs: { message: inputs.message ?? null } };
      },
    },
  };
}

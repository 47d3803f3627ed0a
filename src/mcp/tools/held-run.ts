import { isWorkflowError, WorkflowError } from "../../core/model/errors.ts";
import type { Answer } from "../../core/model/file-value.ts";
import { parseCheckpointId } from "../../core/model/ids.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { Pause, RunHead } from "../../core/model/run.ts";
import type { RunView } from "../../core/model/view.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Executor, Run, WaitOptions } from "../../core/run/run.ts";
import { allows, isBrought, notAllowed, type Action } from "./access.ts";
import { fitPlain } from "./fit-plain.ts";
import { isForModels } from "../../core/model/question-for-models.ts";
import { isSettled, reportResult, reportView, type ReportWords, type RunReport } from "./run-report.ts";
import type { ToolCall, ToolHost } from "./tool.ts";

/** How long a call waits for a run. Clients give up after 60 seconds unless they say otherwise. */
const LONGEST_WAIT_MS = 50_000;

/** A run that a client may touch, with the workflow that the host offers it under. */
export interface HeldRun {
  readonly executor: Executor;
  readonly run: Run;
  /** Absent for a workflow that a client brought. */
  readonly workflow: Workflow | undefined;
}

/**
 * Opens a run for an action. Throws `RUN_NOT_FOUND` where there is none that the client may see, and `CAPABILITY_MISSING` where it may see it and nothing
 * more.
 */
export async function openRun(host: ToolHost, id: string, action: Action): Promise<HeldRun> {
  const executor = await host.executor();
  const run = await executor.open(id);
  const { workflow: name, parent } = run.getSnapshot();
  const workflow = host.workflows.get(name);
  if (!allows(host.access, "read", workflow) || !(workflow || isBrought(await run.definition()))) throw runNotFound(id);
  if (parent) await openCaller(host, parent.run, { called: id, action });
  if (!allows(host.access, action, workflow)) throw notAllowed(action, name);
  return { executor, run, workflow };
}

/** A run that was called is part of the one that called it: who may not touch that one may not touch it either. */
async function openCaller(
  host: ToolHost,
  id: string,
  { called, action }: { readonly called: string; readonly action: Action },
): Promise<void> {
  try {
    await openRun(host, id, action);
  } catch (error) {
    throw isWorkflowError(error) && error.code === "RUN_NOT_FOUND" ? runNotFound(called) : error;
  }
}

function runNotFound(id: string): WorkflowError {
  const message = `Run ${JSON.stringify(id)} was not found. It may have been deleted, or belong to another store.`;
  return new WorkflowError("RUN_NOT_FOUND", message, { details: { run: id } });
}

/** Those of runs that no other called which a client may see. */
export function visibleRuns(host: ToolHost, heads: readonly RunHead[]): Promise<readonly RunHead[]> {
  return visibleOf(host, heads, ({ id, workflow }) => (host.workflows.has(workflow) ? undefined : id));
}

/** Those of a list which a client may see: `runOf` gives the run to look at, and nothing where the name of its workflow says enough. */
export async function visibleOf<Item extends { readonly workflow: string }>(
  host: ToolHost,
  items: readonly Item[],
  runOf: (item: Item) => string | undefined,
): Promise<readonly Item[]> {
  const seen = new Map<string, Promise<boolean>>();
  const isSeen = (run: string): Promise<boolean> => {
    const known = seen.get(run) ?? isVisible(host, run);
    seen.set(run, known);
    return known;
  };
  const readable = items.filter(({ workflow }) => allows(host.access, "read", host.workflows.get(workflow)));
  const kept = await Promise.all(
    readable.map(async (item) => {
      const run = runOf(item);
      return run === undefined || (await isSeen(run)) ? [item] : [];
    }),
  );
  return kept.flat();
}

async function isVisible(host: ToolHost, run: string): Promise<boolean> {
  try {
    await openRun(host, run, "read");
    return true;
  } catch (error) {
    if (isWorkflowError(error)) return false;
    throw error;
  }
}

/** The same for the run of a checkpoint. Throws `CHECKPOINT_NOT_FOUND` for an id that is none, and where there is no such run. */
export async function openRunOf(host: ToolHost, checkpoint: string, action: Action): Promise<HeldRun> {
  const place = parseCheckpointId(checkpoint);
  if (!place) throw unknownCheckpoint(checkpoint);
  try {
    return await openRun(host, place.run, action);
  } catch (error) {
    throw isWorkflowError(error) && error.code === "RUN_NOT_FOUND" ? unknownCheckpoint(checkpoint) : error;
  }
}

function unknownCheckpoint(checkpoint: string): WorkflowError {
  return new WorkflowError("CHECKPOINT_NOT_FOUND", `Checkpoint ${checkpoint} not found or expired`, { details: { checkpoint } });
}

/** Lets a run go on and tells how it stands once it rests, or after {@link LONGEST_WAIT_MS}. */
export async function moveRun(
  { run, workflow }: HeldRun,
  call: ToolCall,
  move: (options: WaitOptions) => Promise<RunResult>,
  words: ReportWords = {},
): Promise<RunReport> {
  call.onRun?.(run);
  const leave = call.onProgress ? run.subscribe(progressOf(call.onProgress)) : undefined;
  const waiting = new AbortController();
  const stopWaiting = (): void => waiting.abort();
  const timer = setTimeout(stopWaiting, LONGEST_WAIT_MS);
  call.signal?.addEventListener("abort", stopWaiting, { once: true });
  if (call.signal?.aborted) stopWaiting();
  try {
    return reportResult(await move({ signal: waiting.signal }), run.getSnapshot(), workflow, words);
  } catch (error) {
    if (!waiting.signal.aborted || !isWorkflowError(error) || error.code !== "ABORTED") throw error;
    return reportView(run.getSnapshot(), workflow);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", stopWaiting);
    leave?.();
  }
}

/** Tells of each wave once, when all of its blocks have settled. */
function progressOf(tell: NonNullable<ToolCall["onProgress"]>): (view: RunView) => void {
  let told = -1;
  return ({ waves }) => {
    const open = waves.findIndex(({ blocks }) => !blocks.every(isSettled));
    const done = open < 0 ? waves.length : open;
    if (done === told) return;
    told = done;
    tell(
      done,
      waves.length,
      open < 0 ? "All waves have ended" : `Wave ${done + 1} of ${waves.length}: ${waves[open]!.blocks.map(({ id }) => id).join(", ")}`,
    );
  };
}

/** The answer that a client gave to a question, fitted to its schema. Throws `CAPABILITY_MISSING` where a person has to answer. */
export async function admitAnswer({ executor, run }: HeldRun, pause: string, answer: unknown): Promise<Answer> {
  const asked = run.getSnapshot().pauses.find(({ id }) => id === pause) ?? (await findAsked(executor, pause));
  if (asked && isForModels(asked)) return fitPlain(answer as Answer, asked.schema);
  throw new WorkflowError(
    "CAPABILITY_MISSING",
    `Question ${pause} is private, asks for a file, or is no longer kept: a person answers it in the application itself.`,
    { details: { pause } },
  );
}

/** A question that was answered already, as it was asked. */
async function findAsked(executor: Executor, pause: string): Promise<Pause | undefined> {
  try {
    return (await executor.checkpoints.get(pause)).pauses.find(({ id }) => id === pause);
  } catch (error) {
    if (isWorkflowError(error) && error.code === "CHECKPOINT_PRUNED") return undefined;
    throw error;
  }
}

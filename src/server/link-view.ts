import { WorkflowError } from "../core/model/errors.ts";
import type { ResultMetadata, RunResult } from "../core/model/result.ts";
import type { Pause } from "../core/model/run.ts";
import type { RunView } from "../core/model/view.ts";
import type { Link } from "./protocol/link.ts";
import type { OperationName } from "./protocol/operations.ts";

/** The operations that a link to one question allows. */
const OPERATIONS_OF_PAUSE: ReadonlySet<OperationName> = new Set<OperationName>([
  "executor.open",
  "run.settled",
  "run.subscribe",
  "run.answer",
  "run.decline",
  "run.saveDraft",
]);

/** Members of inputs that name the question, and what to do with it. */
interface AboutPause {
  readonly run?: string;
  readonly pause?: string;
  readonly answers?: object;
  readonly action?: string;
}

/** Whether an operation does nothing but show one question, or answer it. */
export function isAboutPause(operation: OperationName, { run, pause, answers = {}, action }: AboutPause, link: Link): boolean {
  if (!OPERATIONS_OF_PAUSE.has(operation) || run !== link.run || action === "cancel") return false;
  return [...Object.keys(answers), ...(pause === undefined ? [] : [pause])].every((one) => one === link.pause);
}

const NO_METADATA: ResultMetadata = { executionTimeSeconds: 0, executionWaves: 0, totalBlocks: 0, completed: 0, failed: 0, skipped: 0 };

/** Returns the view of a run for a link to one question: the question while it is open, and then an end without outputs. */
export function viewOfPause({ id, workflow, createdAt, pauses }: RunView, asked: string): RunView {
  const open = pauses.filter((pause) => pause.id === asked).map(aloneOf);
  return {
    id,
    workflow,
    definition: "",
    status: open.length > 0 ? "paused" : "completed",
    createdAt,
    updatedAt: open[0]?.askedAt ?? createdAt,
    inputs: {},
    waves: [],
    pauses: open,
    progress: progressOf(open.length),
    active: false,
    ...(open.length === 0 && { outputs: {} }),
  };
}

/** What came of an answer: whether it was taken, and nothing of what follows from it. */
export function resultOfPause(result: RunResult, asked: string): RunResult {
  // Nothing has changed. What does not fit the question may be said; what someone else answered may not.
  if (result.status === "failure" && result.metadata === undefined) {
    return result.error.code === "RESPONSE_INVALID" ? result : { ...result, error: problemOfPause(result.error).toJSON() };
  }
  const pauses = (result.pauses ?? []).filter((pause) => pause.id === asked).map(aloneOf);
  if (pauses.length > 0) return { status: "paused", run: result.run, pauses };
  return { status: "success", run: result.run, outputs: {}, metadata: NO_METADATA };
}

/** A problem without the words of the run, which quote answers and name places. */
export function problemOfPause({ code }: Pick<WorkflowError, "code">): WorkflowError {
  return new WorkflowError(code, code.startsWith("PAUSE_") ? "This question is no longer open." : "This link could not do that.");
}

function aloneOf({ allows, ...pause }: Pause): Pause {
  return { ...pause, progress: progressOf(1), allows: { ...allows, cancel: false, back: false } };
}

function progressOf(open: number): RunView["progress"] {
  return { answered: 1 - open, remaining: { min: open, max: open } };
}

import { compileMatcher } from "../expression/pattern.ts";
import { isConflict, WorkflowError, type ErrorData } from "../model/errors.ts";
import { parseCheckpointId, pauseId } from "../model/ids.ts";
import { checkJson, schemaPatterns, type ValueProblem } from "../model/json-schema.ts";
import { MAX_ANSWER_LENGTH } from "../model/limits.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import type { AnswerProblem, Waiting } from "../ports/block.ts";
import { checkpointNotFound } from "./checkpoints.ts";
import type { LiveRun } from "./live-run.ts";
import type { Services } from "./services.ts";
import type { PauseState } from "./state.ts";

/** How often an answer is tried again after another writer was first. */
const MAX_TRIES = 10;

/** Answers pauses of a run one after another; ends with the first that is refused. */
export async function answerPauses(
  services: Services,
  run: LiveRun,
  answers: readonly (readonly [pause: string, response: Value])[],
): Promise<RunResult> {
  const taken: number[] = [];
  for (const [pause, response] of answers) {
    const place = parseCheckpointId(pause);
    if (place?.kind !== "pause" || place.run !== run.id) throw pauseNotFound(run, pause);
    taken.push(place.number);
    const result = await answerPause(services, run, place.number, response);
    await run.informCaller();
    if (result.status === "failure") return result;
  }
  const result = await run.settled();
  // A block may have waited before it looked at its answer.
  return refusalOf(run, taken) ?? result;
}

function refusalOf(run: LiveRun, numbers: readonly number[]): RunResult | undefined {
  for (const number of numbers) {
    const refusal = run.session.state.pauses[number]?.refusal;
    if (refusal) return { status: "failure", run: run.id, error: refusal };
  }
  return undefined;
}

function pauseNotFound(run: LiveRun, pause: string): WorkflowError {
  const open = run.pauses().map(({ id }) => id);
  return new WorkflowError(
    "CHECKPOINT_NOT_FOUND",
    `Pause ${JSON.stringify(pause)} was not found in run ${run.id}. Its open pauses: ${open.join(", ") || "none"}.`,
  );
}

/**
 * Answers a pause: the first valid answer is stored and wins, a wrong one changes nothing. Gives how the run stands once nothing of
 * it executes. Throws `CHECKPOINT_NOT_FOUND` and `STORE_…` codes.
 */
async function answerPause(services: Services, run: LiveRun, number: number, given: Value): Promise<RunResult | Waiting> {
  for (let tried = 1; ; tried++) {
    await run.catchUp();
    const { state } = run.session;
    const pause = state.pauses[number];
    const id = pauseId(run.id, number);
    if (!pause || pause.forgotten) throw checkpointNotFound(id);
    if (pause.answer || pause.closed) return alreadyAnswered(run, id, pause, services.guard?.mask(run.id, given) ?? given);
    if (state.finished?.status === "cancelled") return run.rest();
    await services.guard?.secure(run.session);
    // What is checked is what will be stored.
    const response = services.guard?.mask(run.id, given) ?? given;
    const problem = await findProblem(services, run, pause, response);
    if (problem) return { status: "failure", run: run.id, error: problem };
    if (pause.entry.child !== undefined) {
      const refused = await answerCalledRun(services, run, pause, response);
      if (refused) return refused;
    }
    try {
      await store(run, number, response);
    } catch (error) {
      if (isConflict(error) && tried < MAX_TRIES) continue;
      // Memory shows an answer that was not stored. Where the store cannot be read either, the first error is the one to tell.
      await run.refresh().catch(() => {});
      throw error;
    }
    return settleAnswer(run, number);
  }
}

async function store(run: LiveRun, number: number, response: Value): Promise<void> {
  const { session } = run;
  // Nobody else may have answered while the answer was looked at.
  const pause = session.state.pauses[number];
  if (!pause || pause.answer || pause.closed) throw new WorkflowError("STORE_CONFLICT", "The pause was answered meanwhile.");
  if (session.state.finished) session.record({ type: "resumed", at: session.now() });
  session.record({ type: "answered", pause: number, response, at: session.now() });
  await session.flushed();
}

async function settleAnswer(run: LiveRun, number: number): Promise<RunResult | Waiting> {
  run.drive();
  const result = await run.rest();
  return refusalOf(run, [number]) ?? result;
}

function alreadyAnswered(run: LiveRun, id: string, pause: PauseState, response: Value): Promise<RunResult | Waiting> | RunResult {
  if (pause.answer && sameJson(pause.answer.response, response)) {
    run.drive();
    return run.rest();
  }
  return {
    status: "failure",
    run: run.id,
    error: {
      code: "PAUSE_ALREADY_ANSWERED",
      message: `Pause ${id} was already answered${pause.answer ? ` with ${JSON.stringify(pause.answer.response)}` : ""}. To take another answer, resume it with fork: true; that makes a new run and leaves this one as it is.`,
      details: { pause: id },
    },
  };
}

/** Passes the answer on to the run that asks; gives its refusal, or nothing. */
async function answerCalledRun(services: Services, run: LiveRun, pause: PauseState, response: Value): Promise<RunResult | undefined> {
  const { state } = run.session;
  const child = await services.find(await run.childId(pause));
  if (!child) {
    throw new WorkflowError(
      "RUN_NOT_FOUND",
      `The run that block "${state.compiled.plan.ids[pause.block]!}" of run ${run.id} called was deleted, so its question cannot be answered.`,
    );
  }
  const result = await answerPause(services, child, pause.entry.child!, response);
  const refused =
    result.status === "failure" && (result.error.code === "RESPONSE_INVALID" || result.error.code === "PAUSE_ALREADY_ANSWERED");
  return refused ? { ...result, run: run.id } : undefined;
}

async function findProblem(services: Services, run: LiveRun, pause: PauseState, response: Value): Promise<ErrorData | undefined> {
  const { prompt, schema } = pause.entry;
  if (response === undefined) {
    return { code: "RESPONSE_REQUIRED", message: `An answer is needed. The question was: ${prompt}` };
  }
  const length = JSON.stringify(response)?.length ?? 0;
  if (length > MAX_ANSWER_LENGTH) {
    return wrong(`The answer takes ${length} characters; ${MAX_ANSWER_LENGTH} are allowed.`, { length, limit: MAX_ANSWER_LENGTH });
  }
  const problems = checkJson(schema, response, { matches: await compileMatcher(schemaPatterns(schema)) });
  if (problems.length > 0) return describeProblems(problems);
  if (pause.entry.child !== undefined) return undefined;
  const type = services.types.get(run.session.state.compiled.workflow.blocks[pause.block]!.type);
  const problem: AnswerProblem | undefined = await type?.checkAnswer?.({ response, pause: { prompt, schema, metadata: pause.metadata } });
  return problem && wrong(problem.message, problem.details);
}

function describeProblems(problems: readonly ValueProblem[]): ErrorData {
  // Of several problems with one value the first is the plainest.
  const fields = Object.fromEntries(problems.toReversed().map(({ path, message }) => [path, message]));
  const text = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(" ");
  return wrong(`The answer does not fit the question. ${text}`, { fields });
}

function wrong(message: string, details?: ErrorData["details"]): ErrorData {
  return { code: "RESPONSE_INVALID", message, ...(details ? { details } : {}) };
}

/** Equal as JSON, whatever the order of keys. */
function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key as never], b[key as never]));
}

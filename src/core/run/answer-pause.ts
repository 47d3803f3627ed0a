import { WorkflowError, type ErrorData } from "../model/errors.ts";
import { isRichForm } from "../model/encoding.ts";
import { parseCheckpointId, pauseId } from "../model/ids.ts";
import type { AnsweredEntry } from "../model/journal.ts";
import type { Value } from "../model/value.ts";
import type { Waiting } from "../ports/block.ts";
import { type HeldRun, afterConflicts, cancelRun, findPauseProblem, recordCancelled } from "../runner/runner.ts";
import { checkpointNotFound, encodedForm, type Session } from "../journal/journal.ts";
import { deadlineOf, type PauseState, sameValue } from "../machine/machine.ts";
import { keepAnswer, type KeptAnswer } from "./keep-answer.ts";
import type { RunResult } from "../model/result.ts";
import type { DeclineOptions } from "./api.ts";
import type { OpenRun } from "./open-run.ts";
import type { Services } from "./services.ts";

/** What a person replies to a question. */
export interface Reply {
  readonly response: Value;
  /** Set where there will be no answer; then `response` is null. */
  readonly action?: AnsweredEntry["action"];
}

/**
 * Answers pauses of a run one after another; ends with the first that is refused. What was sent to a question that was taken back is given to
 * `keepDraft`: it may be asked again.
 */
export async function answerPauses(
  services: Services,
  run: OpenRun,
  answers: readonly (readonly [pause: string, response: Value])[],
  keepDraft: (pause: string, response: Value) => Promise<void>,
): Promise<RunResult> {
  const taken: number[] = [];
  for (const [pause, response] of answers) {
    const number = pauseNumber(run, pause);
    taken.push(number);
    const result = await replyTo(services, run, number, { response });
    await run.informCaller();
    if (result.status === "failure" && result.error.code === "PAUSE_WITHDRAWN") await keepDraft(pause, response);
    if (result.status === "failure") return result;
  }
  const result = await run.settled();
  // A block may have waited before it looked at its answer.
  return refusalOf(run, taken) ?? result;
}

function refusalOf(run: OpenRun, numbers: readonly number[]): RunResult | undefined {
  for (const number of numbers) {
    const refusal = run.session.state.pauses[number]?.refusal;
    if (refusal) return { status: "failure", run: run.id, error: refusal };
  }
  return undefined;
}

/** The number of a pause of a run. Throws `CHECKPOINT_NOT_FOUND` for what cannot be one. */
export function pauseNumber(run: OpenRun, pause: string): number {
  const place = parseCheckpointId(pause);
  if (place?.kind === "pause" && place.run === run.id) return place.number;
  const open = run.pauses().map(({ id }) => id);
  throw new WorkflowError(
    "CHECKPOINT_NOT_FOUND",
    `Pause ${JSON.stringify(pause)} was not found in run ${run.id}. Its open pauses: ${open.join(", ") || "none"}.`,
  );
}

/**
 * Answers a pause, or declines to: the first valid reply is stored and wins, a wrong one changes nothing. Gives how the run stands once nothing
 * of it executes. Throws `CHECKPOINT_NOT_FOUND` and `STORE_…` codes.
 */
async function replyTo(services: Services, run: OpenRun, number: number, given: Reply): Promise<RunResult | Waiting> {
  const reply = (): Promise<RunResult | Waiting | undefined> => storeReply(services, run, { number, given });
  // Each try begins with the newest state; memory shows what was not stored only where a write failed.
  const forget = async (): Promise<void> => (run.session.broken ? run.catchUp() : undefined);
  const standing = await afterConflicts(services.host, reply, forget);
  if (standing) return standing;
  run.drive();
  const result = await run.rest();
  return refusalOf(run, [number]) ?? result;
}

interface Replying {
  readonly number: number;
  readonly given: Reply;
  /** Whether its time was found to be up. */
  readonly isTimeUp?: boolean;
}

/** Nothing once the reply is stored; else how the run stands without it. Throws `STORE_CONFLICT` where another writer was first. */
async function storeReply(services: Services, run: OpenRun, replying: Replying): Promise<RunResult | Waiting | undefined> {
  const { number, given, isTimeUp } = replying;
  await run.catchUp();
  const { state } = run.session;
  const pause = state.pauses[number];
  const id = pauseId(run.id, number);
  if (!pause || pause.forgotten) throw checkpointNotFound(id);
  run.assertHere();
  if (pause.withdrawn) return withdrawn(run, id);
  if (pause.answer || pause.closed || isTimeUp) {
    const asked = await whereAsked(services, run, pause);
    return asked.withdrawn && !asked.answer ? withdrawn(run, id) : alreadyAnswered(run, id, asked, await keep(services, run, given));
  }
  if (state.finished?.status === "cancelled") return run.rest();
  if (isLate(run.session, number)) {
    // Nothing says so yet. What follows is recorded first, so that it makes no difference who looked when.
    run.drive();
    await run.rest();
    return storeReply(services, run, { ...replying, isTimeUp: true });
  }
  await services.guard?.secure(run.session);
  // What is checked is what will be stored.
  const reply = await keep(services, run, given);
  const problem =
    reply.refusal ?? (reply.action ? actionProblem(pause, reply) : await findPauseProblem(services, run.session, pause, reply.opened));
  if (problem) return { status: "failure", run: run.id, error: problem };
  const refused =
    pause.entry.child === undefined ? undefined : await replyToCalledRun(services, run, pause, { ...given, response: reply.opened });
  if (refused) return refused;
  await store(run, number, reply);
  return undefined;
}

function actionProblem({ entry }: PauseState, { action }: Reply): ErrorData | undefined {
  if (action !== "skip" || entry.skippable) return undefined;
  return {
    code: "RESPONSE_INVALID",
    message: `The question of block "${entry.path?.at(-1) ?? entry.block}" cannot be left out. Answer it, or let its block say \`skippable: true\`.`,
  };
}

async function keep(services: Services, run: OpenRun, reply: Reply): Promise<Reply & KeptAnswer> {
  return { ...reply, ...(await keepAnswer(services, run, reply.response)) };
}

/** Whether the time of a question is up. Of a called run's question that run decides. */
function isLate(session: Session, number: number): boolean {
  const until = deadlineOf(session.state, number);
  return until !== undefined && session.state.pauses[number]!.entry.child === undefined && session.now() >= until;
}

async function store(run: OpenRun, number: number, { response, action }: Reply): Promise<void> {
  const { session } = run;
  // The question must not have been answered elsewhere while this answer was checked.
  const pause = session.state.pauses[number];
  if (!pause || pause.answer || pause.closed || isLate(session, number)) {
    throw new WorkflowError("STORE_CONFLICT", "The pause was answered meanwhile.");
  }
  if (session.state.finished) session.record({ type: "resumed", at: session.now() });
  session.record({ type: "answered", pause: number, response, ...(action ? { action } : {}), at: session.now() });
  if (action === "cancel") recordCancelled(run, `its question ${pauseId(run.id, number)} was cancelled.`);
  await session.flushed();
}

/** The question in the run that asks it: what was answered or changed there is closed here without word of that. */
async function whereAsked(services: Services, run: OpenRun, pause: PauseState): Promise<PauseState> {
  const { child } = pause.entry;
  if (pause.answer || child === undefined) return pause;
  const called = await services.find(await run.childId(pause));
  await called?.catchUp();
  const there = called?.session.state.pauses[child];
  return there ? whereAsked(services, called, there) : pause;
}

function alreadyAnswered(
  run: OpenRun,
  pause: string,
  { answer, entry }: PauseState,
  reply: Reply,
): Promise<RunResult | Waiting> | RunResult {
  if (answer && answer.action === reply.action && sameValue(answer.response, reply.response)) {
    run.drive();
    return run.rest();
  }
  const action = answer?.action;
  const by = answer ? answer.by : "timeout";
  const how = action ? `declined (${action})` : answer ? `answered${entry.sensitive ? "" : showAnswer(answer.response)}` : "closed";
  const what = by === "timeout" ? `Pause ${pause} was ${how}: no answer came in time.` : `Pause ${pause} was already ${how}.`;
  return {
    status: "failure",
    run: run.id,
    error: {
      code: "PAUSE_ALREADY_ANSWERED",
      message: `${what} To take another answer, resume it with fork: true; that makes a new run and leaves this one as it is.`,
      details: { pause, ...(by ? { by } : {}), ...(action ? { action } : {}) },
    },
  };
}

function withdrawn(run: OpenRun, pause: string): RunResult {
  return { status: "failure", run: run.id, error: withdrawnError(pause) };
}

/** Why a question takes no answer that was taken back. */
export function withdrawnError(pause: string): ErrorData {
  return {
    code: "PAUSE_WITHDRAWN",
    message: `The question of pause ${pause} was taken back, since an answer before it was changed. It may be asked again.`,
    details: { pause },
  };
}

function showAnswer(response: unknown): string {
  return isRichForm(encodedForm(response)) ? "" : ` with ${JSON.stringify(response)}`;
}

/** Passes the reply on to the run that asks; gives its refusal, or nothing. */
async function replyToCalledRun(services: Services, run: OpenRun, pause: PauseState, reply: Reply): Promise<RunResult | undefined> {
  const child = await services.find(await run.childId(pause));
  if (!child) {
    throw new WorkflowError(
      "RUN_NOT_FOUND",
      `The run that block "${run.session.compiled.plan.ids[pause.block]!}" of run ${run.id} called was deleted, so its question cannot be answered.`,
    );
  }
  const result = await replyTo(services, child, pause.entry.child!, reply);
  if (result.status !== "failure") return undefined;
  const { code } = result.error;
  const hasGoneOn = code === "PAUSE_ALREADY_ANSWERED" || code === "PAUSE_WITHDRAWN";
  if (code !== "RESPONSE_INVALID" && !hasGoneOn) return undefined;
  // The called run has gone on without this one.
  if (hasGoneOn) run.drive();
  return { ...result, run: run.id };
}

/** Why nothing has changed. */
const REFUSALS: ReadonlySet<string> = new Set(["PAUSE_ALREADY_ANSWERED", "RESPONSE_INVALID"]);

/** Says that there will be no answer; see `Run.decline`. A cancelled question ends the run that asks and all those it was called for. */
export async function declinePause(
  services: Services,
  run: OpenRun,
  pause: string,
  { action = "decline" }: DeclineOptions,
): Promise<RunResult> {
  const result = await replyTo(services, run, pauseNumber(run, pause), { response: null, action });
  if (result.status === "failure" && REFUSALS.has(result.error.code)) return result;
  if (action === "cancel") await cancelFamily(services, run, pause);
  else await run.informCaller();
  return run.settled();
}

async function cancelFamily(services: Services, run: OpenRun, pause: string): Promise<void> {
  const reason = `its question ${pause} was cancelled.`;
  for (let one: HeldRun | undefined = run; one; one = await one.caller()) await cancelRun(services, one, { reason });
}

import { WorkflowError } from "../model/errors.ts";
import { isRichForm } from "../model/encoding.ts";
import { pauseId } from "../model/ids.ts";
import type { AnsweredEntry } from "../model/journal.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import { type HeldRun, cancelRun, concludeStored, findCalled, findCaller, informCaller, recordCancelled } from "../runner/runner.ts";
import { encodedForm, type Session } from "../journal/journal.ts";
import { sameValue } from "../model/fingerprint.ts";
import { deadlineOf, deliver, isUnanswered, type PauseState } from "../machine/machine.ts";
import { admitAnswer, keepReply, type KeptAnswer, refuse } from "./admit-answer.ts";
import type { DeclineOptions } from "./api.ts";
import { saveDraft } from "./drafts.ts";
import { pauseAt, pauseNumber } from "./find-pause.ts";
import { Refusal, withdrawn } from "./refusal.ts";
import type { OpenRun, Services } from "./services.ts";

/** How long to wait before reading again a run that a worker executes, without a hint: the first and the longest time. */
const FOLLOW_MS = 20;
const MAX_FOLLOW_MS = 1_000;

/** What a person replies to a question. */
interface Reply {
  readonly response: Value;
  /** Set where the person does not answer; then `response` is null. */
  readonly action?: AnsweredEntry["action"];
}

/** Answers pauses of a run one after another, up to the first that is refused; see `Run.answer`. Throws that refusal. */
export async function answerPauses(
  services: Services,
  run: OpenRun,
  answers: readonly (readonly [pause: string, response: Value])[],
): Promise<RunResult> {
  const taken: number[] = [];
  for (const [pause, response] of answers) {
    const number = pauseNumber(run, pause);
    let refused: Refusal | undefined;
    try {
      await replyTo(services, run, number, { response });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused = error;
    }
    await informCaller(services, run, { revive: true });
    // The question may be asked again.
    if (refused?.code === "PAUSE_WITHDRAWN") await saveDraft(services, run, pause, response);
    if (refused) throw refused;
    taken.push(number);
  }
  const result = await run.settled();
  // A block may have waited before it handled its answer.
  for (const number of taken) refuse(run.session.state.pauses[number]?.refusal);
  return result;
}

/** Declines, skips or cancels a question; see `Run.decline`. Cancelling ends the run that asks and all its callers. Throws a refusal. */
export async function declinePause(
  services: Services,
  run: OpenRun,
  pause: string,
  { action = "decline" }: DeclineOptions,
): Promise<RunResult> {
  await replyTo(services, run, pauseNumber(run, pause), { response: null, action });
  if (action === "cancel") await cancelFamily(services, run, pause);
  else await informCaller(services, run, { revive: true });
  return run.settled();
}

async function cancelFamily(services: Services, run: OpenRun, pause: string): Promise<void> {
  const reason = `its question ${pause} was cancelled.`;
  for (let one: HeldRun | undefined = run; one; one = await findCaller(services, one.session)) await cancelRun(services, one, { reason });
}

/**
 * Stores the first valid reply to a pause, and resolves once nothing of the run executes. Throws a refusal, which changed nothing;
 * `CHECKPOINT_NOT_FOUND` and `STORE_…` codes.
 */
async function replyTo(services: Services, run: OpenRun, number: number, given: Reply): Promise<void> {
  await concludeStored(services.host, run, () => storeReply(services, run, { number, given }));
  run.drive();
  await run.rest();
  refuse(run.session.state.pauses[number]?.refusal);
}

interface Replying {
  readonly number: number;
  readonly given: Reply;
  /** Whether its time was found to be up. */
  readonly isTimeUp?: boolean;
}

/** Stores a reply unless it has been, or the run was cancelled. Throws `STORE_CONFLICT` where another writer was first. */
async function storeReply(services: Services, run: OpenRun, replying: Replying): Promise<void> {
  const { number, given, isTimeUp } = replying;
  await run.catchUp();
  const pause = pauseAt(run, number);
  run.assertHere();
  if (pause.withdrawn) throw withdrawn(pauseId(run.id, number));
  if (!run.session.state.open.has(number) || isTimeUp) {
    return assertSame(services, run, pause, given);
  }
  if (run.session.state.finished?.status === "cancelled") return;
  if (isOver(run.session, number)) {
    // It is not recorded yet. Record what follows first, so that the outcome does not depend on who read when.
    run.drive();
    await run.rest();
    return storeReply(services, run, { ...replying, isTimeUp: true });
  }
  const kept = await admit(services, run, pause, given);
  if (pause.entry.child !== undefined) {
    await replyToCalledRun(services, run, pause, { ...given, response: kept.opened });
    // The worker of the called run records it here. If it were recorded twice, what the worker does after it would not count.
    if (services.store.orders && !run.session.state.suspension) return followReply(run, number);
  }
  await store(run, number, { ...given, response: kept.response });
}

/** Has the run that asks check the reply. */
async function admit(services: Services, run: OpenRun, pause: PauseState, { action, response }: Reply): Promise<KeptAnswer> {
  if (action === undefined && pause.entry.child === undefined) return admitAnswer(services, run, pause, response);
  if (action === "skip" && !pause.entry.skippable) {
    throw new Refusal(
      "RESPONSE_INVALID",
      `The question of block "${pause.entry.path?.at(-1) ?? pause.entry.block}" cannot be left out. Answer it, or let its block say \`skippable: true\`.`,
    );
  }
  await services.guard?.secure(run.session);
  return keepReply(services, run, pause, response);
}

/** Passes the reply on to the run that asks. */
async function replyToCalledRun(services: Services, run: OpenRun, pause: PauseState, reply: Reply): Promise<void> {
  const child = await findCalled(services, run.session, pause);
  if (!child) {
    throw new WorkflowError(
      "RUN_NOT_FOUND",
      `The run that block "${run.session.compiled.plan.ids[pause.block]!}" of run ${run.id} called was deleted, so its question cannot be answered.`,
    );
  }
  try {
    await replyTo(services, child, pause.entry.child!, reply);
  } catch (error) {
    // The called run may have continued without this one.
    if (error instanceof Refusal && error.code !== "RESPONSE_INVALID") run.drive();
    throw error;
  }
}

/** Waits until a worker has recorded the end of a question of a called run, or there is nothing to record. */
async function followReply(run: OpenRun, number: number): Promise<void> {
  for (let wait = FOLLOW_MS; ; wait = Math.min(wait * 2, MAX_FOLLOW_MS)) {
    const { open, finished, suspension } = run.session.state;
    if (!open.has(number) || finished || suspension) return;
    await run.watch(wait);
    run.assertHere();
  }
}

/** Whether the time of a question is up, or an event that ends it has come. A called run decides about its own questions. */
function isOver(session: Session, number: number): boolean {
  if (deliver(session.state).pauses.has(number)) return true;
  const until = deadlineOf(session.state, number);
  return until !== undefined && session.state.pauses[number]!.entry.child === undefined && session.now() >= until;
}

async function store(run: OpenRun, number: number, { response, action }: Reply): Promise<void> {
  const { session } = run;
  // The question must not have been answered elsewhere while this answer was checked.
  if (!session.state.open.has(number) || isOver(session, number)) {
    throw new WorkflowError("STORE_CONFLICT", "The pause was answered meanwhile.");
  }
  if (session.state.finished) session.record({ type: "resumed", at: session.now() });
  session.record({ type: "answered", pause: number, response, ...(action ? { action } : {}), at: session.now() });
  if (action === "cancel") recordCancelled(run, `its question ${pauseId(run.id, number)} was cancelled.`);
  await session.flushed();
}

/** Accepts the same answer again. Throws a refusal for another one. */
async function assertSame(services: Services, run: OpenRun, pause: PauseState, given: Reply): Promise<void> {
  const id = pauseId(run.id, pause.entry.pause);
  const { answer, entry, leftBy, withdrawn: isTakenBack } = await whereAsked(services, run, pause);
  if (!answer && isTakenBack) throw withdrawn(id);
  const { response } = await keepReply(services, run, pause, given.response);
  if (answer && answer.action === given.action && sameValue(answer.response, response)) return;
  const action = answer?.action;
  // A stopped run may not have ended the question yet.
  const signal = answer ? undefined : deliver(run.session.state).pauses.get(pause.entry.pause);
  const event = leftBy ?? (signal === undefined ? undefined : run.session.state.signals!.get(signal)!.name);
  const by = answer ? answer.by : event === undefined ? "timeout" : "event";
  const how = action ? `declined (${action})` : answer ? `answered${entry.sensitive ? "" : showAnswer(answer.response)}` : "closed";
  const late = by === "event" ? `${event === undefined ? "an event" : `the event "${event}"`} ended it` : "no answer came in time";
  const what = by === "timeout" || by === "event" ? `Pause ${id} was ${how}: ${late}.` : `Pause ${id} was already ${how}.`;
  const { finished } = run.session.state;
  const mayRevise = answer !== undefined && (!finished || finished.status === "failed");
  throw new Refusal(
    "PAUSE_ALREADY_ANSWERED",
    `${what} ${mayRevise ? "To change the answer, revise it; for a run beside this one" : "To go on from there in a run beside this one"}, resume it with fork: true.`,
    { details: { pause: id, ...(by ? { by } : {}), ...(action ? { action } : {}) } },
  );
}

/** The question in the run that asks it: what was answered or changed there, or ended by itself, is closed here without word of that. */
async function whereAsked(services: Services, run: OpenRun, pause: PauseState): Promise<PauseState> {
  const { child } = pause.entry;
  if (child === undefined || (pause.answer && !isUnanswered(pause.answer))) return pause;
  const called = await findCalled(services, run.session, pause);
  await called?.catchUp();
  await called?.session.flushed();
  const there = called?.session.state.pauses[child];
  return there ? whereAsked(services, called!, there) : pause;
}

function showAnswer(response: unknown): string {
  return isRichForm(encodedForm(response)) ? "" : ` with ${JSON.stringify(response)}`;
}

import { WorkflowError, type ErrorData } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import type { RevisedEntry } from "../model/journal.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import { sameValue } from "../machine/machine.ts";
import { afterConflicts, revisedEntry } from "../runner/runner.ts";
import { MAX_REVISIONS } from "../model/limits.ts";
import { withdrawnError, type OpenRun, type Services } from "../run/run.ts";
import { changeAnswer, endedError } from "./change-answer.ts";
import { currentAsking, lastAnswered, lookAtAnswer, lookForQuestion, type QuestionAddress } from "./questions.ts";

/** See `Run.revise`. */
export async function reviseRun(services: Services, run: OpenRun, pause: string, response: Value): Promise<RunResult> {
  const outer = await outermost(services, run);
  if (!outer.active) await outer.update();
  const { found, problem } = await lookForQuestion(services, outer, pause);
  if (problem) return { status: "failure", run: outer.id, error: problem };
  return (await commit(services, outer, { calls: found.calls, pause: found.pause, response })) ?? run.settled();
}

/** See `Run.back`. */
export async function goBack(services: Services, run: OpenRun): Promise<RunResult> {
  const outer = await outermost(services, run);
  // What the person sees is where he goes back from, though others may have gone on.
  const last = await lastAnswered(services, outer);
  if (!last) {
    throw new WorkflowError(
      "CHECKPOINT_NOT_FOUND",
      `Run ${outer.id} has no answered question to go back to: it stands at its first one, or what asked the others was deleted.`,
      { details: { run: outer.id } },
    );
  }
  return (await commit(services, outer, last)) ?? run.settled();
}

/** The run that was called by no other: a revision begins there, so that no caller completes with what its called run gave before. */
async function outermost(services: Services, run: OpenRun): Promise<OpenRun> {
  const caller = await run.caller();
  const found = caller && (await services.find(caller.id));
  return found ? outermost(services, found) : run;
}

/** What is changed: a question gets another answer, or none. */
interface Revision extends QuestionAddress {
  readonly response?: Value;
}

/** Stores a revision and lets the run go on; gives why not, or nothing. */
async function commit(services: Services, run: OpenRun, revision: Revision): Promise<RunResult | undefined> {
  const forget = async (): Promise<void> => (run.session.broken ? run.catchUp() : undefined);
  const refused = await afterConflicts(services.host, () => store(services, run, revision), forget);
  if (refused) return { status: "failure", run: run.id, error: refused };
  run.drive();
  await run.rest();
  return undefined;
}

async function store(services: Services, run: OpenRun, revision: Revision): Promise<ErrorData | undefined> {
  await run.catchUp();
  run.assertHere();
  const { session } = run;
  const { state } = session;
  const status = state.finished?.status;
  if (status === "completed" || status === "cancelled") return endedError(run.id, status);
  const { asker, asked } = await findAt(services, run, revision);
  const { state: there } = asker.session;
  const current = currentAsking(there, revision.pause);
  const isReply = Object.hasOwn(revision, "response");
  const now = there.pauses[current]!;
  if (current !== revision.pause || asked.withdrawn) {
    // Another tab opened it too.
    if (!isReply && !now.answer && !now.withdrawn) return undefined;
    return asked.withdrawn && current === revision.pause ? withdrawnError(pauseId(asker.id, current)) : replaced(asker.id, revision.pause);
  }
  if (there.open.has(current)) {
    if (!isReply) return undefined;
    const result = await asker.answer(pauseId(asker.id, current), revision.response!);
    return result.status === "failure" && REFUSALS.has(result.error.code) ? result.error : undefined;
  }
  const { problem } = changeAnswer(run.session, { ...revision, asker, asked });
  if (problem) return problem;
  let response: Value | undefined;
  if (isReply) {
    const looked = await lookAtAnswer(services, { asker, asked }, revision.response!);
    if (looked.problem) return looked.problem;
    response = looked.response;
    if (!now.answer!.action && sameValue(now.answer!.response, response)) return undefined;
  }
  if (state.revisions >= MAX_REVISIONS) return tooMany();
  await services.guard?.secure(session);
  await record(run, revision, isReply ? { response } : {});
  return undefined;
}

/** Throws `STORE_CONFLICT` where the run was changed while the answer was looked at: then all of it is looked at again. */
async function record(run: OpenRun, { calls, pause }: Revision, reply: Pick<RevisedEntry, "response">): Promise<void> {
  // Another reading of the run may have taken the place of the one before.
  const { session } = run;
  const { finished } = session.state;
  const entry = revisedEntry(session, calls, pause);
  if (!entry || finished?.status === "completed" || finished?.status === "cancelled") {
    throw new WorkflowError("STORE_CONFLICT", "The run was changed meanwhile.");
  }
  session.record({ ...entry, ...reply, at: session.now() });
  await session.flushed();
}

/** What an open question says to an answer that it does not take. */
const REFUSALS: ReadonlySet<string> = new Set(["RESPONSE_INVALID", "RESPONSE_REQUIRED", "PAUSE_ALREADY_ANSWERED", "PAUSE_WITHDRAWN"]);

async function findAt(
  services: Services,
  run: OpenRun,
  { calls, pause }: QuestionAddress,
): Promise<{ asker: OpenRun; asked: OpenRun["session"]["state"]["pauses"][number] }> {
  let asker = run;
  for (const unit of calls) {
    const called = await services.find(await asker.childOf(unit));
    if (!called) throw new WorkflowError("RUN_NOT_FOUND", `The run that block "${unit}" of run ${asker.id} called was deleted.`);
    asker = called;
    if (!asker.active) await asker.update();
  }
  return { asker, asked: asker.session.state.pauses[pause]! };
}

function replaced(run: string, pause: number): ErrorData {
  return {
    code: "PAUSE_ALREADY_ANSWERED",
    message: `The answer to pause ${pauseId(run, pause)} was changed elsewhere meanwhile. Look at the run as it stands now, and try again.`,
    details: { pause: pauseId(run, pause) },
  };
}

function tooMany(): ErrorData {
  return {
    code: "LIMIT_EXCEEDED",
    message: `The answers of one run may be changed ${MAX_REVISIONS} times. Start another run, or fork this one.`,
    details: { limit: MAX_REVISIONS },
  };
}

import { WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import { MAX_REVISIONS } from "../model/limits.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import { sameValue } from "../model/fingerprint.ts";
import { concludeStored, revisedEntry } from "../runner/runner.ts";
import { admitAnswer, answerPauses, type OpenRun, orFailure, Refusal, type Services, withdrawn } from "../run/run.ts";
import { assertRevisable, changeAnswer } from "./change-answer.ts";
import { askerOf, currentAsking, findQuestion, lastAnswered, outermost, type QuestionAddress } from "./find-question.ts";

/** See `Run.revise`. */
export async function reviseRun(services: Services, run: OpenRun, pause: string, response: Value): Promise<RunResult> {
  const outer = await outermost(services, run);
  await outer.update();
  const change = async (): Promise<RunResult> => {
    const { calls, pause: number } = await concludeStored(services.host, outer, () => findQuestion(services, outer, pause));
    await commit(services, outer, { calls, pause: number, response });
    return run.settled();
  };
  return orFailure(outer.id, change());
}

/** See `Run.back`. */
export async function goBack(services: Services, run: OpenRun): Promise<RunResult> {
  const outer = await outermost(services, run);
  // People go back from what they see, even if others have continued the run.
  const last = await concludeStored(services.host, outer, () => lastAnswered(services, outer));
  if (!last) {
    throw new WorkflowError(
      "CHECKPOINT_NOT_FOUND",
      `Run ${outer.id} has no answered question to go back to: it stands at its first one, or what asked the others was deleted.`,
      { details: { run: outer.id } },
    );
  }
  return orFailure(
    outer.id,
    commit(services, outer, last).then(() => run.settled()),
  );
}

/** What is changed: a question gets another answer, or none. */
interface Revision extends QuestionAddress {
  readonly response?: Value;
}

/** Stores a revision and continues the run. Throws why it cannot. */
async function commit(services: Services, run: OpenRun, revision: Revision): Promise<void> {
  await concludeStored(services.host, run, () => store(services, run, revision));
  run.drive();
  await run.rest();
}

async function store(services: Services, run: OpenRun, revision: Revision): Promise<void> {
  await run.catchUp();
  run.assertHere();
  assertRevisable(run.session.state);
  const { calls, pause } = revision;
  const asker = await askerOf(services, run, calls);
  const there = asker.session.state;
  const current = currentAsking(there, pause);
  const [asked, now] = [there.pauses[pause]!, there.pauses[current]!];
  const isReply = Object.hasOwn(revision, "response");
  // It is open already: another tab may have opened it too.
  if (!isReply && !now.answer && !now.withdrawn && (current !== pause || there.open.has(pause))) return;
  if (current !== pause) throw replaced(pauseId(asker.id, pause));
  if (asked.withdrawn) throw withdrawn(pauseId(asker.id, pause));
  if (there.open.has(pause)) return void (await answerPauses(services, asker, [[pauseId(asker.id, pause), revision.response!]]));
  changeAnswer(run.session, { calls, pause, asker, asked });
  let reply: { readonly response?: Value } = {};
  if (isReply) {
    const { response } = await admitAnswer(services, asker, asked, revision.response!);
    if (!asked.answer!.action && sameValue(asked.answer!.response, response)) return;
    reply = { response };
  }
  if (run.session.state.revisions >= MAX_REVISIONS) {
    throw new Refusal(
      "LIMIT_EXCEEDED",
      `The answers of one run may be changed ${MAX_REVISIONS} times. Start another run, or fork this one.`,
      { details: { limit: MAX_REVISIONS } },
    );
  }
  await services.guard?.secure(run.session);
  // The run may have changed, or been read again, while the answer was checked: then everything is checked again.
  const { session } = run;
  assertRevisable(session.state);
  const entry = revisedEntry(session, calls, pause);
  if (!entry) throw new WorkflowError("STORE_CONFLICT", "The run was changed meanwhile.");
  session.record({ ...entry, ...reply, at: session.now() });
  await session.flushed();
}

function replaced(pause: string): Refusal {
  return new Refusal(
    "PAUSE_ALREADY_ANSWERED",
    `The answer to pause ${pause} was changed elsewhere meanwhile. Look at the run as it stands now, and try again.`,
    { details: { pause } },
  );
}

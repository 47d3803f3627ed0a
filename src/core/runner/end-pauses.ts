import type { Session } from "../journal/journal.ts";
import type { Ending, RunState } from "../machine/machine.ts";
import { pauseId } from "../model/ids.ts";
import type { Entry } from "../model/journal.ts";
import type { OnTimeout } from "../model/workflow.ts";
import type { Value } from "../model/value.ts";
import { countedAnswer, findPauseProblem } from "./check-answer.ts";
import { unitFields } from "./record-step.ts";
import type { RunnerServices } from "./services.ts";

/** Ends questions that were not answered in time, or that an event ends, and records what follows. */
export async function endPauses(services: RunnerServices, session: Session, ends: readonly Ending[]): Promise<void> {
  // Store first: an event that a crash could still undo must not end a question.
  if (ends.some(({ signal }) => signal !== undefined)) await session.flushed();
  for (const end of ends) {
    const { state } = session;
    const { pause: number } = end;
    const pause = state.pauses[number]!;
    const follows = consequence(state, end);
    // The block would refuse the same answer again.
    const given = typeof follows === "object" && !pause.isOver ? follows.answer : undefined;
    const answer = given === undefined ? undefined : (await countedAnswer(pause.entry.schema, given)).value;
    const problem = answer === undefined ? undefined : await findPauseProblem(services, session, pause, answer);
    // Another tab may have been first while the answer was looked at.
    if (state.finished || !state.open.has(number)) continue;
    session.record(answer === undefined || problem ? ending(session, end, problem?.message) : answering(session, end, answer));
  }
}

function consequence({ pauses, signals }: RunState, { pause, signal }: Ending): OnTimeout {
  const { onTimeout, onEvent } = pauses[pause]!.entry;
  return (signal === undefined ? onTimeout : onEvent?.[signals!.get(signal)!.name]) ?? "fail";
}

function answering(session: Session, { pause, signal }: Ending, response: Value): Entry {
  const by = signal === undefined ? { by: "timeout" as const } : { by: "event" as const, signal };
  return { type: "answered", pause, response, ...by, at: session.now() };
}

function ending(session: Session, end: Ending, problem: string | undefined): Entry {
  const { state } = session;
  const pause = state.pauses[end.pause]!;
  const { block } = pause.entry;
  const { signal } = end;
  const event = signal === undefined ? undefined : state.signals!.get(signal)!.name;
  const fields = { ...unitFields(session, pause), ...(signal === undefined ? {} : { signal }) };
  if (consequence(state, end) === "skip") {
    return { type: "skipped", ...fields, reason: event === undefined ? { kind: "timeout" } : { kind: "event", event } };
  }
  const about = problem ?? (pause.isOver ? pause.refusal?.message : undefined);
  const why = about === undefined ? "" : ` The answer that was to follow does not do: ${about}`;
  const id = pauseId(state.id, end.pause);
  if (event !== undefined) {
    const message = `The question of block "${block}" was ended by the event "${event}" before an answer came.${why} Say by on_event what follows.`;
    return { type: "failed", ...fields, error: { code: "PAUSE_ENDED", message, details: { pause: id, event } } };
  }
  const expiredAt = state.started.at + (pause.entry.until ?? pause.entry.at);
  const message = `The question of block "${block}" expired at ${new Date(expiredAt).toISOString()}: no answer came in time.${why} Give it more time, or say by on_timeout what follows.`;
  const details = { pause: id, expiredAt };
  return { type: "failed", ...fields, error: { code: "PAUSE_TIMEOUT", message, details } };
}

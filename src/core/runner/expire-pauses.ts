import type { Session } from "../journal/journal.ts";
import type { PauseState } from "../machine/machine.ts";
import { pauseId } from "../model/ids.ts";
import type { Entry } from "../model/journal.ts";
import type { Value } from "../model/value.ts";
import { findPauseProblem } from "./check-answer.ts";
import { unitFields } from "./record-step.ts";
import type { RunnerServices } from "./services.ts";

/** Records what follows for questions without an answer in time. */
export async function expirePauses(services: RunnerServices, session: Session, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const { state } = session;
    const pause = state.pauses[number]!;
    const { onTimeout = "fail" } = pause.entry;
    // An answer that the block has refused once it will refuse again.
    const answer = typeof onTimeout === "object" && !pause.isOver ? onTimeout.answer : undefined;
    const problem = answer === undefined ? undefined : await findPauseProblem(services, session, pause, answer);
    // Another tab may have been first while the answer was looked at.
    if (state.finished || !state.open.has(number)) continue;
    session.record(answer === undefined || problem ? ending(session, pause, problem?.message) : answering(session, number, answer));
  }
}

function answering(session: Session, pause: number, response: Value): Entry {
  return { type: "answered", pause, response, by: "timeout", at: session.now() };
}

function ending(session: Session, pause: PauseState, problem: string | undefined): Entry {
  const { state } = session;
  const { block, onTimeout } = pause.entry;
  const fields = unitFields(session, pause);
  if (onTimeout === "skip") return { type: "skipped", ...fields, reason: { kind: "timeout" } };
  const about = problem ?? (pause.isOver ? pause.refusal?.message : undefined);
  const why = about === undefined ? "" : ` The answer that was to follow does not do: ${about}`;
  const expiredAt = state.started.at + (pause.entry.until ?? pause.entry.at);
  const message = `The question of block "${block}" expired at ${new Date(expiredAt).toISOString()}: no answer came in time.${why} Give it more time, or say by on_timeout what follows.`;
  const details = { pause: pauseId(state.id, pause.entry.pause), expiredAt };
  return { type: "failed", ...fields, error: { code: "PAUSE_TIMEOUT", message, details } };
}

import type { Services } from "../services.ts";
import type { Session } from "../session.ts";
import type { PauseState, RunState } from "../state.ts";
import { unitName } from "../unit.ts";
import { Donors } from "./donors.ts";
import { pausesOf } from "./match-step.ts";

/**
 * What a run takes over from the one it revises. Once somebody has answered here, the questions that were open beside the one that was answered take
 * the answers they had.
 */
export async function openDonors(services: Services, session: Session): Promise<Donors> {
  const { state } = session;
  const donors = new Donors(services, state, state.revises!);
  if (wasAnswered(state)) await takeAnswers(services, session, donors);
  return donors;
}

/** Whether the question was answered at which the run begins. */
function wasAnswered({ pauses, revises }: RunState): boolean {
  if (revises?.question !== undefined) return pauses[revises.question]?.answer !== undefined;
  return pauses.some(({ answer }) => answer !== undefined && answer.place > revises!.place);
}

async function takeAnswers(services: Services, session: Session, donors: Donors): Promise<void> {
  const { state } = session;
  for (const number of Object.keys(state.revises?.earlier ?? {})) {
    const pause = state.pauses[Number(number)];
    if (!pause || pause.answer || pause.closed || !(await takeAnswer(services, { session, donors, pause }))) continue;
    // Meanwhile somebody may have been quicker.
    if (pause.answer || pause.closed) continue;
    const { response } = state.revises!.earlier![number]!;
    session.record({ type: "answered", pause: pause.entry.pause, response, by: "earlier", at: session.now() });
  }
  await session.flushed();
}

interface Question {
  readonly session: Session;
  readonly donors: Donors;
  readonly pause: PauseState;
}

/** Whether a question takes the answer that it had; one of a called run has taken it then. */
async function takeAnswer(services: Services, { session: { state }, donors, pause }: Question): Promise<boolean> {
  const { prompt, schema, block, item, child } = pause.entry;
  if (child === undefined) {
    const earlier = await donors.earlier(pause, { prompt, schema, metadata: pause.metadata }, pausesOf(state, pause).indexOf(pause));
    return earlier?.counts === true;
  }
  const called = await services.find(await services.childId(state.id, unitName(block, item)));
  if (!called || called.active || !called.session.state.revises) return false;
  await services.guard?.secure(called.session);
  const { session } = called;
  await takeAnswers(services, session, new Donors(services, session.state, session.state.revises!));
  return session.state.pauses[child]?.answer !== undefined;
}

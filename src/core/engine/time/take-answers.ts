import type { Services } from "../services.ts";
import type { Session } from "../session.ts";
import type { PauseState, RunState } from "../state.ts";
import { unitName } from "../unit.ts";
import type { Donors } from "./donors.ts";
import { pausesOf } from "./match-step.ts";

/** What it takes to look through a run's questions. */
export interface AnswerTaking {
  readonly services: Services;
  readonly session: Session;
  readonly donors: Donors;
  /** What a called run takes over in its turn. */
  readonly donorsOf: (state: RunState) => Donors;
}

/**
 * Once the question is answered at which a run begins that revises another one, the questions that were open beside it take the answers they had. Gives
 * whether one did.
 */
export async function takeAnswers(taking: AnswerTaking): Promise<boolean> {
  return (await isAnswered(taking.services, taking.session.state)) ? takeAll(taking) : false;
}

async function isAnswered(services: Services, { id, pauses, revises, finished }: RunState): Promise<boolean> {
  const awaits = revises?.awaits;
  if (!revises || finished || awaits === "caller") return false;
  if (awaits === undefined) return true;
  if ("pause" in awaits) return pauses[awaits.pause]?.answer !== undefined;
  const called = await services.find(await services.childId(id, awaits.call));
  return called !== undefined && (called.session.state.finished !== undefined || isAnswered(services, called.session.state));
}

async function takeAll(taking: AnswerTaking): Promise<boolean> {
  const { state } = taking.session;
  let isTaken = false;
  for (const [number, { response }] of Object.entries(state.revises?.earlier ?? {})) {
    const pause = state.pauses[Number(number)];
    if (!isOpen(pause) || !(await takesAnswer(taking, pause)) || !isOpen(pause) || state.finished) continue;
    taking.session.record({ type: "answered", pause: Number(number), response, by: "earlier", at: taking.session.now() });
    isTaken = true;
  }
  return isTaken;
}

function isOpen(pause: PauseState | undefined): pause is PauseState {
  return pause !== undefined && !pause.answer && !pause.closed && !pause.forgotten;
}

/** Whether a question takes the answer that it had; one of a called run has taken it then. */
async function takesAnswer({ services, session, donors, donorsOf }: AnswerTaking, pause: PauseState): Promise<boolean> {
  const { prompt, schema, block, item, child } = pause.entry;
  if (child === undefined) {
    const ordinal = pausesOf(session.state, pause).indexOf(pause);
    return (await donors.earlier(pause, { prompt, schema, metadata: pause.metadata }, ordinal))?.counts === true;
  }
  const called = await services.find(await services.childId(session.state.id, unitName(block, item)));
  if (!called || called.active || !called.session.state.revises) return false;
  await services.guard?.secure(called.session);
  await takeAll({ services, session: called.session, donors: donorsOf(called.session.state), donorsOf });
  await called.session.flushed();
  return called.session.state.pauses[child]?.answer !== undefined;
}

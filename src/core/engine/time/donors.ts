import { isHostError, type ErrorData } from "../../model/errors.ts";
import type { PausedEntry } from "../../model/journal.ts";
import type { AnsweredQuestion } from "../../ports/block.ts";
import { COMPLETED, FAILED, PENDING, SKIPPED_BLOCK } from "../block-code.ts";
import { recordFailure } from "../record-step.ts";
import type { Services } from "../services.ts";
import { codeOf, type Revision, type RunState } from "../state.ts";
import type { Session } from "../session.ts";
import type { Step } from "../step.ts";
import { unitKey, unitName, type Unit } from "../unit.ts";
import { takeDraft } from "./carry-drafts.ts";
import { findCalled } from "./called-run.ts";
import { earlierAnswer, type Earlier } from "./earlier-answer.ts";
import { inputsOf, matchStep, pausesOf, unitIn, type Donor, type Match } from "./match-step.ts";
import { pastState } from "./past-state.ts";
import { recordKept } from "./record-kept.ts";
import { takeAnswers } from "./take-answers.ts";

/** Revisions of revisions that are looked through: what was answered before those counts no more. */
const MAX_DONORS = 20;
/** The same for what must not happen twice. */
const MAX_EFFECT_DONORS = 1_000;

/** Where what must not happen twice happened, or may have happened. */
export interface RepeatedEffect {
  readonly run: string;
  readonly isKnown: boolean;
}

/** What a called run takes over in its turn. */
export type CalledRevision = Pick<Revision, "run" | "confirmed">;

/**
 * What a run takes over that revises another one: from that run, and where that one has nothing, from the one it revised itself. They are read
 * again whenever the run goes on; where one was deleted, blocks are executed and questions asked.
 */
export class Donors {
  readonly #services: Services;
  readonly #own: Donor;
  readonly #revision: Revision | undefined;
  readonly #chain: Promise<Donor | undefined>[] = [];

  constructor(services: Services, state: RunState, revision: Revision | undefined) {
    this.#services = services;
    this.#own = asDonor(services, state, {});
    this.#revision = revision;
  }

  /**
   * Takes a step over, if it comes out the same, and gives whether nothing is left to do for it. Else nothing was recorded, and the block is to be
   * executed. What must not happen twice fails with `EFFECT_UNCONFIRMED`.
   */
  async takeOver(step: Step): Promise<boolean> {
    const { state } = this.#own;
    const match = hasBegun(state, step.unit) ? undefined : await this.match(step.unit);
    if (step.hasEnded) return true;
    if (match) {
      await recordKept(step, match);
      return true;
    }
    const repeat = await this.repeatsEffect(step.unit);
    if (!repeat) return false;
    await recordFailure(step, unconfirmed(step.block, repeat));
    return true;
  }

  /** The step of another run that stands for one of this, where it comes out the same. */
  async match(unit: Unit): Promise<Match | undefined> {
    const inputs = inputsOf(this.#own, unit);
    if (inputs === undefined) return undefined;
    for await (const donor of this.#donors()) {
      const match = matchStep(this.#own.state, unit, { inputs, donor });
      if (match) return match;
    }
    return undefined;
  }

  /** What a question of a unit was answered before; it is the next one of the unit, unless `ordinal` says which. */
  async earlier(unit: Unit, question: AnsweredQuestion, ordinal?: number): Promise<Earlier | undefined> {
    const { state } = this.#own;
    const type = this.#services.types.get(state.compiled.workflow.blocks[unit.block]!.type);
    const open = {
      unit,
      ordinal: ordinal ?? pausesOf(state, unit).length,
      question: this.#own.mask(question),
      type,
      inputs: inputsOf(this.#own, unit),
    };
    let shown: Earlier | undefined;
    for await (const donor of this.#donors()) {
      const earlier = await earlierAnswer(state, donor, open);
      // An answer to this very question is worth more than a newer one to another.
      if (earlier?.counts) return earlier;
      shown ??= earlier;
    }
    return shown;
  }

  /** Lets the questions that were open beside the one at which the run begins take the answers they had, once that is answered. */
  takeAnswers(session: Session): Promise<boolean> {
    const donorsOf = (state: RunState): Donors => new Donors(this.#services, state, state.revises);
    return takeAnswers({ services: this.#services, session, donors: this, donorsOf });
  }

  /** Gives a question that is asked what somebody had typed for it before. What cannot be had is done without. */
  async takeDraft(question: PausedEntry): Promise<void> {
    try {
      const run = await this.#services.find(this.#own.state.id);
      if (run) await takeDraft(this.#services, run, question);
    } catch {
      // Nothing true depends on a draft.
    }
  }

  /** The run that the unit had called, for the one that it calls now. One that is gone is named too: it is not known what happened there. */
  async called(unit: Unit, workflow: string): Promise<CalledRevision | undefined> {
    const confirmed = this.#revision?.confirmed ? ({ confirmed: true } as const) : {};
    let missing: string | undefined;
    let next = this.#revision?.run;
    for await (const donor of this.#donors()) {
      next = donor.state.revises?.run;
      const there = unitIn(donor.state, this.#own.state, unit);
      if (!there) continue;
      const name = nameOf(donor.state, there);
      const run = await findCalled(this.#services, donor.state.id, name);
      if (run?.session.state.started.workflow === workflow) return { run: run.id, ...confirmed };
      if (!run && hasCalled(donor.state, there)) missing ??= await this.#services.childId(donor.state.id, name);
    }
    if (next !== undefined) missing ??= await this.#services.childId(next, nameOf(this.#own.state, unit));
    return missing === undefined ? undefined : { run: missing, ...confirmed };
  }

  /**
   * Whether the unit must not run twice, was executed in a run before this one, or may have been in one that is gone, and nobody has confirmed
   * that it may be again.
   */
  async repeatsEffect(unit: Unit): Promise<RepeatedEffect | undefined> {
    const { state } = this.#own;
    if (this.#revision?.confirmed || !isOnce(this.#services, state, unit.block)) return undefined;
    let next = this.#revision?.run;
    for await (const donor of this.#donors(MAX_EFFECT_DONORS)) {
      next = donor.state.revises?.run;
      const there = unitIn(donor.state, state, unit);
      if (!there) continue;
      const code = codeOf(donor.state, there);
      if ((code !== PENDING && code !== SKIPPED_BLOCK) || donor.state.begun.has(unitKey(there)))
        return { run: donor.state.id, isKnown: true };
    }
    return next === undefined ? undefined : { run: next, isKnown: false };
  }

  /** Whether the unit was executed in the run that is revised. */
  async ran(unit: Unit): Promise<boolean> {
    const donor = await this.#donor(0);
    const there = donor && unitIn(donor.state, this.#own.state, unit);
    const code = there ? codeOf(donor.state, there) : PENDING;
    return code === COMPLETED || code === FAILED;
  }

  /** The runs that are revised, the nearest first. */
  async *#donors(limit: number = MAX_DONORS): AsyncGenerator<Donor> {
    for (let i = 0; i < limit; i++) {
      const donor = await this.#donor(i);
      if (!donor) return;
      yield donor;
    }
  }

  #donor(place: number): Promise<Donor | undefined> {
    return (this.#chain[place] ??= this.#read(place));
  }

  async #read(place: number): Promise<Donor | undefined> {
    const revision = place === 0 ? this.#revision : (await this.#donor(place - 1))?.state.revises;
    return revision && readDonor(this.#services, revision);
  }
}

/** Whether a unit has failed, iterated or called a workflow here: then it goes on here. */
function hasBegun(state: RunState, unit: Unit): boolean {
  const key = unitKey(unit);
  return hasCalled(state, unit) || state.retries.has(key) || state.iterations.has(key);
}

function hasCalled(state: RunState, unit: Unit): boolean {
  return state.callers.has(unitKey(unit)) || pausesOf(state, unit).some(({ entry }) => entry.child !== undefined);
}

function nameOf({ compiled }: RunState, { block, item }: Unit): string {
  return unitName(compiled.plan.ids[block]!, item);
}

/** A run as it stands in the store, for others to take over from. Nothing where it is gone or cannot be read. */
async function readDonor(services: Services, { run: id, entries, answers = {} }: Revision): Promise<Donor | undefined> {
  try {
    const run = await services.find(id);
    if (!run) return undefined;
    if (!run.active) await run.update();
    // Secrets stand in what its blocks were given.
    await services.guard?.secure(run.session).catch(() => {});
    return asDonor(services, entries === undefined ? run.session.state : await pastState(services, id, entries), answers);
  } catch (error) {
    if (isHostError(error)) throw error;
    return undefined;
  }
}

function asDonor({ guard }: Services, state: RunState, answers: Donor["answers"]): Donor {
  return { state, answers, mask: (value) => guard?.mask(state.id, value) ?? value };
}

/** Whether a block says, or its type says for it, that it must not run twice. */
export function isOnce({ types }: Pick<Services, "types">, { compiled }: Pick<RunState, "compiled">, block: number): boolean {
  const { effect, type } = compiled.workflow.blocks[block]!;
  return effect === "once" || types.get(type)?.effect === "once";
}

function unconfirmed(block: string, { run, isKnown }: RepeatedEffect): ErrorData {
  const why = isKnown
    ? `it ran in run ${run}, and would run again with what is given to it now`
    : `it may have run in run ${run}, which cannot be read here`;
  return {
    code: "EFFECT_UNCONFIRMED",
    message: `Block "${block}" must not run twice; ${why}. Resume this run with confirm: true, or revise with another answer.`,
    details: { block, run },
  };
}

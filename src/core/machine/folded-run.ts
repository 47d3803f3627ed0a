import type { Scope } from "../expression/scope.ts";
import type { Entry, StartedEntry } from "../model/journal.ts";
import type { RunParent } from "../model/run.ts";
import { apply, type Applied } from "./apply.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import { forgetInputs, runScope } from "./context.ts";
import { type Consequence, decideFailure, type Failure } from "./decide-failure.ts";
import { decide, type Decision, type Looked } from "./decide.ts";
import { initialState } from "./initial-state.ts";
import { definitionOf, type RunPlan } from "./run-plan.ts";
import type { RunState } from "./state.ts";

/** A run that has just started. */
export function beginFolding(id: string, definition: CompiledWorkflow, started: StartedEntry): FoldedRun {
  return new FoldedRun(new Map([[started.definition, definition]]), initialState(id, definition, started));
}

/** What is known of a journal beside what it says. */
export interface JournalExtent {
  /** How many entries are no longer kept one by one. */
  base: number;
  /** How many entries need not be read to read the run: those before the newest base or snapshot. */
  spared: number;
  /** Characters of the entries that hold its values. */
  size: number;
  /** Characters of the entries behind the newest base or snapshot. */
  tail: number;
  /** Characters that the newest snapshot took. */
  snapshot: number;
}

/** A run in memory: its state, its definitions, and what its expressions see. */
export class FoldedRun implements JournalExtent {
  readonly #plan: Map<string, CompiledWorkflow>;
  readonly #state: RunState;
  base = 0;
  spared = 0;
  size = 0;
  tail = 0;
  snapshot = 0;
  /** What expressions see; secrets that the run has in this process are put over it. */
  scope: Scope;

  constructor(plan: RunPlan, state: RunState) {
    this.#plan = new Map(plan);
    this.#state = state;
    this.scope = runScope(this);
  }

  get state(): RunState {
    return this.#state;
  }

  get plan(): RunPlan {
    return this.#plan;
  }

  /** The definition that the run has now, with its blocks in the waves in which they stand. */
  get compiled(): CompiledWorkflow {
    return definitionOf(this.#plan, this.#state);
  }

  /** Makes a definition known before an entry moves the run to it. */
  know(hash: string, definition: CompiledWorkflow): void {
    this.#plan.set(hash, definition);
  }

  /** Notes when the run was made: a fork is younger than the past that it shares. */
  setCreation(createdAt: number): void {
    this.#state.madeAt = createdAt - this.#state.started.at;
  }

  /** A fork with this past. Do not fold this run any further: the two share its parts. */
  fork(id: string, parent: RunParent | undefined): FoldedRun {
    const { started } = this.#state;
    const fork = new FoldedRun(this.#plan, { ...this.#state, id, started: parent ? { ...started, parent } : started });
    return Object.assign(fork, this.#extent);
  }

  /** Becomes another reading of the same run, for all that hold this object. Do not fold the other one any further. */
  become(other: FoldedRun): void {
    forgetInputs(this.#state);
    Object.assign(this.#state, other.#state, { madeAt: this.#state.madeAt });
    Object.assign(this, other.#extent);
  }

  get #extent(): JournalExtent {
    const { base, spared, size, tail, snapshot } = this;
    return { base, spared, size, tail, snapshot };
  }

  /** Folds one more entry. Throws `RUN_CORRUPT`. */
  apply(entry: Entry): Applied {
    return apply(this.#plan, this.#state, entry);
  }

  /** What is to be done next, at an instant in milliseconds after the start; see {@link View.looked}. */
  decide(now: number, looked?: Looked): Decision {
    return decide(this.#plan, this.#state, now, { scope: this.scope, looked });
  }

  /** What follows a failure that is not recorded yet. */
  decideFailure(failure: Failure): Consequence {
    return decideFailure(this.#plan, this.#state, failure);
  }
}

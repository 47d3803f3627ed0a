import type { MovePlan } from "../model/move-plan.ts";
import type { Workflow } from "../model/workflow.ts";

/** A run that cannot go on with the definition that is loaded now as it stands. */
export interface Move {
  readonly run: string;
  readonly workflow: string;
  /** The definition it has. */
  readonly from: Workflow;
  /** The one that is loaded now. */
  readonly to: Workflow;
  readonly plan: MovePlan;
}

/** What becomes of the blocks that have begun. */
export interface Migration {
  /**
   * By the id a block has now: the id it has in the other definition, or `null` where what happened of it no longer counts. Blocks that are
   * left out keep their ids.
   */
  readonly blocks: { readonly [id: string]: string | null };
}

/** Says how a run moves, or nothing where it cannot. Called again where another tab or process was first. */
export type Migrate = (move: Move) => Migration | undefined | Promise<Migration | undefined>;

import type { MovePlan } from "../model/move-plan.ts";
import type { Workflow } from "../model/workflow.ts";

/** A run that cannot continue with the definition that is loaded now, unless its blocks are mapped. */
export interface Move {
  readonly run: string;
  readonly workflow: string;
  /** The definition that the run has. */
  readonly from: Workflow;
  /** The definition that is loaded now. */
  readonly to: Workflow;
  readonly plan: MovePlan;
}

/** Maps blocks that have begun to another definition. */
export interface Migration {
  /**
   * By the id of a block in the run: its id in the other definition, or `null` to drop its records. Blocks that you leave out keep their ids.
   */
  readonly blocks: { readonly [id: string]: string | null };
}

/** Says how a run moves; nothing where it cannot. Called again if another tab or process wrote first. */
export type Migrate = (move: Move) => Migration | undefined | Promise<Migration | undefined>;

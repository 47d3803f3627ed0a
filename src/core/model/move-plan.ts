/** Whether a run can go on with another definition, and how. */
export interface MovePlan {
  /**
   * `same`: it is the definition the run has. `compatible`: `resume({ definition: "latest" })` moves it. `needs_migration`: finished blocks
   * are missing or have another type, so a `migrate` hook has to say what becomes of them. `fork`: finished blocks are written otherwise
   * now, so their results may be others; moving keeps them, forking from `forkFrom` runs them again.
   */
  readonly verdict: "same" | "compatible" | "needs_migration" | "fork";
  /** Hashes of the two definitions. */
  readonly from: string;
  readonly to: string;
  readonly differences: readonly DefinitionDifference[];
  /** The newest checkpoint before the first finished block that changed; absent where that is the start. */
  readonly forkFrom?: { readonly wave: number; readonly checkpoint?: string };
}

/** One thing that is different in another definition. */
export interface DefinitionDifference {
  /** Absent where it is about the workflow itself: its inputs or outputs. */
  readonly block?: string;
  readonly kind: "added" | "removed" | "type" | "changed" | "inputs" | "outputs";
  /** Whether the run has a record of the block. */
  readonly finished: boolean;
  /** In words. */
  readonly message: string;
}

import type { Pause } from "../model/run.ts";
import type { Run } from "./api.ts";
import type { HeldRun } from "../runner/runner.ts";
import type { SavedDraft } from "./saved-draft.ts";

/** A run that this executor holds, with all that users can do with it. */
export interface OpenRun extends HeldRun, Run {
  /** The questions that wait for an answer. */
  pauses(): readonly Pause[];
  /** Reads the drafts of the open questions and shows them. */
  readDrafts(): Promise<void>;
  /** Shows a draft that was saved here, or that there is none. */
  showDraft(pause: number, draft: SavedDraft | undefined): void;
}

import type { Run } from "../core/run/run.ts";
import { createPauseForm, type PauseForm, type PauseFormState } from "../browser/pause-form.ts";
import { shownQuestion } from "../browser/shown-question.ts";

/** A question of a run as a component shows it, with what can be done about it. */
export interface UsedPause extends PauseFormState, Pick<PauseForm, "answer" | "decline" | "saveDraft"> {}

/**
 * Follows a question of a run: the one with this id, else the first that is open, and that one until it no longer waits, or another one is opened
 * again, by Back or a changed answer. Executes nothing until there is a listener.
 */
export function followPause(run: Run, pause?: string): Source<UsedPause> {
  let id = pause ?? "";
  const question = shownQuestion();
  let seen: PauseFormState;
  let state: UsedPause;

  return {
    getSnapshot: look,
    subscribe(listener) {
      let followed: string | undefined;
      let leaveForm = (): void => {};
      const tell = (): void => {
        look();
        if (id !== followed) {
          leaveForm();
          leaveForm = createPauseForm(run, (followed = id)).subscribe(tell);
        }
        listener();
      };
      const leaveRun = run.subscribe(tell);
      return () => {
        leaveRun();
        leaveForm();
      };
    },
  };

  function look(): UsedPause {
    const open = run.getSnapshot().pauses;
    // Where nothing is open, the last one stays: its answer may be on its way.
    if (!pause) id = question.look(open)?.id ?? id;
    const form = createPauseForm(run, id);
    const now = form.getSnapshot();
    if (now !== seen) state = { ...form, ...(seen = now) };
    return state;
  }
}

/** What components follow: a run is one, too. */
export interface Source<State> {
  /** As it stands: the same object until something changes. */
  getSnapshot(): State;
  /** Calls the listener now and after each change, perhaps more often. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
}

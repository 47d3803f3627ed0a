import type { Run } from "../core/engine/face.ts";
import { createPauseForm, type PauseForm, type PauseFormState } from "../browser/pause-form.ts";
import type { Source } from "./source.ts";

/** A question of a run as a component shows it, with what can be done about it. */
export interface UsedPause extends PauseFormState, Pick<PauseForm, "answer" | "decline" | "saveDraft"> {}

// One form for each question, whoever shows it: of what is sent in one place, the other places know.
const forms = new WeakMap<Run, Map<string, PauseForm>>();

function formOf(run: Run, pause: string): PauseForm {
  const ofRun = forms.get(run) ?? new Map<string, PauseForm>();
  forms.set(run, ofRun);
  const form = ofRun.get(pause) ?? createPauseForm(run, pause);
  ofRun.set(pause, form);
  return form;
}

/**
 * Follows a question of a run: the one with this id, else the first that is open, and that one until it is answered, though another may come
 * before it meanwhile. Executes nothing until somebody listens.
 */
export function followPause(run: Run, pause?: string): Source<UsedPause> {
  let id = pause ?? "";
  let form: PauseForm;
  let seen: PauseFormState;
  let state: UsedPause;

  return {
    getSnapshot: look,
    subscribe(listener) {
      let told = look();
      let followed: PauseForm | undefined;
      let leaveForm: (() => void) | undefined;
      const tell = (): void => {
        const now = look();
        if (form !== followed) {
          leaveForm?.();
          followed = form;
          leaveForm = form.subscribe(tell);
        }
        if (now === told) return;
        told = now;
        listener();
      };
      const leaveRun = run.subscribe(tell);
      return () => {
        leaveRun();
        leaveForm?.();
      };
    },
  };

  function look(): UsedPause {
    if (pause === undefined) {
      const open = run.getSnapshot().pauses;
      // Where nothing is open, the last one stays: its answer may be on its way.
      if (open[0] && !open.some((one) => one.id === id)) id = open[0].id;
    }
    const found = formOf(run, id);
    const now = found.getSnapshot();
    if (now !== seen) {
      form = found;
      seen = now;
      const { answer, decline, saveDraft } = found;
      state = { ...now, answer, decline, saveDraft };
    }
    return state;
  }
}

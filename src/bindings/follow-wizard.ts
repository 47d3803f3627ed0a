import { errorData, type ErrorData } from "../core/model/errors.ts";
import { assertOptions } from "../core/model/assert-options.ts";
import type { Pause } from "../core/model/run.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import type { Workflow } from "../core/model/workflow.ts";
import type { Named, OutputsOf, PausesOf } from "../core/definition/definition.ts";
import type { Executor, Run } from "../core/run/run.ts";
import { followPause, type Source, type UsedPause } from "./follow-pause.ts";
import { openWizard, type WizardOptions } from "./wizard-run.ts";

/** A run that is opened or started, and then followed, with the question that it asks. It is loading, there, or could not be opened. */
export type UsedWizard<Outputs = Values, Asks = Pause> =
  | Loading
  | {
      readonly isLoading: false;
      readonly run: Run<Outputs, Asks>;
      /** The run as it stands. */
      readonly view: RunView<Outputs, Asks>;
      /** The question that is shown: after Back, and after a changed answer, the one that was opened again. */
      readonly question: UsedPause;
      readonly error?: undefined;
      readonly retry?: undefined;
    }
  | {
      readonly isLoading: false;
      readonly run?: undefined;
      readonly view?: undefined;
      readonly question?: undefined;
      /** Why it could not be opened or started. */
      readonly error: ErrorData;
      /** Tries it again, for all who follow it: it is loading at once. */
      readonly retry: () => void;
    };

/** The wizard of a workflow. */
export type WizardOf<W extends Workflow | string> = UsedWizard<OutputsOf<Named<W>>, PausesOf<Named<W>>>;

interface Loading {
  readonly isLoading: true;
  readonly run?: undefined;
  readonly view?: undefined;
  readonly question?: undefined;
  readonly error?: undefined;
  readonly retry?: undefined;
}

/** Before it is known whether there is a run. */
export const LOADING: Loading = { isLoading: true };

/** Follows the run of a wizard. It is opened or started once there is a listener that stays: not while a page is drawn on a server. */
export function followWizard<W extends Workflow | string>(executor: Executor, workflow: W, options: WizardOptions<W>): Source<UsedWizard> {
  assertOptions("useWizard", options as WizardOptions, { id: true, inputs: true, channels: true, policy: true, after: true });
  let state: UsedWizard = LOADING;
  let question: Source<UsedPause> | undefined;
  let opening: Promise<void> | undefined;
  let opened: Run | undefined;
  /** What each listener does that has no run yet. */
  const waiting = new Set<() => void>();
  const retry = (): void => {
    if (opening !== undefined) return;
    state = LOADING;
    for (const again of waiting) again();
  };

  return {
    getSnapshot: look,
    subscribe(listener) {
      let isLeft = false;
      let isFollowing = false;
      let leave = (): void => {};
      const follow = async (): Promise<void> => {
        await Promise.resolve();
        if (isLeft) return;
        await (opening ??= open());
        if (isLeft) return;
        isFollowing = opened !== undefined;
        if (opened && question) {
          waiting.delete(again);
          const leaving = [opened.subscribe(listener), question.subscribe(listener)];
          leave = () => leaving.forEach((end) => end());
        } else listener();
      };
      const again = (): void => {
        if (isFollowing) return;
        isFollowing = true;
        listener();
        void follow();
      };
      waiting.add(again);
      // One that comes after a failure tries it again for all.
      if (opening === undefined) retry();
      else again();
      return () => {
        isLeft = true;
        waiting.delete(again);
        leave();
      };
    },
  };

  async function open(): Promise<void> {
    try {
      opened = await openWizard(executor, workflow, options);
      question = followPause(opened);
    } catch (thrown) {
      opening = undefined;
      state = { isLoading: false, error: errorData(thrown, "STORE_FAILED"), retry };
    }
  }

  function look(): UsedWizard {
    if (!opened || !question) return state;
    const view = opened.getSnapshot();
    const asked = question.getSnapshot();
    if (state.view !== view || state.question !== asked) state = { isLoading: false, run: opened, view, question: asked };
    return state;
  }
}

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
    }
  | {
      readonly isLoading: false;
      readonly run?: undefined;
      readonly view?: undefined;
      readonly question?: undefined;
      /** Why it could not be opened or started. */
      readonly error: ErrorData;
    };

/** The wizard of a workflow. */
export type WizardOf<W extends Workflow | string> = UsedWizard<OutputsOf<Named<W>>, PausesOf<Named<W>>>;

interface Loading {
  readonly isLoading: true;
  readonly run?: undefined;
  readonly view?: undefined;
  readonly question?: undefined;
  readonly error?: undefined;
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

  return {
    getSnapshot: look,
    subscribe(listener) {
      let isLeft = false;
      let leave = (): void => {};
      const follow = async (): Promise<void> => {
        await Promise.resolve();
        if (isLeft) return;
        await (opening ??= open());
        if (isLeft) return;
        if (opened && question) {
          const leaving = [opened.subscribe(listener), question.subscribe(listener)];
          leave = () => leaving.forEach((end) => end());
        } else listener();
      };
      listener();
      void follow();
      return () => {
        isLeft = true;
        leave();
      };
    },
  };

  async function open(): Promise<void> {
    try {
      opened = await openWizard(executor, workflow, options);
      question = followPause(opened);
    } catch (thrown) {
      // Tried again by the next listener.
      opening = undefined;
      state = { isLoading: false, error: errorData(thrown, "STORE_FAILED") };
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

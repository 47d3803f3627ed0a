import type { Executor, Run } from "../core/engine/face.ts";
import { errorData, type ErrorData } from "../core/model/errors.ts";
import type { Source } from "./source.ts";

/** What became of opening a run: neither is set while it is on its way. */
export type OpenedRun =
  | { readonly run: Run; readonly error?: never }
  | { readonly run?: never; readonly error: ErrorData }
  | { readonly run?: never; readonly error?: never };

/** Opens a stored run as soon as somebody listens. Nothing of it executes. */
export function followOpening(executor: Executor, id: string): Source<OpenedRun> {
  let state: OpenedRun = {};
  return {
    getSnapshot: () => state,
    subscribe(listener) {
      let isHeard = true;
      const tell = (now: OpenedRun): void => {
        if (!isHeard) return;
        state = now;
        listener();
      };
      executor.open(id).then(
        (run) => tell({ run }),
        (thrown: unknown) => tell({ error: errorData(thrown, "STORE_FAILED") }),
      );
      return () => {
        isHeard = false;
      };
    },
  };
}

import type { RunParent } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";

/** A run that is to be made. */
export interface StartRequest {
  readonly workflow: Workflow;
  readonly inputs: Values | undefined;
  /** Chosen by the caller of `start`, without `run_`. */
  readonly id?: string | undefined;
  /** For a called run: its id, the caller, the names of the workflows whose calls lead to it, and the revision of the caller that it follows. */
  readonly child?: { readonly id: string; readonly parent: RunParent; readonly callers: readonly string[]; readonly entered: number };
}

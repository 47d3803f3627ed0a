import type { Workflow } from "wavepoint";
import type { Faults } from "./faults.ts";

/** What the page says to its worker beside the calls of the executor. */
export type ToDemoWorker =
  /** The first message: with it the worker makes its executor. */
  | { readonly demo: "begin"; readonly workflows: readonly Workflow[]; readonly faults: Faults; readonly agents: boolean }
  | { readonly demo: "faults"; readonly faults: Faults }
  | { readonly demo: "secret"; readonly number: number; readonly value: string | undefined };

/** What the worker says to its page: a run needs a secret. */
export interface AskedSecret {
  readonly demo: "ask-secret";
  readonly number: number;
  readonly name: string;
}

/** Whether a message is one of the demo: the executor's own go the same way. */
export function isOfDemo<Message extends { readonly demo: string }>(data: unknown): data is Message {
  return typeof data === "object" && data !== null && "demo" in data;
}

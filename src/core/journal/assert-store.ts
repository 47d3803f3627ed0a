import { WorkflowError } from "../model/errors.ts";
import type { Store } from "../ports/store.ts";

/** Refuses what JavaScript lets pass for a store: the promise of one, the function that makes one, nothing. Throws `STORE_UNAVAILABLE`. */
export function assertStore(store: Partial<Store> | undefined): void {
  if (typeof store?.commit === "function") return;
  throw new WorkflowError("STORE_UNAVAILABLE", `The \`store\` that createExecutor was given is no store. ${advise(store)}`);
}

function advise(given: unknown): string {
  if (typeof given === "function") return "It is a function: call it, as in memoryStore().";
  if (given instanceof Promise) return "It is a promise: wait for it, as in await openStore(address).";
  return "Give one, such as memoryStore(), indexedDbStore({ name }) or filesystemStore(directory).";
}

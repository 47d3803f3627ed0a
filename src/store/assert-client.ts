import { WorkflowError } from "../core/model/errors.ts";

/** Throws `POLICY_INVALID` if the client that a store was given lacks a method that the store calls. `what` names the client that it takes. */
export function assertClient(of: string, client: unknown, methods: readonly string[], what: string): void {
  const missing = methods.find((name) => typeof (client as { readonly [name: string]: unknown } | null | undefined)?.[name] !== "function");
  if (missing === undefined) return;
  throw new WorkflowError("POLICY_INVALID", `${of} takes ${what}. What it was given has no ${missing}().`);
}

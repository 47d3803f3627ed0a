import { WorkflowError } from "../core/model/errors.ts";

/** Throws `POLICY_INVALID` where what was handed in to a store lacks a method of the client that it asks; `what` names such a client. */
export function assertClient(of: string, client: unknown, methods: readonly string[], what: string): void {
  const missing = methods.find((name) => typeof (client as { readonly [name: string]: unknown } | null | undefined)?.[name] !== "function");
  if (missing === undefined) return;
  throw new WorkflowError("POLICY_INVALID", `${of} takes ${what}. What it was given has no ${missing}().`);
}

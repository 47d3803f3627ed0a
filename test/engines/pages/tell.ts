import type { Testimony } from "../../support/witness.ts";

/** Tells the witness; resolves once it knows. */
export async function tell(line: Testimony): Promise<void> {
  await fetch("/witness", { method: "POST", body: JSON.stringify(line) });
}

/** An input of a hostile corpus, as its manifest lists it. */
export interface HostileInput {
  readonly id: string;
  readonly file: string;
  readonly kind: string;
  readonly attack: string;
  /** Where the attack comes from; it may say "Expect: x is skipped". */
  readonly source?: string;
  /** Row of the table that `file` is. */
  readonly row?: number;
  readonly platform?: string;
  readonly expect: { readonly outcome: string; readonly code: string; readonly within_ms?: number };
}

export type Verdict =
  | { readonly status: "passed"; /** What is worth knowing about it. */ readonly why?: string }
  | { readonly status: "failed"; readonly expected: string; readonly actual: string; readonly slow?: boolean }
  | { readonly status: "not-applicable"; readonly why: string };

export const PASSED: Verdict = { status: "passed" };

export function failed(expected: string, actual: string): Verdict {
  return { status: "failed", expected, actual: actual.length > 300 ? `${actual.slice(0, 300)}…` : actual };
}

export function notApplicable(why: string): Verdict {
  return { status: "not-applicable", why };
}

/** The first verdict that is no pass, or a pass. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => verdict.status === "failed") ?? verdicts.find((verdict) => verdict.status !== "passed") ?? PASSED;
}

import type { ElicitResult } from "@modelcontextprotocol/client";
import { sameValue } from "../../core/model/fingerprint.ts";
import { isRecord } from "../../core/model/value.ts";
import type { Round } from "./server-questions.ts";

/**
 * A call of a server of 2025, which asks in its middle and waits there. What was answered before is answered again, in the same order; at the first question that is
 * new the call is interrupted: no run can wait with it.
 */
export class HeldCall {
  /** Resolves at the first question that has no answer yet, with all that was asked. */
  readonly interrupted: Promise<{ readonly asked: Round }>;
  /** Ends the call. */
  readonly signal: AbortSignal;
  isInterrupted = false;
  readonly #round: Round;
  readonly #ending = new AbortController();
  #interrupt!: (reached: { readonly asked: Round }) => void;
  #count = 0;

  constructor(round: Round, signal: AbortSignal) {
    this.#round = round;
    this.signal = AbortSignal.any([signal, this.#ending.signal]);
    this.interrupted = new Promise((resolve) => (this.#interrupt = resolve));
  }

  ask(request: { readonly method: string; readonly params?: unknown }): ElicitResult | Promise<never> {
    const { asked, answered } = this.#round;
    const key = String(this.#count);
    const question = { method: request.method, params: withoutMeta(request.params) };
    if (!this.isInterrupted && Object.hasOwn(answered, key) && sameValue(asked[key], question)) {
      this.#count += 1;
      return answered[key] as unknown as ElicitResult;
    }
    if (!this.isInterrupted) {
      this.isInterrupted = true;
      const before = <T>(all: Readonly<Record<string, T>>) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => Number(name) < this.#count));
      this.#interrupt({ asked: { asked: { ...before(asked), [key]: question }, answered: before(answered) } });
      this.#ending.abort();
    }
    // It gets no answer in this call any more.
    return new Promise(() => {});
  }
}

/** What a request carries beside what it asks differs from call to call. */
function withoutMeta(params: unknown): unknown {
  if (!isRecord(params)) return params;
  const { _meta: _, ...asked } = params;
  return asked;
}

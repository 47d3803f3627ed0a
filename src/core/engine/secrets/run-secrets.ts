import { isWorkflowError, WorkflowError } from "../../model/errors.ts";
import type { Entry } from "../../model/journal.ts";
import type { OutputEvent, RunEvent } from "../../ports/observer.ts";
import type { Scope } from "../../expression/scope.ts";
import type { MaskedEntry } from "./mask-entry.ts";
import { maskEntry, maskErrorData } from "./mask-entry.ts";
import { maskValue } from "./mask-value.ts";
import { createMasker, type Masker } from "./masker.ts";
import { secretScope } from "./secret-scope.ts";

/** What a run has of one kind: the values by name. */
export type SecretValues = ReadonlyMap<string, string>;

/**
 * The secrets of one run, in memory only: blocks get them, and everything that leaves goes through here first. Values that were replaced by newer
 * ones stay masked.
 */
export class RunSecrets {
  /** By the names of `${secrets.NAME}`. */
  readonly named: Map<string, string> = new Map<string, string>();
  /** By the names of the workflow's secret inputs. */
  readonly inputs: Map<string, string> = new Map<string, string>();
  readonly #all = new Set<string>();
  #masker: Masker | undefined;
  readonly #streams = new Map<string, { readonly event: OutputEvent; rest: string }>();

  /** Takes values in, in the place of earlier ones of the same names. */
  add(values: { readonly named: SecretValues; readonly inputs: SecretValues }): void {
    for (const kind of ["named", "inputs"] as const) {
      for (const [name, value] of values[kind]) {
        this[kind].set(name, value);
        this.hide(value);
      }
    }
  }

  /** Masks a value from now on, without giving it to anyone. */
  hide(value: string): void {
    if (this.#all.has(value)) return;
    this.#all.add(value);
    this.#masker = undefined;
  }

  get masker(): Masker {
    return (this.#masker ??= createMasker(this.#all));
  }

  maskValue<T>(value: T): T {
    return maskValue(value, this.masker) as T;
  }

  maskEntry(entry: Entry, decoded: Entry): MaskedEntry | undefined {
    return maskEntry(entry, decoded, this.masker);
  }

  /** The error with what is secret in it masked, as it may be shown to whoever called. */
  maskError(thrown: unknown): unknown {
    if (!isWorkflowError(thrown)) return thrown;
    const { code, message, details, ...place } = maskErrorData(thrown.toJSON(), this.masker);
    return new WorkflowError(code, message, { place, ...(details ? { details } : {}) });
  }

  /** What expressions see, with the secrets in it. */
  scope(base: Scope): Scope {
    return secretScope(base, this);
  }

  /** Tells of an event. What a block writes is held back as long as a secret may go on in the next piece, at most until its step is recorded. */
  tell(event: RunEvent, listen: (event: RunEvent) => void): void {
    if (event.type === "output") {
      const key = JSON.stringify({ ...event, text: "" });
      const { masked, rest } = this.masker.head((this.#streams.get(key)?.rest ?? "") + event.text);
      this.#streams.set(key, { event, rest });
      if (masked !== "") listen({ ...event, text: masked });
      return;
    }
    if (event.type !== "recorded") return listen(event);
    for (const [key, { event: last, rest }] of this.#streams) {
      if (!isAbout(event.entry, last)) continue;
      this.#streams.delete(key);
      if (rest !== "") listen({ ...last, text: this.masker.text(rest) });
    }
    listen(event);
  }
}

/** Whether an entry is about the step that wrote; entries without a block are about all. */
function isAbout(entry: Entry, { block, item }: OutputEvent): boolean {
  if (!("block" in entry)) return true;
  return entry.block === block && (!("item" in entry) || entry.item === undefined || entry.item === item);
}

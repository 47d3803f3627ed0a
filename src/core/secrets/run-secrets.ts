import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH } from "../model/limits.ts";
import type { IsSecretKey } from "../model/secret-keys.ts";
import type { OutputEvent, RunEvent } from "../ports/observer.ts";
import type { Scope } from "../expression/scope.ts";
import { isMarker, KeptSecrets, mapSecrets, markerOf, type MaskedEntry } from "../journal/journal.ts";
import type { UnitKey } from "../machine/machine.ts";
import { Masker } from "./masker.ts";
import { maskEntry, maskErrorData, maskCause, maskValue } from "./mask-value.ts";

/** What a run has of one kind: the values by name. */
export type SecretValues = ReadonlyMap<string, string>;

/** Words that stand under secret keys, and everywhere else too: hiding them by value would take the names of members away. */
const COMMON = /^(?:passwords?|secrets?|tokens?|credentials?|api[_-]?keys?|bearer|basic)$/i;

/**
 * The secrets of one run, in memory only: blocks get them, and everything that leaves goes through here first. Values that were replaced by newer
 * ones stay masked.
 */
export class RunSecrets {
  /** By the names of `${secrets.NAME}`. */
  readonly named: Map<string, string> = new Map<string, string>();
  /** By the names of the workflow's secret inputs. */
  readonly inputs: Map<string, string> = new Map<string, string>();
  /** What blocks and people gave under secret keys. */
  readonly kept: KeptSecrets;
  /** The marker of each of these values: equal values have one. */
  readonly #markers = new Map<unknown, string>();
  /** Units that run again for what they gave. */
  readonly repeating: SharedWork<UnitKey> = new SharedWork<UnitKey>();
  readonly #unsaved: (readonly [marker: string, value: unknown])[] = [];
  readonly #isSecretKey: IsSecretKey;
  readonly #newId: () => string;
  readonly masker: Masker = new Masker();
  /** Knows those of the host alone: a block that was not given them never gets them, even if a value under a secret key holds one. */
  readonly #ofHost = new Masker();
  readonly #streams = new Map<string, { readonly event: OutputEvent; rest: string }>();

  constructor(isSecretKey: IsSecretKey, newId: () => string) {
    this.#isSecretKey = isSecretKey;
    this.#newId = newId;
    this.kept = new KeptSecrets(isSecretKey);
  }

  /**
   * The value with a marker for all that stands under secret keys, which is kept and masked from now on wherever else it stands. `isOwn`: the value
   * was made from what the run holds, so that markers in it are its own and stay.
   */
  hideKeys<T>(value: T, { isOwn = false }: { readonly isOwn?: boolean } = {}): T {
    return mapSecrets(value, this.#isSecretKey, (leaf) => {
      if ((isOwn && isMarker(leaf)) || (!this.#ofHost.isEmpty && maskValue(leaf, this.#ofHost) !== leaf)) return leaf;
      const known = this.#markers.get(leaf);
      if (known !== undefined) return known;
      const marker = markerOf(this.#newId());
      this.keep(marker, leaf);
      return marker;
    });
  }

  /** Takes in what a marker stands for. */
  keep(marker: string, value: unknown): void {
    this.kept.keep(marker, value);
    this.#unsaved.push([marker, value]);
    if (!this.#markers.has(value)) this.#markers.set(value, marker);
    const text = typeof value === "object" ? "" : String(value);
    if (text.trim().length >= MIN_SECRET_LENGTH && text.length <= MAX_SECRET_LENGTH && !COMMON.test(text)) this.hide(text);
  }

  /** What was kept since this was asked last. */
  takeUnsaved(): readonly (readonly [marker: string, value: unknown])[] {
    return this.#unsaved.splice(0);
  }

  /** Whether there is nothing to keep and nothing to mask. */
  get isEmpty(): boolean {
    return this.#markers.size === 0 && this.masker.isEmpty && this.named.size === 0;
  }

  /** Takes values in, in place of earlier ones of the same names. */
  add(kind: "named" | "inputs", values: SecretValues): void {
    for (const [name, value] of values) {
      this[kind].set(name, value);
      this.#ofHost.add(value);
      this.hide(value);
    }
  }

  /** Masks a value from now on, without giving it to anyone. */
  hide(value: string): void {
    this.masker.add(value);
  }

  maskValue<T>(value: T): T {
    return maskValue(value, this.masker) as T;
  }

  maskEntry(entry: Entry, decoded: Entry): MaskedEntry | undefined {
    return maskEntry(entry, decoded, this.masker);
  }

  /** The error with what is secret in it masked, as it may be shown to the caller. */
  maskError(thrown: unknown): unknown {
    if (!isWorkflowError(thrown)) return thrown;
    const { code, message, details, ...place } = maskErrorData(thrown.toJSON(), this.masker);
    return new WorkflowError(code, message, { place, ...(details ? { details } : {}) });
  }

  /** What a block threw, as developers may see it. */
  maskCause(thrown: unknown): unknown {
    return maskCause(thrown, this.masker);
  }

  /**
   * What expressions see: `secrets.NAME` and the secret inputs give their values, and what other blocks were given is seen with the secrets in it masked.
   * Where a secret may stand is checked when the workflow is loaded.
   */
  scope(base: Scope): Scope {
    return {
      lookup: (path) => {
        const [root, name] = path;
        const values = root === "secrets" ? this.named : root === "inputs" ? this.inputs : undefined;
        const value = values?.get(String(name));
        if (value === undefined) {
          const seen = base.lookup(path);
          return root === "blocks" && path[2] === "inputs" ? this.maskValue(seen) : seen;
        }
        if (path.length === 2) return value;
        throw new WorkflowError("REFERENCE_UNKNOWN", `\${${root}.${name}} is a secret, a text, and has no members.`);
      },
    };
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

/** Work that is done once for all who ask for it at the same time. */
export class SharedWork<Key> {
  readonly #underWay = new Map<Key, Promise<void>>();

  do(key: Key, work: () => Promise<void>): Promise<void> {
    let shared = this.#underWay.get(key);
    if (!shared) {
      shared = work().finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, shared);
    }
    return shared;
  }
}

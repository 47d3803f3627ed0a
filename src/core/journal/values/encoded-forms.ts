import { isRichForm, richForm, type RichForm, richText } from "../../model/encoding.ts";
import type { Entry } from "../../model/journal.ts";
import type { EarlierAnswer } from "../../model/run.ts";

const forms = new WeakMap<object, RichForm>();

/** Remembers how a value that a run keeps stands in its journal. */
export function rememberForm(value: unknown, form: RichForm): void {
  if (typeof value === "object" && value !== null) forms.set(value, form);
}

/**
 * How a value that a run keeps is encoded: as it was written to the journal or read from it, at no cost, even if the object was changed
 * since.
 * Only for the values of records, answers and pauses as they are kept, not for parts of them.
 */
export function encodedForm(value: unknown): unknown {
  switch (typeof value) {
    case "object":
      return (value && forms.get(value)) ?? value;
    case "bigint":
      return richForm(`[["BigInt","${value}"]]`, []);
    case "undefined":
      return richForm("-1", []);
    case "number":
      if (Number.isNaN(value)) return richForm("-3", []);
      if (!Number.isFinite(value)) return richForm(value > 0 ? "-4" : "-5", []);
      return Object.is(value, -0) ? richForm("-6", []) : value;
    default:
      return value;
  }
}

/**
 * An entry as the journal has it, where it holds answers as runs keep them; the entry itself where they are plain. The blobs to which they refer
 * join `blobs`.
 */
export function withForms(entry: Entry, blobs: Set<string>): Entry {
  const form = <T>(value: T): T => {
    const found = encodedForm(value);
    if (isRichForm(found)) for (const hash of found.blobs ?? []) blobs.add(hash);
    return found as T;
  };
  const earlier = (answer: EarlierAnswer): EarlierAnswer => change(answer, "response", form);
  switch (entry.type) {
    case "answered":
      return change(entry, "response", form);
    case "revised":
      return change(entry, "response", form);
    case "reentered":
      return change(entry, "inputs", form);
    case "effected":
    case "supplied":
      return change(entry, "outputs", form);
    case "paused":
      return change(entry, "earlier", earlier);
    default:
      return entry;
  }
}

/** The object with another member, or itself where that stays the same. */
function change<T extends object, K extends keyof T>(holder: T, key: K, to: (value: NonNullable<T[K]>) => NonNullable<T[K]>): T {
  const value = holder[key];
  if (value === undefined && !Object.hasOwn(holder, key)) return holder;
  const changed = to(value as NonNullable<T[K]>);
  return Object.is(changed, value) ? holder : { ...holder, [key]: changed };
}

/** Characters that a value takes in a journal, its bytes left out. */
export function lengthBesideBytes(value: unknown): number {
  const form = encodedForm(value);
  if (!isRichForm(form)) return JSON.stringify(form)?.length ?? 0;
  const text = richText(form);
  const parts: unknown = JSON.parse(text);
  if (!Array.isArray(parts)) return text.length;
  return parts.reduce((left: number, part: unknown) => left - bytesIn(part), text.length);
}

/** Characters of the base64 in one part of a text of `devalue`. */
function bytesIn(part: unknown): number {
  return Array.isArray(part) && part[0] === "ArrayBuffer" && typeof part[1] === "string" ? part[1].length : 0;
}

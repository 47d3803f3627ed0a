import { isRichForm } from "../../model/encoding.ts";
import type { Entry } from "../../model/journal.ts";
import type { EarlierAnswer } from "../../model/run.ts";
import { encodedForm } from "./encoded-forms.ts";

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

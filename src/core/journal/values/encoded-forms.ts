import { richForm, type RichForm } from "../../model/encoding.ts";

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

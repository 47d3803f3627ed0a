import type { JsonSchema, Pause, Value, Values } from "wavepoint";
import { titleOf } from "./wording.ts";

/** A field of a form, as the page draws it. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly kind: "text" | "number" | "checkbox" | "choice" | "choices" | "json";
  /** What there is to choose from. */
  readonly choices: readonly Value[];
}

/** What stands in a control: a text, whether it is ticked, the place of a choice as text, or all such places. */
export type Entry = string | boolean | readonly string[];

/** What stands in the controls of a form, by the names of their fields. */
export type Entries = ReadonlyMap<string, Entry>;

/** What a question says of the answer it wants. */
export type Asked = Pick<Pause, "schema" | "metadata">;

/** The fields of a question whose answer is an object, in their order; none for any other question. */
export function fieldsOf({ schema, metadata }: Asked): readonly FormField[] {
  const { properties, required = [] } = schema;
  if (schema.type !== "object" || !properties) return [];
  const order = Array.isArray(metadata.fields) ? (metadata.fields as readonly Value[]).map(String) : Object.keys(properties);
  return order
    .filter((name) => Object.hasOwn(properties, name))
    .map((name) => {
      const part = properties[name]!;
      const choices = part.enum ?? (part.type === "array" ? (part.items?.enum ?? []) : []);
      return {
        name,
        label: part.title ?? titleOf(name),
        schema: part,
        required: required.includes(name),
        kind: kindOf(part, choices),
        choices,
      };
    });
}

function kindOf({ type, enum: one }: JsonSchema, choices: readonly Value[]): FormField["kind"] {
  if (one) return "choice";
  if (choices.length > 0) return "choices";
  if (type === "boolean") return "checkbox";
  if (type === "integer" || type === "number") return "number";
  return type === "string" ? "text" : "json";
}

/** What stands in the controls at first: the draft, else the defaults. */
export function entriesOf(fields: readonly FormField[], draft: string): Entries {
  const kept = readDraft(draft);
  return new Map(fields.map((field) => [field.name, kept.get(field.name) ?? entryFor(field, field.schema.default)]));
}

function readDraft(draft: string): Entries {
  try {
    return new Map(Object.entries(JSON.parse(draft) as { readonly [name: string]: Entry }));
  } catch {
    return new Map();
  }
}

/** What stands in a control that shows a value. */
function entryFor({ kind, choices }: FormField, shown: Value | undefined): Entry {
  const placeOf = (value: Value): readonly string[] => {
    const at = choices.indexOf(value);
    return at < 0 ? [] : [String(at)];
  };
  switch (kind) {
    case "checkbox":
      return shown === true;
    case "choice":
      return shown === undefined ? "" : (placeOf(shown)[0] ?? "");
    case "choices":
      return Array.isArray(shown) ? (shown as readonly Value[]).flatMap(placeOf) : [];
    default:
      return shown === undefined ? "" : typeof shown === "string" && kind === "text" ? shown : jsonText(shown);
  }
}

/** A value as JSON that can be read: the members of a list each on a line. */
function jsonText(value: Value): string {
  if (!Array.isArray(value) || !value.some((member) => typeof member === "object")) return JSON.stringify(value);
  return `[\n${value.map((member) => `  ${JSON.stringify(member)}`).join(",\n")}\n]`;
}

/** What stands in the controls, as a draft keeps it. What is secret is kept nowhere. */
export function draftText(fields: readonly FormField[], entries: Entries): string {
  const kept = [...entries].filter(([name]) => fields.find((field) => field.name === name)?.schema.format !== "password");
  return JSON.stringify(Object.fromEntries(kept));
}

/** What stands in the controls that show an answer, as a draft keeps it. */
export function filledDraft(fields: readonly FormField[], answer: Value): string {
  const values = typeof answer === "object" && answer !== null && !Array.isArray(answer) ? (answer as Values) : {};
  return draftText(fields, new Map(fields.map((field) => [field.name, entryFor(field, values[field.name])])));
}

/** The name of a field's control. Never one that a form element has of its own: it would hide that member. */
export function controlName(field: string): string {
  return `field.${field}`;
}

/** What stands in the controls of a form right now. */
export function readEntries(fields: readonly FormField[], form: HTMLFormElement): Entries {
  const data = new FormData(form);
  return new Map(
    fields.map(({ name, kind }): [string, Entry] => {
      const control = controlName(name);
      if (kind === "checkbox") return [name, data.has(control)];
      if (kind === "choices") return [name, data.getAll(control).map(String)];
      return [name, String(data.get(control) ?? "")];
    }),
  );
}

/** The answer that the entries mean. What is no number is sent as it was typed, so that it is refused like any other wrong value. */
export function answerOf(fields: readonly FormField[], entries: Entries): Values {
  const values = fields.map((field) => [field.name, valueOf(field, entries.get(field.name) ?? "")] as const);
  return Object.fromEntries(values.filter((pair): pair is [string, Value] => pair[1] !== undefined));
}

function valueOf({ kind, choices, required, schema }: FormField, entry: Entry): Value | undefined {
  if (typeof entry === "boolean") return entry;
  if (typeof entry !== "string") return entry.length === 0 && !required ? undefined : entry.map((at) => choices[Number(at)]!);
  if (kind === "text") return entry === "" && !required && schema.default === undefined ? undefined : entry;
  if (entry.trim() === "") return undefined;
  if (kind === "choice") return choices[Number(entry)];
  if (kind === "number") return Number.isNaN(Number(entry)) ? entry : Number(entry);
  try {
    return JSON.parse(entry) as Value;
  } catch {
    return entry;
  }
}

/** The messages of a refusal by the field they belong to; of several for one field the first. */
export function fieldErrorsOf(details: Value | undefined): ReadonlyMap<string, string> {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return new Map();
  const pairs = Object.entries(details as Values).map(([path, message]) => [path.replace(/[.[].*$/s, ""), String(message)] as const);
  return new Map(pairs.toReversed());
}

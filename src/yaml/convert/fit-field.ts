import { type FormPart, keysOfType } from "../../core/blocks/field-keys.ts";
import { schemaOfFields } from "../../core/blocks/form-fields.ts";
import { checkJson } from "../../core/model/check-json.ts";
import { isName } from "../../core/model/ids.ts";
import { secretKeys } from "../../core/model/secret-keys.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { type DraftField, type DraftLine, type DraftQuestion, isQuestion, Names, type Note, Reference, type Text } from "./draft.ts";
import { present } from "./foreign.ts";

const isSecretKey = secretKeys();

/** Fields in fields: a form, a group in it, and a group in that. */
const MAX_DEPTH = 3;

/** Lines whose fields a `Form` takes. What had to be changed is noted. */
export function fitLines(lines: readonly DraftLine[], note: Note, depth = 1): readonly DraftLine[] {
  return lines.flatMap((line): readonly DraftLine[] => {
    if (!isQuestion(line)) return [line];
    const { const: only, required, ...open } = line.field;
    // What has to be agreed to is a box to tick, and a rule that it is.
    const mustAgree = only === true && open["type"] === "boolean";
    const field = fitField(mustAgree ? { ...line, field: { ...open, default: false } as DraftField } : line, note, depth);
    return field === undefined ? [] : [{ ...line, field, ...(mustAgree && required !== false ? { mustAgree } : {}) }];
  });
}

/** A field as a reader found it, as a `Form` takes it; nothing where it cannot be asked. */
function fitField({ field, pointer }: DraftQuestion, note: Note, depth: number): DraftField | undefined {
  if (field.fields && depth >= MAX_DEPTH) {
    note(pointer, "Groups are taken two deep in a form, and this one is deeper. It is left out: ask it on a page of its own.");
    return undefined;
  }
  if (Array.isArray(field["rows"]) && field["rows"].length === 0) {
    note(pointer, "It has no rows, and is left out.");
    return undefined;
  }
  const inner = field.fields && fitLines(field.fields, note, depth + 1);
  if (inner && !inner.some(isQuestion)) {
    note(pointer, "It has no questions in it that can be asked, and is left out.");
    return undefined;
  }
  const asked = fitChoices({ ...field, ...(inner ? { fields: inner } : {}) }, pointer, note);
  return asked && fitPreset(fitKeys(fitRows(asked), pointer, note), pointer, note);
}

/** Choices are of one type, which is that of the field. */
function fitChoices(field: DraftField, pointer: string, note: Note): DraftField | undefined {
  const { enum: written, ...open } = field;
  if (!Array.isArray(written)) return field;
  const choices = (written as readonly unknown[]).filter((one) => valueOf(one) !== undefined && valueOf(one) !== null);
  if (choices.length === 0) return withoutChoices(open, pointer, note);
  const values = choices.map(valueOf);
  const type = typeOf(values);
  const isFree = field["type"] === undefined || ["string", "number", "integer", "boolean"].includes(String(field["type"]));
  const fitted = type === undefined ? choices.map(asText) : choices;
  if (type === undefined) note(pointer, "Its choices are of several types. They are texts here, and so are its answers.");
  const kind = isFree ? { type: type === "string" ? undefined : type, format: undefined } : {};
  return { ...present({ ...field, ...kind, ...fitExclusive(field, fitted) }), name: field.name, enum: different(fitted) };
}

/** Those that stand alone, as the choices were written in the end. */
function fitExclusive({ exclusive }: DraftField, choices: readonly unknown[]): { readonly exclusive?: readonly unknown[] | undefined } {
  if (!Array.isArray(exclusive)) return {};
  const alone = choices.map(valueOf).filter((value) => (exclusive as readonly unknown[]).some((one) => String(one) === String(value)));
  return { exclusive: alone.length > 0 ? alone : undefined };
}

function withoutChoices(field: DraftField, pointer: string, note: Note): DraftField | undefined {
  const { other: _other, exclusive: _exclusive, type, format, min_items: _least, max_items: _most, ...rest } = field;
  if (type === "object" || format === "ranking") {
    note(pointer, "It has no choices of its own, and is left out.");
    return undefined;
  }
  note(pointer, 'It has no choices of its own, so it is a text. Give it an "enum".');
  return rest;
}

function valueOf(choice: unknown): unknown {
  return isRecord(choice) && ("value" in choice || "title" in choice) ? choice["value"] : choice;
}

function typeOf(values: readonly unknown[]): "string" | "integer" | "number" | "boolean" | undefined {
  if (values.every((value) => typeof value === "string")) return "string";
  if (values.every((value) => typeof value === "boolean")) return "boolean";
  if (values.every((value) => Number.isInteger(value))) return "integer";
  return values.every((value) => typeof value === "number") ? "number" : undefined;
}

function asText(choice: unknown): unknown {
  const value = valueOf(choice);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return choice === value ? text : { ...(choice as object), value: text };
}

/** The first choice of each value. */
function different(choices: readonly unknown[]): readonly unknown[] {
  const seen = new Set<string>();
  return choices.filter((choice) => seen.size < seen.add(JSON.stringify(valueOf(choice))).size);
}

/** The rows of a matrix are names; what they were called is read beside them. */
function fitRows(field: DraftField): DraftField {
  const { rows } = field;
  if (!Array.isArray(rows)) return field;
  const names = new Names();
  const named = (rows as readonly unknown[]).map((row) => {
    const value = valueOf(row);
    const name = isName(value) ? names.of(value) : names.of(String(value));
    const title = (isRecord(row) ? (row["title"] as Text | undefined) : undefined) ?? (name === value ? undefined : String(value));
    return title === undefined ? name : { value: name, title };
  });
  return { ...field, rows: named };
}

/** Without keys that say nothing of the type. */
function fitKeys(field: DraftField, pointer: string, note: Note): DraftField {
  const { type = "string", format, minimum, maximum } = field;
  const known = keysOfType(type as Parameters<typeof keysOfType>[0]);
  const strange = Object.keys(field).filter((key) => !known.has(key));
  const rules = strange.filter((key) => key !== "min_items" && key !== "max_items");
  if (rules.length > 0)
    note(pointer, `${rules.map((key) => `"${key}"`).join(", ")} cannot be said of its kind of answer, and is left out.`);
  const fitting = Object.fromEntries(Object.entries(field).filter(([key]) => !strange.includes(key))) as DraftField;
  if (format === "password" && !isSecretKey(field.name)) {
    note(pointer, 'A password is a text under this name. Ask for it with "sensitive", or better not in a form.');
    return without(fitting, "format");
  }
  const steps = (maximum as number) - (minimum as number);
  if (format !== "rating" || (steps > 0 && steps <= 10)) return fitting;
  return without(fitting, "format");
}

function without(field: DraftField, key: string): DraftField {
  const { [key]: _left, ...rest } = field;
  return rest as DraftField;
}

/** A preset that fits the field; without it where none can be made of what is written. */
function fitPreset(field: DraftField, pointer: string, note: Note): DraftField {
  const { default: written, ...rest } = field;
  const { schema, problems } = schemaOfFields([unreferenced(rest) as FormPart]);
  for (const problem of problems) note(pointer, `It needs a hand: it ${problem.replace(/^The field "[^"]*" /, "")}`);
  const form = schema.properties?.[field.name];
  if (written === undefined || form === undefined) return rest;
  const fits = (value: Value): boolean => checkJson(form, value, { formats: true, matches: () => true }).length === 0;
  const preset = presetsOf(written as Value, rest).find(fits);
  if (preset !== undefined) return { ...field, default: preset };
  note(pointer, `What it begins with does not fit it, and is left out: ${JSON.stringify(written)?.slice(0, 100)}.`);
  return rest;
}

/** What a written preset may stand for: forms write numbers and switches as texts, and one choice where several can be made. */
function presetsOf(written: Value, { type = "string" }: DraftField): readonly Value[] {
  const text = String(written);
  if (type === "number" || type === "integer") return [written, ...(text.trim() === "" ? [] : [Number(text)])];
  if (type === "boolean") return [written, ...(text === "true" || text === "false" ? [text === "true"] : [])];
  if (type === "array")
    return [written, [written], ...(Array.isArray(written) ? [written.map((value): Value => ({ value: value as Value }))] : [])];
  return typeof written === "number" ? [written, text] : [written];
}

/** A field as it is checked: choices that a service will give are not there yet, and conditions are written later. */
function unreferenced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => unreferenced(isRecord(one) && "field" in one ? one["field"] : one));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key, member]) => {
    const isGiven = key === "enum" && isRecord(member) && member["from"] instanceof Reference;
    return !isGiven && key !== "pointer" && key !== "showIf";
  });
  return Object.fromEntries(entries.map(([key, member]) => [key, unreferenced(member)]));
}

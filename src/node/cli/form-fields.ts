import type { Answer, JsonChoice, Pause, Value } from "../../index.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { isFileValue } from "../../core/model/file-value.ts";
import { choicesOf, otherOf } from "../../core/model/choices.ts";
import { localizeSchema, type ShownSchema } from "../../core/model/localize-schema.ts";
import { moneyText } from "../../core/model/money.ts";
import { readTyped, typedText } from "../../core/model/typed-number.ts";
import { fitAnswer } from "./fit-answer.ts";
import type { PersonAnswer, PersonQuestion } from "./terminal.ts";

/** A field of a form, which a person may leave out unless it is required. */
export interface Field {
  readonly name: string;
  readonly schema: ShownSchema;
  readonly required: boolean;
}

/** The last line of a list for a field that may be left out. */
const NO_ANSWER = "(no answer)";
/** The line of a list for a text that is none of its choices. */
const OTHER = "Other";

/** Returns the label of a field. */
export function labelOf({ name, schema }: Pick<Field, "name" | "schema">): string {
  return schema.title ?? name;
}

/** Returns the question for a field; `initial` is its earlier value, else its default. */
export function fieldQuestion(field: Field, initial: Answer | undefined = field.schema.default): PersonQuestion {
  const { schema, required } = field;
  const kept = isFileValue(initial) ? `nothing for ${initial.name}, given before` : undefined;
  const hints = [schema.description, formOf(schema), kept, required ? undefined : "optional"].filter((hint) => hint !== undefined);
  const text = plainLine(`${labelOf(field)}${hints.length > 0 ? ` (${hints.join(", ")})` : ""}`);
  const isYesOrNo = schema.type === "boolean" && !schema.enum && !schema.oneOf;
  if (isYesOrNo) return { kind: "confirm", text, choices: [], initial: initial === true };
  const offered = choicesOf(schema);
  if (offered.length > 0) {
    const choices = [...linesOf(schema), ...(required ? [] : [NO_ANSWER])];
    const at = placeOf(initial, schema);
    return { kind: "choice", text, choices, ...(at < 0 ? {} : { initial: at }) };
  }
  if (itemChoicesOf(schema).length > 0) {
    const picked = Array.isArray(initial) ? initial.map((one: Value) => placeOf(one, schema.items!)).filter((at) => at >= 0) : [];
    return { kind: "choices", text, choices: linesOf(schema.items!), initial: [...new Set(picked)] };
  }
  // A value that is hidden while typed is not shown later either.
  if (schema.format === "password") return { kind: "secret", text, choices: [] };
  const typed = initial === undefined || schema.format === "file" ? undefined : typedValue(initial, schema);
  return { kind: "text", text, choices: [], ...(typed === undefined ? {} : { initial: typed }) };
}

/** Returns the value of a field for a person's answer to {@link fieldQuestion}; nothing if it is left out. Throws what `fitAnswer` throws. */
export function fieldValue(answer: PersonAnswer, { schema, required }: Field): Answer | undefined {
  if (typeof answer === "boolean") return answer;
  if (typeof answer === "number") return choicesOf(schema)[answer]?.const;
  if (typeof answer !== "string") return answer.length === 0 && !required ? undefined : pickedValues(answer, schema);
  // An empty text is a value only if the field takes texts, and is required or has a default that the text replaces.
  const isMeant = schema.type === "string" && (required || schema.default !== undefined);
  if (answer === "" && !isMeant) return undefined;
  if (schema.type !== "number" && schema.type !== "integer") return fitAnswer(answer, schema);
  return readTyped(answer, schema, ownLanguage()) ?? answer;
}

/** A value as one types it: numbers in the person's language. */
function typedValue(value: Answer, schema: ShownSchema): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? typedText(value, schema, ownLanguage()) : JSON.stringify(value);
}

/** An amount that shows how amounts are written, in the smallest unit. */
const AN_AMOUNT = 123_450;

/** Returns the values at the places that a person picked from a list of several choices. */
function pickedValues(places: readonly number[], schema: ShownSchema): readonly Value[] {
  const choices = itemChoicesOf(schema);
  return places.filter((at) => at < choices.length).map((at) => choices[at]!.const);
}

/** What several of may be chosen. */
function itemChoicesOf({ type, items = {} }: ShownSchema): readonly JsonChoice<string>[] {
  return type === "array" ? choicesOf(items) : [];
}

/** The lines of a list to pick from. */
function linesOf(schema: ShownSchema): readonly string[] {
  const other = otherOf(schema);
  return [...choicesOf(schema).map(choiceText), ...(other ? [plainLine(other.title ?? OTHER)] : [])];
}

/** Returns the line of a value in its list: the one after the last for another text, if the list takes one; else -1. */
function placeOf(value: Answer | undefined, schema: ShownSchema): number {
  const choices = choicesOf(schema);
  const at = choices.findIndex((choice) => choice.const === value);
  return at < 0 && typeof value === "string" && otherOf(schema) ? choices.length : at;
}

/** Whether the line for a text that is no choice was picked, of one choice or of several. */
export function picksOther(answer: PersonAnswer, schema: ShownSchema): boolean {
  const of = schema.items ?? schema;
  if (!otherOf(of)) return false;
  const line = choicesOf(of).length;
  return answer === line || (Array.isArray(answer) && answer.includes(line));
}

/** How a person is asked for the text that is no choice: once, or once for each that the field held before. */
export function otherQuestions(field: Field, initial: Answer | undefined = field.schema.default): readonly PersonQuestion[] {
  const of = field.schema.items ?? field.schema;
  const given: readonly unknown[] = Array.isArray(initial) ? initial : [initial];
  const held = given.filter((one) => typeof one === "string" && !choicesOf(of).some((choice) => choice.const === one)) as string[];
  const question = { kind: "text", text: plainLine(`${labelOf(field)}: ${otherOf(of)!.title ?? OTHER}`), choices: [] } as const;
  return held.length === 0 ? [question] : held.map((text) => ({ ...question, initial: text }));
}

/** An example of each format that people may write in many ways. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ["date", "as 2026-11-21"],
  ["date-time", "as 2026-11-21T14:30"],
  ["time", "as 14:30"],
  ["month", "as 2026-11"],
]);

/** How to type a value that is neither a choice nor a text. */
function formOf(schema: ShownSchema): string | undefined {
  if (schema.format === "file") return "the path of a file";
  const isJson = schema.type === "object" || (schema.type === "array" && itemChoicesOf(schema).length === 0);
  if (isJson) return "as JSON";
  if (schema.currency !== undefined) return `in ${schema.currency}, as ${moneyText(AN_AMOUNT, schema.currency, ownLanguage())}`;
  if (schema.unit !== undefined) return `in ${schema.unit}`;
  return schema.format === undefined ? undefined : WRITTEN.get(schema.format);
}

/** Returns the line of a choice: its label, else its value, with the explanation if it has one. */
function choiceText({ const: value, title, description }: JsonChoice<string>): string {
  const name = title ?? (typeof value === "string" ? value : JSON.stringify(value));
  return plainLine(description === undefined ? name : `${name} (${description})`);
}

/** A question whose texts are in one language. */
export type ShownPause = Omit<Pause, "schema"> & { readonly schema: ShownSchema };

/** The language of the person's system. */
export function ownLanguage(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale;
}

/** A question with its texts in the language of the person's system. */
export function inOwnLanguage(asked: Pause): ShownPause {
  const schema = localizeSchema(asked.schema, ownLanguage());
  return { ...asked, schema, prompt: typeof asked.schema.description === "object" ? schema.description! : asked.prompt };
}

/** A pause as a person is asked it: yes or no, a list, or a text. */
export function personQuestion({ prompt, metadata, schema }: ShownPause): PersonQuestion {
  const text = plainText(prompt);
  if (metadata["kind"] === "confirm" || metadata["kind"] === "review") return { kind: "confirm", text, choices: [] };
  const several = itemChoicesOf(schema);
  if (several.length > 0) return { kind: "choices", text, choices: several.map(choiceText) };
  const choices = choicesOf(schema).map(choiceText);
  return { kind: choices.length > 0 ? "choice" : "text", text, choices };
}

/** Returns the answer of the pause for a person's answer to {@link personQuestion}. */
export function responseOf(answer: PersonAnswer, { schema }: ShownPause): Answer {
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (typeof answer === "string") return fitAnswer(answer, schema);
  if (typeof answer !== "number") return pickedValues(answer, schema);
  return choicesOf(schema)[answer]!.const;
}

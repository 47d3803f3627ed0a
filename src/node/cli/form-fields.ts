import type { Answer, JsonChoice, JsonSchema, Pause, Value } from "../../index.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { choicesOf } from "../../core/model/json-schema.ts";
import { fitAnswer } from "./fit-answer.ts";
import type { PersonAnswer, PersonQuestion } from "./terminal.ts";

/** A field of a form, which a person may leave out unless it is required. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The last line of a list for a field that may be left out. */
const NO_ANSWER = "(no answer)";

/** A field as a person is asked it; `initial` is what it held before, else its default stands there. */
export function fieldQuestion(field: Field, initial: Answer | undefined = field.schema.default): PersonQuestion {
  const { name, schema, required } = field;
  const hints = [schema.description, formOf(schema), required ? undefined : "optional"].filter((hint) => hint !== undefined);
  const text = plainLine(`${schema.title ?? name}${hints.length > 0 ? ` (${hints.join(", ")})` : ""}`);
  const isYesOrNo = schema.type === "boolean" && !schema.enum && !schema.oneOf;
  if (isYesOrNo) return { kind: "confirm", text, choices: [], initial: initial === true };
  const offered = choicesOf(schema);
  if (offered.length > 0) {
    const choices = [...offered.map(choiceText), ...(required ? [] : [NO_ANSWER])];
    const at = placeOf(initial, offered);
    return { kind: "choice", text, choices, ...(at < 0 ? {} : { initial: at }) };
  }
  const several = itemChoicesOf(schema);
  if (several.length > 0) {
    const picked = Array.isArray(initial) ? initial.map((one: Value) => placeOf(one, several)).filter((at) => at >= 0) : [];
    return { kind: "choices", text, choices: several.map(choiceText), initial: picked };
  }
  // A file that was given before is given again by its path.
  const typed =
    initial === undefined || schema.format === "file" ? undefined : typeof initial === "string" ? initial : JSON.stringify(initial);
  return { kind: "text", text, choices: [], ...(typed === undefined ? {} : { initial: typed }) };
}

/** The value of a field when a person answered {@link fieldQuestion} like this; nothing where it is left out. Throws what `fitAnswer` throws. */
export function fieldValue(answer: PersonAnswer, { schema, required }: Field): Answer | undefined {
  if (typeof answer === "boolean") return answer;
  if (typeof answer === "number") return choicesOf(schema)[answer]?.const;
  if (typeof answer !== "string") return answer.length === 0 && !required ? undefined : pickedValues(answer, schema);
  // An empty text is a value only where the field takes texts, and means something else than the default.
  const isMeant = schema.type === "string" && (required || schema.default !== undefined);
  return answer === "" && !isMeant ? undefined : fitAnswer(answer, schema);
}

/** What stands at the places that a person picked of a list of several choices. */
function pickedValues(places: readonly number[], schema: JsonSchema): readonly Value[] {
  return places.map((at) => itemChoicesOf(schema)[at]!.const);
}

/** What several of may be chosen. */
function itemChoicesOf({ type, items = {} }: JsonSchema): readonly JsonChoice[] {
  return type === "array" ? choicesOf(items) : [];
}

function placeOf(value: Answer | undefined, choices: readonly JsonChoice[]): number {
  return choices.findIndex((choice) => choice.const === value);
}

/** How to write what is neither picked nor a text. */
function formOf(schema: JsonSchema): string | undefined {
  if (schema.format === "file") return "the path of a file";
  const isJson = schema.type === "object" || (schema.type === "array" && itemChoicesOf(schema).length === 0);
  if (isJson) return "as JSON";
  return schema.format === "date" ? "as 2026-11-21" : schema.format === "date-time" ? "as 2026-11-21T14:30" : undefined;
}

/** A choice as a person picks it: its label, with the explanation where there is one, else its value. */
function choiceText({ const: value, title, description }: JsonChoice): string {
  const name = title ?? (typeof value === "string" ? value : JSON.stringify(value));
  return plainLine(description === undefined ? name : `${name} (${description})`);
}

/** A pause as a person is asked it: yes or no, a list, or a text. */
export function personQuestion({ prompt, metadata, schema }: Pause): PersonQuestion {
  const text = plainText(prompt);
  if (metadata["kind"] === "confirm") return { kind: "confirm", text, choices: [] };
  const several = itemChoicesOf(schema);
  if (several.length > 0) return { kind: "choices", text, choices: several.map(choiceText) };
  const choices = choicesOf(schema).map(choiceText);
  return { kind: choices.length > 0 ? "choice" : "text", text, choices };
}

/** What the pause is answered with when a person answered {@link personQuestion} like this. */
export function responseOf(answer: PersonAnswer, { schema }: Pause): Answer {
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (typeof answer === "string") return fitAnswer(answer, schema);
  if (typeof answer !== "number") return pickedValues(answer, schema);
  return choicesOf(schema)[answer]!.const;
}

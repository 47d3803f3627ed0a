import { choicesOf } from "../../core/model/json-schema.ts";
import type { Answer, JsonChoice, JsonSchema, Value } from "../../index.ts";
import { choiceText } from "./choice-text.ts";
import { fitAnswer } from "./fit-answer.ts";
import { plainLine } from "./plain-text.ts";
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
export function pickedValues(places: readonly number[], schema: JsonSchema): readonly Value[] {
  return places.map((at) => itemChoicesOf(schema)[at]!.const);
}

/** What several of may be chosen. */
export function itemChoicesOf({ type, items = {} }: JsonSchema): readonly JsonChoice[] {
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

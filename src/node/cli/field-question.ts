import type { Answer, JsonSchema, Value } from "../../index.ts";
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
  if (schema.enum) {
    const choices = [...schema.enum.map(choiceText), ...(required ? [] : [NO_ANSWER])];
    const at = initial === undefined ? -1 : schema.enum.indexOf(initial as Value);
    return { kind: "choice", text, choices, ...(at < 0 ? {} : { initial: at }) };
  }
  if (schema.type === "boolean") return { kind: "confirm", text, choices: [], initial: initial === true };
  const several = choicesOf(schema);
  if (several) {
    const picked = Array.isArray(initial) ? initial.map((one: Value) => several.indexOf(one)).filter((at) => at >= 0) : [];
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
  if (typeof answer === "number") return schema.enum?.[answer];
  if (typeof answer !== "string") return answer.length === 0 && !required ? undefined : answer.map((at) => choicesOf(schema)![at]!);
  // An empty text is a value only where the field takes texts, and means something else than the default.
  const isMeant = schema.type === "string" && (required || schema.default !== undefined);
  return answer === "" && !isMeant ? undefined : fitAnswer(answer, schema);
}

function choicesOf({ type, items }: JsonSchema): readonly Value[] | undefined {
  return type === "array" ? items?.enum : undefined;
}

/** How to write what is neither picked nor a text. */
function formOf(schema: JsonSchema): string | undefined {
  if (schema.format === "file") return "the path of a file";
  const isJson = schema.type === "object" || (schema.type === "array" && !choicesOf(schema));
  if (isJson) return "as JSON";
  return schema.format === "date" ? "as 2026-11-21" : schema.format === "date-time" ? "as 2026-11-21T14:30" : undefined;
}

function choiceText(choice: Value): string {
  return plainLine(typeof choice === "string" ? choice : JSON.stringify(choice));
}

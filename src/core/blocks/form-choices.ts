import type { JsonChoice, JsonSchema } from "../model/run.ts";
import { isRecord, type Value } from "../model/value.ts";

/** What is wrong with the choices of a field, told as what the field does. */
export function findChoiceProblems(choices: readonly Value[]): readonly string[] {
  const labelled = choices.flatMap((choice) => (isRecord(choice) ? [choice] : []));
  const form = "Write a choice that people read otherwise as { value, title, description }, the last one where it needs it.";
  for (const choice of labelled) {
    if (choice["value"] === undefined) return [`has a choice without its value: ${JSON.stringify(choice)}. ${form}`];
    const strange = Object.keys(choice).find((key) => key !== "value" && !(isTextKey(key) && isLabel(choice[key])));
    if (strange !== undefined) return [`has a choice with "${strange}": ${JSON.stringify(choice[strange])}. ${form}`];
  }
  const values = choices.map((choice) => JSON.stringify(choiceOf(choice).const));
  const twice = labelled.length > 0 ? values.find((value, i) => values.indexOf(value) !== i) : undefined;
  return twice === undefined ? [] : [`offers the value ${twice} twice. Make all values different.`];
}

/** The keywords that say what may be chosen, labels included where there are any. */
export function schemaOfChoices(choices: readonly Value[]): Pick<JsonSchema, "enum" | "oneOf"> {
  const parts = choices.map(choiceOf);
  return parts.some(({ title, description }) => title ?? description) ? { oneOf: parts } : { enum: parts.map((part) => part.const) };
}

function choiceOf(choice: Value): JsonChoice {
  if (!isRecord(choice)) return { const: choice };
  const { value, ...texts } = choice;
  return { const: value as Value, ...texts };
}

function isTextKey(key: string): boolean {
  return key === "title" || key === "description";
}

function isLabel(text: unknown): boolean {
  return typeof text === "string" && text !== "";
}

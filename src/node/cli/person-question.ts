import { choicesOf } from "../../core/model/json-schema.ts";
import type { Answer, Pause } from "../../index.ts";
import { choiceText } from "./choice-text.ts";
import { itemChoicesOf, pickedValues } from "./field-question.ts";
import { fitAnswer } from "./fit-answer.ts";
import { plainText } from "./plain-text.ts";
import type { PersonAnswer, PersonQuestion } from "./terminal.ts";

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

import { choicesOf } from "../../core/model/choices.ts";
import type { Answer, Pause } from "../../index.ts";
import { choiceText } from "./choice-text.ts";
import { itemChoicesOf, pickedValues } from "./field-question.ts";
import { fitAnswer } from "./fit-answer.ts";
import { plainLine, plainText } from "./plain-text.ts";
import type { PersonAnswer, PersonQuestion } from "./terminal.ts";

const CONFIRM = "Confirm operation: ";

/** A pause as a person is asked it: yes or no, a list, or a text. What the prompt says about the form of the answer is left out. */
export function personQuestion({ prompt, metadata, schema }: Pause): PersonQuestion {
  if (metadata["kind"] === "confirm") {
    const text = prompt.startsWith(CONFIRM) ? prompt.slice(CONFIRM.length) : prompt;
    return { kind: "confirm", text: plainText(before(text, "\n\nRespond ")), choices: [] };
  }
  if (metadata["kind"] === "choice" && Array.isArray(metadata["choices"])) {
    const choices = metadata["choices"].map((choice) => plainLine(String(choice)));
    return { kind: "choice", text: plainText(before(prompt, "\n\nChoices:")), choices };
  }
  const text = plainText(prompt);
  const several = itemChoicesOf(schema);
  if (several.length > 0) return { kind: "choices", text, choices: several.map(choiceText) };
  const choices = choicesOf(schema).map(choiceText);
  return { kind: choices.length > 0 ? "choice" : "text", text, choices };
}

function before(text: string, end: string): string {
  const at = text.lastIndexOf(end);
  return at < 0 ? text : text.slice(0, at);
}

/** What the pause is answered with when a person answered {@link personQuestion} like this. */
export function responseOf(answer: PersonAnswer, { schema, metadata }: Pause): Answer {
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (typeof answer === "string") return fitAnswer(answer, schema);
  if (typeof answer !== "number") return pickedValues(answer, schema);
  return metadata["kind"] === "choice" ? answer + 1 : choicesOf(schema)[answer]!.const;
}

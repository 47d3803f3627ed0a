import type { Answer, Pause } from "../../index.ts";
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
  const choices = metadata["kind"] === "choice" ? metadata["choices"] : schema.enum;
  if (!Array.isArray(choices) || choices.length === 0) return { kind: "text", text: plainText(prompt), choices: [] };
  return { kind: "choice", text: plainText(before(prompt, "\n\nChoices:")), choices: choices.map((choice) => plainLine(String(choice))) };
}

function before(text: string, end: string): string {
  const at = text.lastIndexOf(end);
  return at < 0 ? text : text.slice(0, at);
}

/** What the pause is answered with when a person answered {@link personQuestion} like this. */
export function responseOf(answer: PersonAnswer, { schema, metadata }: Pause): Answer {
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (typeof answer === "string") return fitAnswer(answer, schema);
  if (typeof answer !== "number") return answer;
  return metadata["kind"] === "choice" ? answer + 1 : schema.enum![answer]!;
}

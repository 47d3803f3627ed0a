import type { Pause, Value } from "../../index.ts";
import { fitAnswer } from "./fit-answer.ts";
import { plainLine, plainText } from "./plain-text.ts";
import type { PersonAnswer, PersonQuestion } from "./terminal.ts";

/** A pause as a person is asked it: yes or no, a list, or a text. */
export function personQuestion({ prompt, metadata, schema }: Pause): PersonQuestion {
  if (metadata["kind"] === "confirm") return { kind: "confirm", text: plainText(prompt.replace(/\n\n[^\n]*$/, "")), choices: [] };
  const choices = metadata["kind"] === "choice" ? metadata["choices"] : schema.enum;
  if (Array.isArray(choices) && choices.length > 0) {
    // The list stands below the question; there is no need to read it twice.
    const end = prompt.lastIndexOf("\n\nChoices:");
    return {
      kind: "choice",
      text: plainText(end < 0 ? prompt : prompt.slice(0, end)),
      choices: choices.map((choice) => plainLine(String(choice))),
    };
  }
  return { kind: "text", text: plainText(prompt), choices: [] };
}

/** What the pause is answered with when a person answered like this. */
export function responseOf(answer: PersonAnswer, { schema, metadata }: Pause): Value {
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (typeof answer === "string") return fitAnswer(answer, schema);
  return metadata["kind"] === "choice" ? answer + 1 : schema.enum![answer]!;
}

import { type AnswerProblem, type BlockType, invalid, pause, success } from "../ports/block.ts";
import { isRecord } from "../model/value.ts";
import { defineBlock } from "./define-block.ts";
import { findTextProblems, QUESTION_INPUTS, questionOf, READ_TEXT } from "./question-inputs.ts";

/** The answers that confirm, in any case and with blanks around. Seed 1, "Example Interactive Blocks". */
const CONFIRMING: ReadonlySet<string> = new Set(["yes", "y", "true", "confirm", "approved"]);

/** Asks whether to go on. Any text that is not one of the confirming words counts as no. */
export const confirmOperationBlock: BlockType = defineBlock({
  type: "ConfirmOperation",
  description: "Asks whether to go on.",
  pure: true,
  asks: "once",
  // Any text is an answer: one that is no word for yes means no.
  judgesAnswers: true,
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        message: { ...READ_TEXT, description: "What is to be confirmed, as people read it: a text, or one a language." },
        operation: { type: "string", description: "A name for what is confirmed, for the page or the program that shows the question." },
        details: { type: "object", description: "More that the page or program should know." },
        ...QUESTION_INPUTS,
      },
      required: ["message"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        confirmed: { type: "boolean", description: "Whether the answer was one of the words for yes." },
        response: { type: "string", description: "The answer as it was given." },
        comment: { type: "string", description: "What was said beside it; absent where nothing was." },
      },
      required: ["confirmed", "response"],
    },
  },
  checkInputs: ({ message, title }) => findTextProblems({ message, title }),
  execute({ inputs }) {
    const { message: prompt, operation, details } = inputs;
    const metadata = { kind: "confirm", ...(operation === undefined ? {} : { operation }), ...(details === undefined ? {} : { details }) };
    return pause(questionOf(inputs, { prompt, schema: { type: "string", enum: ["yes", "no"] }, metadata }));
  },
  checkAnswer({ response }) {
    return problemWith(response);
  },
  resume({ response }) {
    const problem = problemWith(response);
    if (problem) return invalid(problem.message);
    const { answer, comment } = readAnswer(response) as { readonly answer: string; readonly comment?: string };
    const confirmed = CONFIRMING.has(answer.trim().toLowerCase());
    return success({ confirmed, response: answer, ...(comment === undefined ? {} : { comment }) });
  },
});

/** A text, or an object with one and a comment. */
function readAnswer(response: unknown): { readonly answer?: unknown; readonly comment?: unknown } {
  return isRecord(response) ? response : { answer: response };
}

function problemWith(response: unknown): AnswerProblem | undefined {
  const { answer, comment, ...others } = readAnswer(response) as { readonly [name: string]: unknown };
  if (typeof answer !== "string" || answer.trim() === "") return { message: "The answer is empty. Answer with yes or no." };
  if (comment !== undefined && typeof comment !== "string") return { message: "The comment is a text." };
  const [unknown] = Object.keys(others);
  return unknown === undefined ? undefined : { message: `An answer has "answer" and "comment", and no ${JSON.stringify(unknown)}.` };
}

import { type AnswerProblem, type BlockType, invalid, pause, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { aboutQuestion, QUESTION_INPUTS } from "./question-inputs.ts";

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
        message: { type: "string", minLength: 1, description: "What is to be confirmed, as people read it." },
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
      },
      required: ["confirmed", "response"],
    },
  },
  execute({ inputs }) {
    const { message, operation, details } = inputs;
    return pause({
      ...aboutQuestion(inputs),
      prompt: message,
      schema: { type: "string", enum: ["yes", "no"] },
      metadata: { kind: "confirm", ...(operation === undefined ? {} : { operation }), ...(details === undefined ? {} : { details }) },
    });
  },
  checkAnswer({ response }) {
    return problemWith(response);
  },
  resume({ response }) {
    if (typeof response !== "string" || problemWith(response)) return invalid(problemWith(response)!.message);
    return success({ confirmed: CONFIRMING.has(response.trim().toLowerCase()), response });
  },
});

function problemWith(response: unknown): AnswerProblem | undefined {
  if (typeof response === "string" && response.trim() !== "") return undefined;
  return { message: "The answer is empty. Answer with yes or no." };
}

import { type BlockType, invalid, pause, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { findTextProblems, PREFILL_TEXT, QUESTION_INPUTS, questionOf, READ_TEXT } from "./question-inputs.ts";

/** Asks a person or a language model for a text of any kind, and keeps it as given. What it means is for conditions to say. */
export const promptBlock: BlockType = defineBlock({
  type: "Prompt",
  description: "Asks a person or a language model for a text of any kind.",
  pure: true,
  asks: "once",
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        prompt: { ...READ_TEXT, description: "The question, as it is read: a text, or one a language." },
        allow_empty: { type: "boolean", default: false, description: "Whether an empty answer is one." },
        operation: { type: "string", description: "A name for what is asked, for the page or the program that shows the question." },
        details: { type: "object", description: "More that the page or program should know." },
        ...QUESTION_INPUTS,
        prefill: PREFILL_TEXT,
      },
      required: ["prompt"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: { response: { type: "string", description: "The answer as it was given." } },
      required: ["response"],
    },
  },
  checkInputs: ({ prompt, title }) => findTextProblems({ prompt, title }),
  execute({ inputs }) {
    const { prompt, allow_empty: allowEmpty, operation, details } = inputs;
    const schema = { type: "string", ...(allowEmpty ? {} : { minLength: 1 }) } as const;
    const metadata = { kind: "text", ...(operation === undefined ? {} : { operation }), ...(details === undefined ? {} : { details }) };
    return pause(questionOf(inputs, { prompt, schema, metadata }));
  },
  resume({ response }) {
    return typeof response === "string" ? success({ response }) : invalid("The answer must be a text.");
  },
});

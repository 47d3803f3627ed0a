import type { JsonSchema } from "../model/json-schema.ts";
import type { BlockType } from "../ports/block.ts";
import { pause, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { findTextProblems, ownMessages, QUESTION_INPUTS, questionOf, READ_TEXT, REQUIRED_MESSAGE } from "./question-inputs.ts";

/**
 * Lets a person look over all answers so far, and asks whether they are right. Pages list the answers of the run, each with a way to change it. Where one
 * that it depends on is changed later, it asks anew: the person has not looked over that yet.
 */
export const reviewBlock: BlockType = defineBlock({
  type: "Review",
  description: "Shows all answers so far, each with a way to change it, and asks whether they are right.",
  pure: true,
  asks: "once",
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        prompt: { ...READ_TEXT, description: "What the person is asked to do, as people read it: a text, or one a language." },
        declaration: {
          ...READ_TEXT,
          description: "What the person has to tick: `All of this is true.`, or one a language. Default: nothing.",
        },
        messages: ownMessages({ required: REQUIRED_MESSAGE }),
        title: QUESTION_INPUTS.title,
      },
      required: ["prompt"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: { confirmed: { type: "boolean", description: "`true`: who does not confirm does not answer." } },
      required: ["confirmed"],
    },
  },
  checkInputs: ({ prompt, declaration, title, messages }) => findTextProblems({ prompt, declaration, title, messages }),
  execute({ inputs }) {
    const { prompt, declaration, messages } = inputs;
    const own = messages && { messages: { ...messages, const: messages.required! } };
    const declared = declaration === undefined ? {} : { declared: { type: "boolean", const: true, title: declaration, ...own } as const };
    const schema: JsonSchema = { type: "object", properties: declared, required: Object.keys(declared), additionalProperties: false };
    return pause(questionOf(inputs, { prompt, schema, metadata: { kind: "review", fields: Object.keys(declared) } }));
  },
  resume: () => success({ confirmed: true }),
});

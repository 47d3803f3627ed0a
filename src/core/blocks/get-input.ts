import { compilePattern } from "../expression/pattern.ts";
import { errorData } from "../model/errors.ts";
import type { Value } from "../model/value.ts";
import { type AnsweredQuestion, type AnswerProblem, type BlockType, invalid, pause, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import {
  findTextProblems,
  inOwnWords,
  ownMessages,
  PREFILL_TEXT,
  QUESTION_INPUTS,
  questionOf,
  READ_TEXT,
  REQUIRED_MESSAGE,
} from "./question-inputs.ts";

/**
 * Asks for a text and keeps it as typed. With a `validation_pattern` the text must match it at the start, as `re.match` of Python has it;
 * an empty text is taken only where a pattern is given that matches it. Seed 1, "Example Interactive Blocks".
 */
export const getInputBlock: BlockType = defineBlock({
  type: "GetInput",
  description: "Asks for a text and keeps it as typed.",
  pure: true,
  asks: "once",
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        prompt: { ...READ_TEXT, description: "The question, as people read it: a text, or one a language." },
        validation_pattern: {
          type: ["string", "null"],
          description: "What the answer must match (RE2 syntax), from its start on; write `$` at the end for all of it.",
        },
        messages: ownMessages({
          required: REQUIRED_MESSAGE,
          validation_pattern: { ...READ_TEXT, description: "What people read where the answer does not match." },
        }),
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
      properties: { input_value: { type: "string", description: "The answer as it was typed." } },
      required: ["input_value"],
    },
  },
  async checkInputs({ validation_pattern: pattern, prompt, title, messages }) {
    const texts = findTextProblems({ prompt, title, messages });
    if (typeof pattern !== "string") return texts;
    try {
      const { warning } = await compilePattern(pattern);
      return warning === undefined
        ? texts
        : [...texts, { input: "validation_pattern", severity: "warning", code: "TEXT_MISLEADING", message: warning }];
    } catch (thrown) {
      const { code, message } = errorData(thrown, "PATTERN_INVALID");
      return [...texts, { input: "validation_pattern", code, message }];
    }
  },
  async execute({ inputs }) {
    const { prompt, validation_pattern: source, messages } = inputs;
    const mayBeEmpty = source ? (await compilePattern(source)).matchesStart("") : false;
    const { required, validation_pattern: unfit } = messages ?? {};
    const own = messages && { messages: { ...(required && { required }), ...(unfit && { pattern: unfit }) } };
    const schema = { type: "string", ...(mayBeEmpty ? {} : { minLength: 1 }), ...own } as const;
    return pause(questionOf(inputs, { prompt, schema, metadata: { kind: "text", ...(source ? { pattern: source } : {}) } }));
  },
  checkAnswer: ({ response, pause }) => problemWith(response, pause),
  async resume({ response, pause }) {
    const problem = await problemWith(response, pause);
    if (typeof response !== "string" || problem) return invalid(problem!.message, problem!.details);
    return success({ input_value: response });
  },
});

async function problemWith(
  response: unknown,
  { schema, metadata: { pattern: source } }: AnsweredQuestion,
): Promise<AnswerProblem | undefined> {
  if (typeof response !== "string") return { message: "The answer must be a text." };
  if (typeof source !== "string") return response === "" ? { message: "The answer is empty. Give a text." } : undefined;
  const pattern = await compilePattern(source);
  if (pattern.matchesStart(response)) return undefined;
  const message = `must match the pattern ${source} from its start on`;
  return {
    message: `The answer does not match the pattern ${source}: ${response.slice(0, 200)}. Change the answer to fit it.`,
    details: {
      pattern: source,
      errors: [inOwnWords(schema, { instancePath: "", code: "pattern", message, params: { pattern: source } }) as unknown as Value],
    },
  };
}

import { invalid, pause, success } from "../ports/block.ts";
import type { AnswerProblem, BlockType } from "../ports/block.ts";
import { isRecord } from "../model/value.ts";
import { defineBlock } from "./define-block.ts";
import { matchChoice } from "./match-choice.ts";
import { aboutQuestion, PREFILL_TEXT, QUESTION_INPUTS } from "./question-inputs.ts";

const MAX_CHOICES = 1_000;
const MAX_CHOICE_LENGTH = 200;
/** Choices that a refusal names. */
const MAX_LISTED = 100;

/** Asks for one of several choices. Seed 1, "Example Interactive Blocks". */
export const askChoiceBlock: BlockType = defineBlock({
  type: "AskChoice",
  description: "Asks for one of several choices.",
  pure: true,
  asks: "once",
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        question: { type: "string", minLength: 1, description: "What to choose, as people read it." },
        choices: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: MAX_CHOICE_LENGTH },
          minItems: 1,
          maxItems: MAX_CHOICES,
          description: "The texts to choose from, all different.",
        },
        ...QUESTION_INPUTS,
        prefill: PREFILL_TEXT,
      },
      required: ["question", "choices"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        choice: { type: "string", description: "The text that was chosen." },
        choice_index: { type: "integer", minimum: 0, description: "Its place in the list, counted from 0." },
      },
      required: ["choice", "choice_index"],
    },
  },
  checkInputs({ choices }) {
    const twice = Array.isArray(choices) ? repeated(choices) : undefined;
    return twice === undefined ? [] : [{ input: "choices", code: "BLOCK_INPUT_INVALID", message: sameChoice(twice) }];
  },
  execute({ inputs }) {
    const { question, choices, prefill } = inputs;
    const twice = repeated(choices);
    if (twice !== undefined) return { status: "failure", error: { code: "BLOCK_INPUT_INVALID", message: sameChoice(twice) } };
    const lines = choices.map((choice, index) => `${index + 1}. ${choice}`);
    return pause({
      // What comes from elsewhere need not be a choice here.
      ...aboutQuestion({ ...inputs, prefill: choices.find((choice) => choice === prefill) }),
      prompt: `${question}\n\nChoices:\n${lines.join("\n")}\n\nRespond with the number of your choice.`,
      schema: { type: ["string", "integer"], minLength: 1 },
      metadata: { kind: "choice", choices },
    });
  },
  checkAnswer({ response, pause: { metadata } }) {
    return problemWith(response, choicesOf(metadata));
  },
  resume({ response, pause: { metadata } }) {
    const choices = choicesOf(metadata);
    const match = isAnswer(response) ? matchChoice(response, choices) : undefined;
    if (match?.index === undefined) return invalid(problemWith(response, choices)!.message);
    return success({ choice: choices[match.index]!, choice_index: match.index });
  },
});

function problemWith(response: unknown, choices: readonly string[]): AnswerProblem | undefined {
  const match = isAnswer(response) ? matchChoice(response, choices) : { candidates: [] };
  if (match.index !== undefined) return undefined;
  const { candidates } = match;
  const shown = String(response).slice(0, 200);
  const way =
    candidates.length > 0
      ? `It fits several choices: ${candidates.join(", ")}. Answer with a number`
      : "Respond with the number or the text of one choice";
  const error = { instancePath: "", code: "enum", message: "must be one of the choices", params: { enum: choices.slice(0, MAX_LISTED) } };
  return { message: `Invalid choice: ${shown}. ${way}, from 1 to ${choices.length}.`, details: { candidates, errors: [error] } };
}

function isAnswer(response: unknown): response is string | number {
  return typeof response === "string" || typeof response === "number";
}

/** The choices as they were asked: the list in the definition may have been resolved from data that is gone. */
function choicesOf(metadata: { readonly [name: string]: unknown }): readonly string[] {
  return isRecord(metadata) && Array.isArray(metadata.choices) ? metadata.choices.map(String) : [];
}

function repeated(choices: readonly unknown[]): unknown {
  const seen = new Set<unknown>();
  return choices.find((choice) => seen.size === seen.add(choice).size);
}

function sameChoice(choice: unknown): string {
  return `The choice ${JSON.stringify(choice)} is given twice. Make all choices different.`;
}

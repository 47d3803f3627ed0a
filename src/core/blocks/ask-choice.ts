import { textOf } from "../expression/render.ts";
import { WorkflowError } from "../model/errors.ts";
import { MAX_CHOICES } from "../model/limits.ts";
import { isLocalizedText, type LocalizedText, pickText } from "../model/localized-text.ts";
import { isRecord, type Value } from "../model/value.ts";
import { invalid, pause, success, type AnsweredQuestion, type AnswerProblem, type BlockType } from "../ports/block.ts";
import { CHOICES_FROM, listChoices } from "./choices.ts";
import { defineBlock } from "./define-block.ts";
import { problemsOf } from "./input-problems.ts";
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

const MAX_CHOICE_LENGTH = 200;
/** Choices that a refusal names. */
const MAX_LISTED = 100;

/** Asks for one of several choices. Seed 1, "Example Interactive Blocks". */
export const askChoiceBlock: BlockType = defineBlock({
  type: "AskChoice",
  description: "Asks for one of several choices.",
  pure: true,
  asks: "once",
  // A number and a sentence that names a choice are answers too.
  judgesAnswers: true,
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        question: { ...READ_TEXT, description: "What to choose, as people read it: a text, or one a language." },
        choices: {
          type: ["array", "object"],
          items: {
            type: ["string", "object"],
            minLength: 1,
            maxLength: MAX_CHOICE_LENGTH,
            properties: {
              value: { description: "What it stands for: the output `value`." },
              title: {
                ...READ_TEXT,
                maxLength: MAX_CHOICE_LENGTH,
                description: "What people read, or one a language. Default: the value.",
              },
            },
            required: ["value"],
            additionalProperties: false,
          },
          minItems: 1,
          maxItems: MAX_CHOICES,
          properties: CHOICES_FROM,
          required: ["from"],
          additionalProperties: false,
          description:
            "The texts to choose from, all different. One that stands for something else is `{ value, title }`; `{ from, value, title }` makes choices from the items of a list.",
        },
        messages: ownMessages({ required: REQUIRED_MESSAGE }),
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
        choice: { type: "string", description: "The text that was chosen; of one in several languages that in English, else the first." },
        choice_index: { type: "integer", minimum: 0, description: "Its place in the list, counted from 0." },
        value: { description: "What the choice stands for, where the choices have values." },
      },
      required: ["choice", "choice_index"],
    },
  },
  checkInputs({ choices, question, title, messages }) {
    // Of another form, they are reported by the schema.
    const isList = Array.isArray(isRecord(choices) ? choices["from"] : choices);
    return [...findTextProblems({ question, title, messages }), ...(isList ? problemsOf("choices", () => readChoices(choices)) : [])];
  },
  execute({ inputs }) {
    const { question, prefill, messages } = inputs;
    const { choices, titles, values } = readChoices(inputs.choices);
    // What comes from elsewhere need not be a choice here.
    const about = { ...inputs, prefill: choices.find((choice) => choice === prefill) };
    return pause(
      questionOf(about, {
        prompt: question,
        schema: {
          type: "string",
          oneOf: choices.map((choice, i) => ({ const: choice, title: titles[i]! })),
          // No choice and an unknown one are the same to people.
          ...(messages && { messages: { ...messages, enum: messages.required! } }),
        },
        metadata: { kind: "choice", choices, ...(values ? { values } : {}) },
      }),
    );
  },
  checkAnswer: ({ response, pause }) => problemWith(response, pause),
  resume({ response, pause }) {
    const { metadata } = pause;
    const choices = choicesOf(metadata);
    const match = isAnswer(response) ? matchChoice(response, choices) : undefined;
    if (match?.index === undefined) return invalid(problemWith(response, pause)!.message);
    const values = metadata["values"] as readonly Value[] | undefined;
    return success({ choice: choices[match.index]!, choice_index: match.index, ...(values ? { value: values[match.index]! } : {}) });
  },
});

function problemWith(response: unknown, { schema, metadata }: AnsweredQuestion): AnswerProblem | undefined {
  const choices = choicesOf(metadata);
  const match = isAnswer(response) ? matchChoice(response, choices) : { candidates: [] };
  if (match.index !== undefined) return undefined;
  const { candidates } = match;
  const shown = String(response).slice(0, 200);
  const way =
    candidates.length > 0
      ? `It fits several choices: ${candidates.join(", ")}. Answer with a number`
      : "Answer with the text or the number of one choice";
  const listed = choices.slice(0, MAX_LISTED);
  const error = inOwnWords(schema, { instancePath: "", code: "enum", message: "must be one of the choices", params: { enum: listed } });
  return {
    message: `Invalid choice: ${shown}. ${way}, from 1 to ${choices.length}.`,
    details: { candidates, errors: [error as unknown as Value] },
  };
}

function isAnswer(response: unknown): response is string | number {
  return typeof response === "string" || typeof response === "number";
}

/** The choices as they were asked: the list in the definition may have been resolved from data that is gone. */
function choicesOf(metadata: { readonly [name: string]: unknown }): readonly string[] {
  return isRecord(metadata) && Array.isArray(metadata.choices) ? metadata.choices.map(String) : [];
}

interface Labelled {
  readonly value: Value;
  readonly title?: LocalizedText;
}

interface Choices {
  readonly choices: readonly string[];
  /** What people read, for each. */
  readonly titles: readonly LocalizedText[];
  readonly values?: readonly Value[];
}

/** The texts to choose from, and what they stand for where that is something else. Throws `BLOCK_INPUT_INVALID`. */
function readChoices(written: unknown): Choices {
  const listed = listChoices(written);
  const parts = listed.map((choice): Labelled => (isRecord(choice) ? (choice as unknown as Labelled) : { value: choice }));
  const titles = parts.map(({ value, title }) => title ?? textOf(value));
  const strange = titles.find((title) => !isLocalizedText(title));
  if (strange !== undefined)
    throw wrong(
      `The title ${JSON.stringify(strange).slice(0, MAX_CHOICE_LENGTH)} is no text. Write a text, or one a language: { en: …, de: … }.`,
    );
  const choices = titles.map((title) => pickText(title));
  const seen = new Set<string>();
  const twice = choices.find((choice) => seen.size === seen.add(choice).size);
  if (twice !== undefined) throw wrong(`The choice ${JSON.stringify(twice)} is given twice. Make all choices different.`);
  const odd = titles
    .flatMap((title) => (isRecord(title) ? Object.values(title) : title))
    .find(({ length }) => length === 0 || length > MAX_CHOICE_LENGTH);
  if (odd !== undefined)
    throw wrong(`The choice ${JSON.stringify(odd.slice(0, MAX_CHOICE_LENGTH))} does not have 1 to ${MAX_CHOICE_LENGTH} characters.`);
  if (choices.length === 0 || choices.length > MAX_CHOICES)
    throw wrong(`There are ${choices.length} choices; 1 to ${MAX_CHOICES} are allowed.`);
  return listed.every((choice) => typeof choice === "string")
    ? { choices, titles }
    : { choices, titles, values: parts.map(({ value }) => value) };
}

function wrong(message: string): WorkflowError {
  return new WorkflowError("BLOCK_INPUT_INVALID", message);
}

/** Characters of an answer that are searched for a choice. Longer answers must be a number or exactly a choice. */
const MAX_SEARCHED = 1_000;

/** Which choice an answer means: its index from 0, or the choices it could mean (none, or several). */
type ChoiceMatch = { readonly index: number } | { readonly index?: never; readonly candidates: readonly string[] };

/**
 * Finds the choice an answer means: a number from 1 on; else an exact choice, in upper or lower case; else the longest choice that stands
 * in
 * the answer as whole words. A number out of range is never looked for as text. Words are runs of letters, marks, digits and `_` of any
 * script.
 */
export function matchChoice(answer: string | number, choices: readonly string[]): ChoiceMatch {
  const text = String(answer).trim();
  if (/^[+-]?\d+$/.test(text)) {
    const number = Number(text);
    return number >= 1 && number <= choices.length ? { index: number - 1 } : { candidates: [] };
  }
  for (const like of [asWritten, trimmed, folded]) {
    const same = indexesOf(choices, (choice) => like(choice) === like(String(answer)));
    if (same.length > 0) return oneOf(same, choices);
  }
  if (text.length > MAX_SEARCHED) return { candidates: [] };
  const within = folded(text);
  const found = indexesOf(choices, (choice) => standsIn(within, folded(choice)));
  const longest = Math.max(0, ...found.map((index) => folded(choices[index]!).length));
  return oneOf(
    found.filter((index) => folded(choices[index]!).length === longest),
    choices,
  );
}

function oneOf(indexes: readonly number[], choices: readonly string[]): ChoiceMatch {
  return indexes.length === 1 ? { index: indexes[0]! } : { candidates: indexes.map((index) => choices[index]!) };
}

function indexesOf(choices: readonly string[], fits: (choice: string) => boolean): number[] {
  return choices.flatMap((choice, index) => (fits(choice) ? [index] : []));
}

const asWritten = (text: string): string => text;
const trimmed = (text: string): string => text.trim();
const folded = (text: string): string => text.trim().normalize("NFC").toLowerCase();

function standsIn(text: string, words: string): boolean {
  if (words === "") return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + words.length)) return true;
  }
  return false;
}

/** Whether no word goes on across this place. */
function isBoundary(text: string, at: number): boolean {
  return !(/[\p{L}\p{M}\p{N}_]$/u.test(text.slice(Math.max(0, at - 2), at)) && /^[\p{L}\p{M}\p{N}_]/u.test(text.slice(at, at + 2)));
}

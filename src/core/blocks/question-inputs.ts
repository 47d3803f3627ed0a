import type { JsonSchema } from "../model/json-schema.ts";
import { isLocalizedText, type LocalizedText, pickText } from "../model/localized-text.ts";
import { isRecord, type Value } from "../model/value.ts";
import type { FieldError } from "../model/value-problem.ts";
import type { InputProblem, Question } from "../ports/block.ts";
import { wrongInput } from "./input-problems.ts";

/** How a text for people is written: one, or one a language. */
export const READ_TEXT = { type: ["string", "object"], minLength: 1, additionalProperties: { type: "string" } } as const;

/** Inputs that all blocks which ask have in common. */
export const QUESTION_INPUTS = {
  title: {
    type: ["string", "object"],
    minLength: 1,
    additionalProperties: { type: "string" },
    description: "A heading for the page that asks: a text, or one a language, `{ en, de }`.",
  },
  sensitive: {
    type: "boolean",
    default: false,
    description: "Whether the answer is private: pages hide it, and keep no draft of it.",
  },
} as const;

/** An input for the text that a control shows before anything is typed. */
export const PREFILL_TEXT = {
  type: "string",
  description: "What the control shows before anything is typed. An earlier answer goes first.",
} as const;

/** Texts of a question, by what an answer breaks. */
interface OwnMessages<Keys> {
  readonly type: "object";
  readonly properties: Keys;
  readonly additionalProperties: false;
  readonly description: string;
}

/** A message for a missing answer. */
export const REQUIRED_MESSAGE: typeof READ_TEXT & { readonly description: string } = {
  ...READ_TEXT,
  description: "What people read where the answer is missing.",
};

/** An input for what people read where an answer does not do, by what it breaks. */
export function ownMessages<Keys extends { readonly [key: string]: typeof READ_TEXT }>(properties: Keys): OwnMessages<Keys> {
  return {
    type: "object",
    properties,
    additionalProperties: false,
    description: "What people read where the answer does not do.",
  };
}

/** What is wrong with a whole answer, in the words of the question where it has some for that. */
export function inOwnWords({ messages }: JsonSchema, error: FieldError): FieldError {
  const text = messages?.[error.code];
  return text === undefined ? error : { ...error, text, message: pickText(text) };
}

/** The texts that name no language, by their inputs, and those of `messages`; what holds no texts at all is reported by the schema. */
export function findTextProblems({ messages, ...texts }: { readonly [input: string]: unknown }): InputProblem[] {
  const own = isRecord(messages) ? findTextProblems(messages) : [];
  return [
    ...own.map(({ input: key, ...problem }) => ({ ...problem, input: "messages", keys: [key] })),
    ...Object.entries(texts).flatMap(([input, text]) =>
      !isRecord(text) || isLocalizedText(text) || Object.values(text).some((one) => typeof one !== "string")
        ? []
        : [wrongInput(input, "This text is in no language. Write one a language, by its tag: { en: …, de: … }.")],
    ),
  ];
}

interface AskedInputs {
  readonly title?: LocalizedText | undefined;
  readonly sensitive?: boolean;
  readonly prefill?: Value | undefined;
}

/** A question with what these inputs say about it. What is said in several languages stands in its schema, and in one of them beside it. */
export function questionOf(
  { title, sensitive, prefill }: AskedInputs,
  { prompt, schema, ...more }: Omit<Question, "prompt" | "schema"> & { readonly prompt: LocalizedText; readonly schema: JsonSchema },
): Question {
  return {
    ...more,
    prompt: pickText(prompt),
    schema: { ...schema, ...(isRecord(title) ? { title } : {}), ...(isRecord(prompt) ? { description: prompt } : {}) },
    ...(title === undefined ? {} : { title: pickText(title) }),
    ...(sensitive ? { sensitive } : {}),
    ...(prefill === undefined ? {} : { prefill }),
  };
}

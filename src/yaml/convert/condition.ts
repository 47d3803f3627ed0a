import type { Value } from "../../core/model/value.ts";

/** When a question or a page of a form is asked, whichever tool it was written for. Questions go by their names in the workflow. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | Comparison
  /** Whether there is an answer. */
  | { readonly answered: string }
  /** Whether a value is among the chosen ones. */
  | { readonly chosen: Value; readonly of: string };

export interface Comparison {
  readonly question: string;
  readonly is: "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly value: Value;
}

/** How a condition refers to a question. */
export interface Asked {
  readonly place: string;
  /** Whether its answer is one of its choices, so that nothing but the whole of it counts. */
  readonly isOneOfChoices: boolean;
  /** Whether its answer is a list, of which any member may be the one that is meant. */
  readonly isList: boolean;
  /** Its choices, where its answer may be another text. */
  readonly choices?: readonly Value[] | undefined;
  /** Whether it is any text, which has no order. */
  readonly isUnorderedText: boolean;
  /** A value as its answers have it. */
  readonly typed: (value: Value) => Value;
}

/** How a question is referred to; nothing where it is not there, or asked later. */
export type Refer = (question: string) => Asked | undefined;

/** What other tools call an answer that is none of the choices. */
const OTHER = "other";

interface Writing {
  readonly refer: (question: string) => Asked;
  /** Takes down what the condition will not do. */
  readonly warn: (message: string) => void;
}

/** What holds where both hold; either may be missing. */
export function both(one: Condition | undefined, other: Condition | undefined): Condition | undefined {
  return one && other ? { all: [one, other] } : (one ?? other);
}

/** The names of the questions that a condition looks at. */
export function questionsOf(condition: Condition): readonly string[] {
  if ("all" in condition) return condition.all.flatMap(questionsOf);
  if ("any" in condition) return condition.any.flatMap(questionsOf);
  if ("not" in condition) return questionsOf(condition.not);
  if ("answered" in condition) return [condition.answered];
  return ["chosen" in condition ? condition.of : condition.question];
}

/**
 * A condition in the grammar of workflows. `refer` gives the reference of a question. What was not answered is `null`, which cannot be compared by
 * size, so that such a comparison asks for an answer first.
 */
export function conditionText(condition: Condition, refer: (question: string) => Asked, warn: (message: string) => void): string {
  return write(condition, { refer, warn }, false);
}

function write(condition: Condition, writing: Writing, isInside: boolean): string {
  if ("all" in condition) return join(condition.all, "and", writing, isInside);
  if ("any" in condition) return join(condition.any, "or", writing, isInside);
  if ("not" in condition && "answered" in condition.not)
    return inside(`${writing.refer(condition.not.answered).place} in [null, "", []]`, isInside);
  if ("not" in condition) return inside(`not ${write(condition.not, writing, true)}`, isInside);
  if ("answered" in condition) return inside(`not ${writing.refer(condition.answered).place} in [null, "", []]`, isInside);
  if ("chosen" in condition) {
    const { of: question, chosen: value } = condition;
    const { place, isOneOfChoices, typed } = writing.refer(question);
    if (isOneOfChoices) return write({ question, is: "==", value }, writing, isInside);
    return inside(`${place} != null and ${literal(typed(value))} in ${place}`, isInside);
  }
  const { question, is } = condition;
  const { place, choices, typed, isList, isUnorderedText } = writing.refer(question);
  const value = typed(condition.value);
  if (isList && !Array.isArray(value) && (is === "==" || is === "!=")) {
    const chosen: Condition = { chosen: value, of: question };
    return write(is === "==" ? chosen : { not: chosen }, writing, isInside);
  }
  if (isUnorderedText && is !== "==" && is !== "!=")
    writing.warn(
      `Its condition asks whether ${question} is ${is} ${literal(condition.value)}, and ${question} is a text. Make it a number, a date or a time.`,
    );
  if (choices && value === OTHER && !choices.includes(value)) {
    const none = `${place} in ${literal([null, ...choices])}`;
    return is === "==" ? inside(`not ${none}`, isInside) : none;
  }
  const text = `${place} ${is} ${literal(value)}`;
  return is === "==" || is === "!=" ? text : inside(`${place} != null and ${text}`, isInside);
}

function join(parts: readonly Condition[], word: "and" | "or", writing: Writing, isInside: boolean): string {
  const [only] = parts;
  if (parts.length === 0 || only === undefined) return word === "and" ? "true" : "false";
  if (parts.length === 1) return write(only, writing, isInside);
  return inside(parts.map((part) => write(part, writing, true)).join(` ${word} `), isInside);
}

function inside(text: string, isInside: boolean): string {
  return isInside ? `(${text})` : text;
}

/** A value as conditions write it. A dollar sign would begin a reference. */
function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item as Value)).join(", ")}]`;
  return JSON.stringify(value).replaceAll("$", String.raw`\u0024`);
}

import type { JsonSchema, JsonType, Value } from "../../index.ts";

/**
 * An answer as the question's schema wants it where a text file or a command line cannot say so: a text becomes the JSON it spells where no
 * text is wanted, a number or a truth value becomes text where only text is.
 */
export function fitAnswer(answer: Value, { type }: JsonSchema): Value {
  const wanted: readonly JsonType[] = type === undefined ? [] : typeof type === "string" ? [type] : type;
  if (wanted.length === 0) return answer;
  if (typeof answer === "string") return wanted.includes("string") ? answer : spelled(answer);
  const isWanted = wanted.includes(typeof answer as JsonType) || (typeof answer === "number" && wanted.includes("integer"));
  const isPlain = typeof answer === "number" || typeof answer === "boolean";
  return isPlain && !isWanted && wanted.includes("string") ? String(answer) : answer;
}

function spelled(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return text;
  }
}

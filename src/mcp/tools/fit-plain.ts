import type { JsonSchema, JsonType } from "../../core/model/json-schema.ts";
import type { Answer } from "../../core/model/file-value.ts";

/**
 * An answer as the question's schema wants it where those who answer write text: a text becomes the JSON it spells where no text is wanted, a number
 * or a truth value becomes text where only text is.
 */
export function fitPlain(answer: Answer, { type, format }: JsonSchema): Answer {
  const wanted: readonly JsonType[] = type === undefined ? [] : typeof type === "string" ? [type] : type;
  if (wanted.length === 0 || format === "file") return answer;
  if (typeof answer === "string") return wanted.includes("string") ? answer : spelled(answer);
  const isWanted = wanted.includes(typeof answer as JsonType) || (typeof answer === "number" && wanted.includes("integer"));
  const isPlain = typeof answer === "number" || typeof answer === "boolean";
  return isPlain && !isWanted && wanted.includes("string") ? String(answer) : answer;
}

function spelled(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return text;
  }
}

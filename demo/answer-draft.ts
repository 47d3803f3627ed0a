import type { Value } from "wavepoint";
import { fieldsOf, filledDraft, type Asked } from "./form-fields.ts";

/** What the controls of a question hold when they show an answer. */
export function answerDraft(asked: Asked, answer: Value): string {
  const fields = fieldsOf(asked);
  if (fields.length > 0) return filledDraft(fields, answer);
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

/** An answer as someone reads it. */
export function answerText(asked: Asked, answer: Value): string {
  if (typeof answer === "boolean") return answer ? "Yes" : "No";
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) {
    const labels = new Map(fieldsOf(asked).map(({ name, label }) => [name, label]));
    return Object.entries(answer)
      .map(([name, value]) => `${labels.get(name) ?? name}: ${answerText({ schema: {}, metadata: {} }, value)}`)
      .join("\n");
  }
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

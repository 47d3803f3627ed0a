import { choicesOf } from "wavepoint/browser";
import type { Pause } from "wavepoint";

/**
 * A question as a client without controls prints it: the author's words, the numbered choices, and how to answer. Cases tell prompts in this form.
 * It is made from what the pause itself carries, so a case that expects a choice fails where the schema does not offer it.
 */
export function printPrompt({ prompt, schema, metadata }: Pick<Pause, "prompt" | "schema" | "metadata">): string {
  if (metadata["kind"] === "confirm") {
    const [yes, no] = choicesOf(schema);
    return `Confirm operation: ${prompt}\n\nRespond with '${String(yes?.const)}' or '${String(no?.const)}'`;
  }
  if (metadata["kind"] !== "choice") return prompt;
  const lines = choicesOf(schema).map(({ title }, index) => `${index + 1}. ${title}`);
  return `${prompt}\n\nChoices:\n${lines.join("\n")}\n\nRespond with the number of your choice.`;
}

import type { Pause } from "wavepoint";

/**
 * The question without what only a reader of plain text needs: the page shows the choices of `AskChoice` and the two answers of
 * `ConfirmOperation` as controls. Any other prompt is left as it is.
 */
export function questionText({ prompt }: Pick<Pause, "prompt">): string {
  const choices = prompt.lastIndexOf("\n\nChoices:");
  if (choices >= 0) return prompt.slice(0, choices);
  if (!prompt.startsWith(CONFIRM)) return prompt;
  const instruction = prompt.lastIndexOf("\n\n");
  return prompt.slice(CONFIRM.length, instruction < 0 ? undefined : instruction);
}

const CONFIRM = "Confirm operation: ";

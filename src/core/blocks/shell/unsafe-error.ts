import { WorkflowError } from "../../model/errors.ts";
import type { ShellText } from "./shell-text.ts";
import { SLOT } from "./shell-text.ts";

/** Characters shown on each side of the place an error is about. */
const CONTEXT = 24;

/** A place in a text. */
interface Place extends ShellText {
  readonly at: number;
}

/** The error for a reference in a place where its value could not be data: `SHELL_UNSAFE`. */
export function unsafe(place: Place, reason: string): WorkflowError {
  return unsafeValue(`A reference in the command${near(place)} cannot be replaced by its value: ${reason}.`);
}

/** The error for a script of a block with references in which a shell might parse a value, or read something else than was read here: `SHELL_UNSAFE`. */
export function unsure(place: Place, reason: string): WorkflowError {
  return unsafeValue(`The block holds references, so its command cannot be run${near(place)} as it is written: ${reason}.`);
}

/** `SHELL_UNSAFE` with the way on. */
export function unsafeValue(problem: string): WorkflowError {
  return new WorkflowError(
    "SHELL_UNSAFE",
    `${problem} Give the program and its arguments in "argv", which no shell parses, or put the script into a file that takes the value as an argument.`,
  );
}

function near({ text, slots, at }: Place): string {
  const from = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const start = Math.max(from, at - CONTEXT);
  const snippet = text
    .slice(start, Math.min(end < 0 ? text.length : end, at + CONTEXT))
    .replaceAll(SLOT, (character, offset: number) => (slots.has(start + offset) ? "${…}" : character))
    .trim();
  return snippet === "" ? "" : `, near ${snippet},`;
}

import { WorkflowError } from "../../model/errors.ts";
import type { Cursor } from "./cursor.ts";
import { SLOT } from "./shell-text.ts";

/** Characters shown on each side of the place an error is about. */
const CONTEXT = 24;

/** The error for a reference in a place where its value could not be data: `SHELL_UNSAFE`. */
export function unsafe(cursor: Cursor, reason: string): WorkflowError {
  return unsafeValue(`A reference in the command${near(cursor)} cannot be replaced by its value: ${reason}.`);
}

/** The error for a command that holds references and that this reader of shell does not fully understand: `SHELL_UNSAFE`. */
export function unsure(cursor: Cursor, reason: string): WorkflowError {
  return unsafeValue(`The command holds references, and${near(cursor)} it cannot be told for certain how a shell reads it: ${reason}.`);
}

/** `SHELL_UNSAFE` with the way out. */
export function unsafeValue(problem: string): WorkflowError {
  return new WorkflowError("SHELL_UNSAFE", `${problem} Give the value as a variable in "env" and use that, or give the program in "argv".`);
}

function near({ text, slots, at }: Cursor): string {
  const from = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const start = Math.max(from, at - CONTEXT);
  const snippet = text
    .slice(start, Math.min(end < 0 ? text.length : end, at + CONTEXT))
    .replaceAll(SLOT, (character, offset: number) => (slots.has(start + offset) ? "${…}" : character))
    .trim();
  return snippet === "" ? "" : `, near ${snippet},`;
}

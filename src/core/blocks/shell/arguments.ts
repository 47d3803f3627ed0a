import { parseTemplate } from "../../expression/parse-template.ts";
import { textOf } from "../../expression/render.ts";
import { WorkflowError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import type { BlockContext } from "../../ports/block.ts";
import { assertNoOption } from "./place-values.ts";
import { isShell, isSplitOption, namesShell, programName, SCRIPT_OPTION } from "./program-names.ts";
import { unsafeValue } from "./unsafe-error.ts";

/**
 * Looks at the arguments of a program as they are written. No shell sees them, but the program may be one: a reference in its script, or before
 * it, is refused with `SHELL_UNSAFE`. Throws `BLOCK_INPUT_INVALID` for a program without a name.
 */
export function checkArguments(argv: readonly Value[]): void {
  if (argv[0] === "") throw new WorkflowError("BLOCK_INPUT_INVALID", 'The first item of "argv" is empty. Give the name of a program.');
  const items = argv.map((item) => (typeof item === "string" ? parseTemplate(item).parts : [textOf(item)]));
  const literals = items.map((parts) => (parts.every((part) => typeof part === "string") ? parts.join("") : undefined));
  if (!literals.includes(undefined)) return;
  const [program = ""] = literals;
  const splits = programName(program) === "env" && items.some(([first]) => typeof first === "string" && isSplitOption(first));
  if (splits || (isShell(program) && !namesShell(program))) {
    throw unsafeValue(`${program} makes a command of its arguments, so "argv" of it cannot hold a value.`);
  }
  const shell = literals.findIndex((literal) => literal !== undefined && namesShell(literal));
  if (shell < 0) return;
  // The script stands behind the options, of which a "-c" may be one.
  const after = literals.slice(shell + 1);
  const options = after.findLastIndex((literal) => literal !== undefined && SCRIPT_OPTION.test(literal)) + 1;
  const script = after.findIndex((literal, i) => i >= options && !/^[-+]/.test(literal ?? ""));
  if (after.slice(0, script < 0 ? after.length : script + 1).includes(undefined)) {
    throw unsafeValue(`A value in "argv" would be a script for ${programName(literals[shell]!)}, or an option of it.`);
  }
}

/** The texts of a program and its arguments. Throws `SHELL_UNSAFE` for a value that would start an argument as an option, unless that is allowed. */
export function argumentsOf(context: BlockContext<unknown>, argv: readonly Value[], takesOptions: boolean): readonly string[] {
  const texts = argv.map(textOf);
  // The whole list may be one value.
  const isValue = context.parts("argv").length > 0;
  for (const [i, text] of texts.entries()) {
    const startsWithValue = isValue || typeof context.parts("argv", i)[0] === "object";
    if (takesOptions || (text === "--" && !startsWithValue)) break;
    if (i > 0 && startsWithValue) assertNoOption(text);
  }
  return texts;
}

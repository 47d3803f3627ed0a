import { WorkflowError } from "../../model/errors.ts";
import { utf8Length } from "../../model/utf8.ts";
import { textOf } from "../../expression/render.ts";
import type { TextPart } from "../../ports/block.ts";
import type { Value } from "../../model/value.ts";
import type { Cursor } from "./cursor.ts";
import { Findings, type Insertion, type Placement } from "./findings.ts";
import { isParser } from "./program-names.ts";
import { readCommands } from "./read-commands.ts";
import { fillSlots, joinParts, type ShellText } from "./shell-text.ts";
import { unsafeValue, unsure } from "./unsafe.ts";

/** Bytes of one variable of the environment, name and end included. Linux, MAX_ARG_STRLEN. */
const MAX_VARIABLE_BYTES = 131_072;
const INTEGER = /^-?(?:0|[1-9][0-9]{0,17})$/;

const SPELLINGS: { readonly [insertion in Insertion]: (variable: string) => string } = {
  word: (variable) => `"\${${variable}}"`,
  double: (variable) => `\${${variable}}`,
  single: (variable) => `'"\${${variable}}"'`,
  arithmetic: (variable) => `\${${variable}}`,
  comment: () => "…",
};

/** A command in which each value is a variable, with these variables. */
export interface SafeCommand {
  readonly command: string;
  readonly env: { readonly [name: string]: string };
}

/** Throws `SHELL_UNSAFE` for a template with a reference in a place where its value could not be data. Other texts are the author's. */
export function checkPlaces(parts: readonly unknown[]): void {
  findPlaces(joinParts(parts));
}

/**
 * Puts a variable of the environment in place of each value, with the quotation marks that its place needs, so that no shell parses a
 * value. Line ends at the end of a value are dropped where it stands outside of quotation marks, as a command substitution drops them.
 * Throws `SHELL_UNSAFE`, `BLOCK_INPUT_INVALID` for a value that no variable can hold, and `LIMIT_EXCEEDED` for one that is too long.
 */
export function placeValues(parts: readonly TextPart[]): SafeCommand {
  const text = joinParts(parts);
  const placements = findPlaces(text);
  const env: Record<string, string> = {};
  const values = parts.filter((part) => typeof part !== "string").map(({ value }) => value);
  for (const [slot, placement] of placements) {
    if (placement.insertion !== "comment") env[variableOf(slot)] = valueText(values[slot]!, placement);
  }
  return { command: fillSlots(text, (slot) => SPELLINGS[placements.get(slot)!.insertion](variableOf(slot))), env };
}

/** Counted from 1, as people count references. */
function variableOf(slot: number): string {
  return `WAVEPOINT_${slot + 1}`;
}

function findPlaces({ text, slots }: ShellText): ReadonlyMap<number, Placement> {
  const findings = new Findings();
  if (slots.size === 0) return findings.placements;
  const cursor: Cursor = { text, slots, at: 0, depth: 0, findings, pending: [], readCommands };
  if (text.includes("\0")) throw unsure(cursor, "it holds a NUL character");
  readCommands(cursor, "");
  findings.assertAllowed();
  if (findings.placements.size !== slots.size) throw unsure(cursor, "a reference was not reached");
  return findings.placements;
}

function valueText(value: Value, { insertion, isInteger, program }: Placement): string {
  const text = textOf(value);
  if (isInteger) {
    const integer = text.trim();
    if (!INTEGER.test(integer)) {
      throw unsafeValue(`A value the command calculates with is ${JSON.stringify(text.slice(0, 40))}, which is no integer.`);
    }
    return integer;
  }
  const kept = insertion === "word" ? withoutLineEnds(text) : text;
  if (program && isParser(program.before + kept + program.after)) {
    throw unsafeValue(`A value names the program ${JSON.stringify(program.before + kept + program.after)}, which parses its arguments.`);
  }
  assertVariable(kept, "A value in the command");
  return kept;
}

/** The text without the line ends at its end. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= text[end - 2] === "\r" ? 2 : 1;
  return text.slice(0, end);
}

/** Throws for a text that no variable of the environment can hold exactly: `BLOCK_INPUT_INVALID`, `LIMIT_EXCEEDED`. */
export function assertVariable(text: string, what: string): void {
  if (text.includes("\0"))
    throw new WorkflowError("BLOCK_INPUT_INVALID", `${what} holds a NUL character, which no program can be given. Remove it.`);
  if (/\p{Surrogate}/u.test(text))
    throw new WorkflowError("BLOCK_INPUT_INVALID", `${what} is no valid Unicode text. Remove lone surrogates.`);
  const bytes = utf8Length(text);
  if (bytes > MAX_VARIABLE_BYTES - 128) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `${what} has ${bytes} bytes; a program takes ${MAX_VARIABLE_BYTES - 128} at most. Write it to a file and pass its path.`,
      {
        details: { limit: MAX_VARIABLE_BYTES - 128 },
      },
    );
  }
}

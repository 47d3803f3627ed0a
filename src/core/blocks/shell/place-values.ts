import { WorkflowError } from "../../model/errors.ts";
import { utf8Length } from "../../model/utf8.ts";
import { textOf } from "../../expression/render.ts";
import type { TextPart } from "../../ports/block.ts";
import type { Cursor, Findings, Insertion } from "./cursor.ts";
import { readCommands } from "./read-commands.ts";
import type { Piece } from "./word.ts";
import { fillSlots, joinParts, type ShellText } from "./shell-text.ts";
import { unsure } from "./unsafe-error.ts";

/** Bytes of one variable of the environment, name and end included. Linux, MAX_ARG_STRLEN. */
const MAX_VARIABLE_BYTES = 131_072;

const SPELLINGS: { readonly [insertion in Insertion]: (variable: string) => string } = {
  word: (variable) => `"\${${variable}}"`,
  double: (variable) => `\${${variable}}`,
  single: (variable) => `'"\${${variable}}"'`,
  comment: () => "…",
};

/** A command in which each value is a variable, with these variables. */
export interface SafeCommand {
  readonly command: string;
  readonly env: { readonly [name: string]: string };
}

/**
 * Reads the script of a block that holds references, in the script itself or in its variables. Throws `SHELL_UNSAFE` where the shell could
 * parse a value. Scripts of other blocks are the author's, and not read.
 */
export function checkScript(parts: readonly unknown[]): void {
  readScript(joinParts(parts));
}

/**
 * Puts a variable of the environment in place of each value, with the quotation marks that its place needs, so that no shell parses a
 * value. Line ends at the end of a value are dropped where it stands outside of quotation marks, as a command substitution drops them.
 * Throws `SHELL_UNSAFE`, also for a value that would start a word as an option unless `takesOptions`, `BLOCK_INPUT_INVALID` for a value that
 * no variable can hold, and `LIMIT_EXCEEDED` for one that is too long.
 */
export function placeValues(parts: readonly TextPart[], { takesOptions }: { readonly takesOptions: boolean }): SafeCommand {
  const text = joinParts(parts);
  if (text.slots.size === 0) return { command: text.text, env: {} };
  const { placements, starts } = readScript(text);
  const values = parts.filter((part) => typeof part !== "string").map(({ value }) => textOf(value));
  const placed = (slot: number): string => (placements.get(slot) === "word" ? withoutLineEnds(values[slot]!) : values[slot]!);
  if (!takesOptions) for (const pieces of starts) assertNoOption(startOf(pieces, placed));
  const env: Record<string, string> = {};
  for (const [slot, insertion] of placements) {
    if (insertion === "comment") continue;
    assertVariable(placed(slot), "A value in the command");
    env[variableOf(slot)] = placed(slot);
  }
  return { command: fillSlots(text, (slot) => SPELLINGS[placements.get(slot)!](variableOf(slot))), env };
}

/** Counted from 1, as people count references. */
function variableOf(slot: number): string {
  return `WAVEPOINT_${slot + 1}`;
}

function readScript({ text, slots }: ShellText): Findings {
  const findings: Findings = { placements: new Map(), starts: [] };
  const cursor: Cursor = { text, slots, at: 0, depth: 0, findings, pending: [], readCommands };
  if (text.includes("\0")) throw unsure(cursor, "it holds a NUL character");
  readCommands(cursor, "");
  if (findings.placements.size !== slots.size) throw unsure(cursor, "a reference was not reached");
  return findings;
}

/** The value that starts a word; nothing where the author's own text starts it. What a variable holds may be empty. */
function startOf(pieces: readonly Piece[], placed: (slot: number) => string): string {
  for (const piece of pieces) {
    if (piece.kind === "slot" && placed(piece.slot) !== "") return placed(piece.slot);
    if (piece.kind === "number" || (piece.kind === "text" && piece.text !== "")) return "";
  }
  return "";
}

/** Throws `SHELL_UNSAFE` for a value at the start of a word that a program would take for an option. */
export function assertNoOption(value: string): void {
  if (!value.startsWith("-")) return;
  throw new WorkflowError(
    "SHELL_UNSAFE",
    `The value ${JSON.stringify(value.slice(0, 40))} would start a word, and the program could take it for an option. ` +
      'Put "--" before it where the program knows that, or say "options: allow".',
  );
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

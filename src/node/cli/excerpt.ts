import { readFileSync } from "node:fs";
import type { ErrorPlace } from "../../index.ts";
import { plainText } from "./plain-text.ts";
import type { Output } from "./terminal.ts";

/** Characters of a long line that are shown on each side of the place. */
const AROUND = 60;

/** The line of a file where something is wrong, the line before it, and a caret below the place. Nothing where the file cannot be read. */
export function excerpt({ source, line, column = 1 }: ErrorPlace, output: Output): readonly string[] {
  const lines = source === undefined || line === undefined ? [] : readLines(source);
  const wrong = lines[line! - 1];
  if (wrong === undefined) return [];
  const start = Math.max(0, column - 1 - AROUND);
  const gutter = String(line).length;
  const before =
    line! > 1 && lines[line! - 2]!.trim() !== "" ? [numbered(line! - 1, lines[line! - 2]!.slice(start, start + 2 * AROUND))] : [];
  // Tabs stay tabs, so that the caret stands where the line puts the character.
  const indent = plainText(wrong.slice(start, column - 1)).replaceAll(/[^\t]/g, " ");
  return [
    ...before,
    numbered(line!, wrong.slice(start, start + 2 * AROUND)),
    `  ${" ".repeat(gutter)} | ${indent}${output.paint("red", "^")}`,
  ];

  function numbered(number: number, text: string): string {
    return `  ${output.paint("dim", `${String(number).padStart(gutter)} |`)} ${plainText(text)}`.trimEnd();
  }
}

function readLines(source: string): readonly string[] {
  try {
    return readFileSync(source, "utf8")
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/);
  } catch {
    return [];
  }
}

import { stringify } from "yaml";
import type { Values } from "../../index.ts";

/** Control characters without tab and line feed, and the marks that turn the direction of text around. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Of these, the ones that JSON leaves as they are. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Returns text of a workflow, a run or a person without the characters that a terminal obeys instead of showing. */
export function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, "");
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, " ").trim();
}

/** Text cut to a number of characters, with a mark where something is missing. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, Math.max(0, length - 1))}…` : text;
}

/** A value as JSON that loses nothing and that a terminal shows without obeying it. */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(UNSAFE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Rows with their columns one below the other. The last column is not filled up. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), []);
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
}

/** Named values as YAML that a person reads and a program can. */
export function valuesText(values: Values): string {
  return Object.keys(values).length === 0 ? "" : plainText(stringify(values, { lineWidth: 0 }));
}

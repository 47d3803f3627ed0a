import type { ErrorCode as LibraryCode } from "yaml";

/** Something that the parser of the whole language found wrong, at an offset in the text. */
export interface Mistake {
  readonly code: LibraryCode;
  readonly offset: number;
  /** Whether it is about a whole key. */
  readonly ofKey: boolean;
}

/** What a mistake is in plain words, and what to do about it. */
export function adviseSyntax(text: string, { code, offset, ofKey }: Mistake): string {
  const rest = text.slice(offset, offset + SHOWN);
  if (/^-(?:\s|$)/.test(rest)) return LIST_ITEM;
  if (rest.startsWith("{") && (code === "MISSING_CHAR" || code === "UNEXPECTED_TOKEN")) return BRACE;
  if (code === "MISSING_CHAR" && ofKey) return NO_COLON;
  if (code === "UNEXPECTED_TOKEN" && /[|>][-+\d]* *$/.test(text.slice(Math.max(0, offset - 10), offset))) return BEHIND_HEADER;
  return ADVICE.get(code)?.(rest) ?? "Check indentation, quotes and brackets here.";
}

/** Characters of the text that an advice looks at. */
const SHOWN = 60;

const LIST_ITEM = "A list item cannot begin here. Begin a list on a line of its own below its key, with all its dashes in one column.";
const BRACE = "A brace opens a mapping here. Put the whole text in quotes if it holds ${…} or {{…}}.";
const BEHIND_HEADER = "A text cannot begin behind | or >. Begin it on the next line, indented deeper than its key, or put it in quotes.";
const NO_COLON =
  "This line has no colon. Put a colon and a space behind a key, or indent the line deeper if it goes on with the text above.";

/** What to say for each code of the library that people commonly meet, given the text that begins at the place. */
const ADVICE: ReadonlyMap<LibraryCode, (rest: string) => string> = new Map<LibraryCode, (rest: string) => string>([
  [
    "BLOCK_AS_IMPLICIT_KEY",
    () =>
      "A key and its colon stand inside the value of another key. Put the value in quotes if the colon belongs to it; else write the key on a line of its own, in the column of the keys it belongs to.",
  ],
  [
    "MULTILINE_IMPLICIT_KEY",
    () => "A key does not end on its line. Put a colon and a space behind it, or indent the line deeper if it goes on with the text above.",
  ],
  [
    "MISSING_CHAR",
    (rest) =>
      rest.startsWith("#")
        ? "A comment begins right behind a value. Put a space before the #."
        : "Something is missing before this: the dash of a list item, a comma between items in brackets, or a closing quotation mark.",
  ],
  ["UNEXPECTED_TOKEN", (rest) => UNEXPECTED.get(rest[0] ?? "") ?? NOT_OF_THE_VALUE],
  [
    "BAD_INDENT",
    () =>
      "The indentation does not fit. Begin all keys of a mapping, and all dashes of a list, in one column; close each bracket that was opened, and indent the lines up to there deeper than their key.",
  ],
  ["TAB_AS_INDENT", () => "A tab indents this line. Indent with spaces only."],
  [
    "BLOCK_IN_FLOW",
    () => "Two items in brackets run into each other. Put a comma between them, and quotes around a text that holds a colon.",
  ],
  [
    "BAD_DQ_ESCAPE",
    (rest) =>
      `A backslash in double quotes begins an escape, and ${rest.slice(0, 2)} is none. Write two backslashes, or use single quotes.`,
  ],
  ["BAD_SCALAR_START", (rest) => `A text without quotes cannot begin with ${rest.slice(0, 1)} here. Put it in quotes.`],
  ["NON_STRING_KEY", () => "A key must be a text. Put a text that begins with { or [ in quotes, and write no list or mapping as a key."],
  ["TAG_RESOLVE_FAILED", () => "The tag does not fit its value. Remove the tag: texts in quotes, numbers, lists and mappings need none."],
  ["BAD_PROP_ORDER", () => "A tag stands before a sign. Remove it: texts in quotes, numbers, lists and mappings need none."],
  ["MULTIPLE_TAGS", () => "A value has two tags. Remove them."],
  ["KEY_OVER_1024_CHARS", () => "A key is longer than 1,024 characters. Shorten it, or look for a missing line break or quotation mark."],
]);

const UNEXPECTED: ReadonlyMap<string, string> = new Map([
  ["]", "This bracket closes nothing. Remove it, or open it where its list begins."],
  ["}", "This brace closes nothing. Remove it, open it where its mapping begins, or put a text with braces, such as ${…}, in quotes."],
  [",", "No item stands before this comma. Remove it, or put a text that begins with a comma in quotes."],
]);
const NOT_OF_THE_VALUE =
  "The value ended before this. Put the whole value in quotes if this belongs to it; write a quotation mark inside quotes twice, or use the other kind around it.";

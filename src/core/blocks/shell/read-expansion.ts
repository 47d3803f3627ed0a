import { descend, readParentheses, type Cursor } from "./cursor.ts";
import { SUBSTITUTION } from "./findings.ts";
import { cutText, dropCharacters } from "./shell-text.ts";
import { unsafe, unsure } from "./unsafe.ts";

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPECIAL = /[0-9@*#?$!-]/y;
/** What may follow a name in braces and needs no word: an index of a list, a part by numbers. */
const PLAIN_SUFFIX = /\[[0-9@*]+\]|:[0-9: -]+(?=\})/y;
const OPERATOR = /:?[-=?+]|##?|%%?|\/\/?|\^\^?|,,?/y;

/** What surrounds an expansion; quotation marks mean different things in each. */
export type Surroundings = "unquoted" | "double" | "document";

/** Reads what follows a dollar sign, on which the cursor stands. A dollar sign that starts nothing is text. */
export function readDollar(cursor: Cursor, around: Surroundings): "expansion" | "text" {
  cursor.at++;
  const { text, at, findings } = cursor;
  if (cursor.slots.has(at)) throw unsafe(cursor, "it would be part of the name of a variable");
  if (text.startsWith("((", at)) readArithmetic(cursor, at + 2);
  else if (text[at] === "(") readSubstitution(cursor);
  else if (text[at] === "{") readInner(cursor, (inner) => readBraces(inner, around));
  else if (text[at] === "[") throw unsure(cursor, '"$[" is arithmetic in some shells and text in others; write "$(( ))"');
  else if (text[at] === "\\" && text[at + 1] === "\n") throw unsure(cursor, "the line ends after a dollar sign");
  else {
    const name = match(NAME, cursor) ?? match(SPECIAL, cursor);
    if (name === undefined) return "text";
    findings.use(name);
  }
  return "expansion";
}

/** Counts the nesting, so that no text overflows the stack. */
function readInner(cursor: Cursor, read: (inner: Cursor) => void): void {
  const inner = descend(cursor, {});
  read(inner);
  cursor.at = inner.at;
}

function readSubstitution(cursor: Cursor): void {
  const start = cursor.at++;
  cursor.findings.use(SUBSTITUTION);
  readParentheses(cursor, []);
  const crossesLine = cursor.text.slice(start, cursor.at).includes("\n");
  if (cursor.pending.length > 0 && crossesLine) throw unsure(cursor, "a here-document starts on a line that a substitution continues");
}

/** Reads a substitution in the older spelling, from its first backtick to the last. */
export function readBackticks(cursor: Cursor, around: Surroundings): void {
  const start = cursor.at + 1;
  const escapes: number[] = [];
  let end = start;
  for (; cursor.text[end] !== "`"; end++) {
    if (end >= cursor.text.length) throw unsure(cursor, "a backtick has no partner");
    if (cursor.text[end] !== "\\") continue;
    const next = cursor.text[end + 1]!;
    if (next === "$" || next === "`" || next === "\\" || (next === '"' && around === "double")) escapes.push(end - start);
    end++;
  }
  if (cursor.pending.length > 0 && cursor.text.slice(start, end).includes("\n")) {
    throw unsure(cursor, "a here-document starts on a line that a substitution continues");
  }
  const inner = descend(cursor, { ...dropCharacters(cutText(cursor, start, end), escapes), at: 0, pending: [] });
  cursor.findings.use(SUBSTITUTION);
  cursor.readCommands(inner, "");
  cursor.at = end + 1;
}

/** Reads text in double quotes, from the first to the last. Gives the text where it is nothing else. */
export function readDouble(cursor: Cursor): string | undefined {
  let literal: string | undefined = "";
  cursor.at++;
  for (;;) {
    const { at, slots } = cursor;
    const character = cursor.text[at];
    const slot = slots.get(at);
    if (character === undefined) throw unsure(cursor, "a double quotation mark has no partner");
    if (character === '"') {
      cursor.at++;
      return literal;
    }
    if (slot !== undefined) {
      cursor.findings.place(slot, "double");
      literal = undefined;
      cursor.at++;
    } else if (character === "\\") {
      const escaped = readEscape(cursor);
      if (literal !== undefined) literal += '$`"\\'.includes(escaped) ? escaped : escaped === "\n" ? "" : `\\${escaped}`;
    } else if (character === "`") {
      readBackticks(cursor, "double");
      literal = undefined;
    } else if (character === "$") {
      const kind = readDollar(cursor, "double");
      literal = kind === "text" && literal !== undefined ? `${literal}$` : undefined;
    } else {
      if (literal !== undefined) literal += character;
      cursor.at++;
    }
  }
}

/** Reads a backslash and gives the character after it. */
export function readEscape(cursor: Cursor): string {
  const next = cursor.at + 1;
  if (cursor.slots.has(next)) {
    throw unsafe(cursor, 'a backslash stands before it; take it away, or write "$${" where the shell is to see "${"');
  }
  if (next >= cursor.text.length) throw unsure(cursor, "it ends with a backslash");
  cursor.at += 2;
  return cursor.text[next]!;
}

function readBraces(cursor: Cursor, around: Surroundings): void {
  const { text, findings } = cursor;
  const start = ++cursor.at;
  const isLength = text[start] === "#" && text[start + 1] !== "}";
  if (isLength) cursor.at++;
  if (text[start] === "!" && text[start + 1] !== "}") throw unsure(cursor, '"${!…}" takes the name of a variable from another one');
  if (cursor.slots.has(cursor.at)) throw unsafe(cursor, "it would be part of the name of a variable");
  const name = match(NAME, cursor) ?? match(/[0-9]+/y, cursor) ?? match(SPECIAL, cursor);
  if (name === undefined) throw unsure(cursor, '"${" is followed by no name');
  if (!isLength) findings.use(name);
  match(PLAIN_SUFFIX, cursor);
  if (text[cursor.at] === "}") {
    cursor.at++;
    return;
  }
  const operator = match(OPERATOR, cursor);
  if (operator === undefined) throw unsure(cursor, "shells differ in what these braces mean");
  const mark = findings.mark();
  readBraceWord(cursor, around);
  if (operator.endsWith("=")) findings.assignments.push({ variable: name, uses: findings.since(mark) });
}

/** Reads up to the closing brace, which is taken. Shells differ too much here to put values in. */
function readBraceWord(cursor: Cursor, around: Surroundings): void {
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined) throw unsure(cursor, '"${" is never closed');
    if (cursor.slots.has(cursor.at)) throw unsafe(cursor, "it stands in the braces of a variable");
    if (character === "}") {
      cursor.at++;
      return;
    }
    if (character === "\\") readEscape(cursor);
    else if (character === "$") readDollar(cursor, around);
    else if (character === "`") readBackticks(cursor, around);
    else if (character === "'" || character === '"') readBraceQuote(cursor, around);
    else cursor.at++;
  }
}

function readBraceQuote(cursor: Cursor, around: Surroundings): void {
  const quote = cursor.text[cursor.at]!;
  if (around === "document" || (around === "double" && quote === "'")) {
    throw unsure(cursor, "shells differ in what this quotation mark in braces means");
  }
  const start = cursor.at;
  const mark = cursor.findings.mark();
  if (quote === '"') readDouble(cursor);
  else cursor.at = closing(cursor, "'") + 1;
  if (cursor.findings.since(mark).slots.length > 0) throw unsafe(cursor, "it stands in the braces of a variable");
  const inside = cutText(cursor, start, cursor.at);
  if (inside.slots.size > 0) throw unsafe(cursor, "it stands in the braces of a variable");
  if (inside.text.includes("}")) throw unsure(cursor, "a closing brace stands in quotation marks between braces");
}

/** The offset of the next such character. */
export function closing(cursor: Cursor, quote: string): number {
  const end = cursor.text.indexOf(quote, cursor.at + 1);
  if (end < 0) throw unsure(cursor, "a quotation mark has no partner");
  return end;
}

/** Reads arithmetic from its first character to the two closing parentheses, which are taken. A value in it must be an integer. */
export function readArithmetic(cursor: Cursor, start: number): void {
  cursor.at = start;
  readInner(cursor, (inner) => {
    const place = { ...inner };
    const mark = inner.findings.mark();
    const direct = readTerms(inner);
    const { slots, variables } = inner.findings.since(mark);
    const fail = (): Error => unsafe(place, "arithmetic would evaluate what a variable or a command makes of it");
    if (slots.some((slot) => !direct.has(slot))) throw fail();
    inner.findings.forbid(variables, { fail, takesIntegers: true });
  });
}

/** Gives the slots that stand in the arithmetic itself. */
function readTerms(cursor: Cursor): ReadonlySet<number> {
  const { text, findings } = cursor;
  const direct = new Set<number>();
  for (let open = 0; ;) {
    const character = text[cursor.at];
    const slot = cursor.slots.get(cursor.at);
    if (slot !== undefined) {
      findings.place(slot, "arithmetic");
      direct.add(slot);
      cursor.at++;
    } else if (character === "$") readDollar(cursor, "double");
    else if (character === "`") readBackticks(cursor, "double");
    else if (character === undefined || `'"\\;{}#`.includes(character)) {
      throw unsure(cursor, "arithmetic holds more than numbers, variables and operators");
    } else if (character === ")" && open === 0) {
      if (text[cursor.at + 1] !== ")") throw unsure(cursor, '"((" is not closed by "))"; write "( (" for commands');
      cursor.at += 2;
      return direct;
    } else {
      const name = match(NAME, cursor);
      if (name === undefined) cursor.at++;
      else if (cursor.slots.has(cursor.at)) throw unsafe(cursor, "it would be part of the name of a variable");
      else findings.use(name);
      if (character === "(") open++;
      if (character === ")") open--;
    }
  }
}

function match(pattern: RegExp, cursor: Cursor): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  cursor.at += found?.length ?? 0;
  return found;
}

import { readParentheses, skipBlanks, type Cursor } from "./cursor.ts";
import { announceHereDocument, readHereDocuments } from "./here-document.ts";
import { judgeCommand, readAssignment } from "./judge-command.ts";
import { readArithmetic } from "./read-expansion.ts";
import { isProcessSubstitution, readWord, type Word } from "./read-word.ts";
import { unsafe, unsure } from "./unsafe.ts";

const REDIRECTION = /<<<|<<-|<<|<&|<>|<|>>|>&|>\||>/y;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NUMERIC_TEST = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;

/** What closes each compound command. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ["if", "fi"],
  ["while", "done"],
  ["until", "done"],
  ["for", "done"],
  ["select", "done"],
  ["case", "esac"],
  ["{", "}"],
]);
const CLOSERS = new Set(CLOSING.values());
const INNER = new Set(["then", "else", "elif", "do", "!", "coproc"]);

/** Reads commands to the end of the text or to the closing parenthesis, which is taken, and judges each of them. */
export function readCommands(cursor: Cursor, close: ")" | ""): void {
  const open: string[] = [];
  // After a compound command only redirections and separators may follow.
  let isSettled = false;
  for (;;) {
    skipBlanks(cursor);
    const { text, at } = cursor;
    const character = text[at];
    if (character === undefined) {
      if (close !== "" || open.length > 0 || cursor.pending.length > 0) throw unsure(cursor, "a construct is not closed");
      return;
    }
    if (character === ")") {
      if (close === "" || open.length > 0) throw unsure(cursor, "a parenthesis closes nothing");
      cursor.at++;
      return;
    }
    if (character === "\n") {
      cursor.at++;
      readHereDocuments(cursor);
      isSettled = false;
    } else if (character === ";" && (text[at + 1] === ";" || text[at + 1] === "&")) {
      if (open.at(-1) !== "esac") throw unsure(cursor, '";;" stands outside of "case"');
      cursor.at += text.startsWith(";;&", at) ? 3 : 2;
      isSettled = readPatterns(cursor, open);
    } else if (character === ";" || character === "&" || character === "|") {
      cursor.at++;
      isSettled = false;
    } else if (character === "(") {
      if (isSettled) throw unsure(cursor, "a parenthesis follows a command");
      if (text[at + 1] === "(") readArithmeticCommand(cursor);
      else readSubshell(cursor);
      isSettled = true;
    } else if ((character === "<" || character === ">") && isSettled && !isProcessSubstitution(cursor)) {
      readRedirection(cursor);
    } else {
      isSettled = readCommand(cursor, open, isSettled);
    }
  }
}

/** Shells without this command read two subshells. */
function readArithmeticCommand(cursor: Cursor): void {
  const start = cursor.at;
  readArithmetic(cursor, start + 2);
  if (cursor.text.slice(start, cursor.at).includes("<<")) throw unsure(cursor, 'some shells read a here-document in "((…<<…))"');
}

function readSubshell(cursor: Cursor): void {
  cursor.at++;
  readParentheses(cursor, cursor.pending);
}

/** Reads one simple command, or a keyword. Gives whether nothing but redirections may follow. */
function readCommand(cursor: Cursor, open: string[], isSettled: boolean): boolean {
  const word = readWord(cursor);
  const keyword = word.bare ?? "";
  if (CLOSERS.has(keyword) || INNER.has(keyword)) {
    if (!CLOSERS.has(keyword)) return false;
    if (open.pop() !== keyword) throw unsure(cursor, `"${keyword}" closes nothing`);
    return true;
  }
  if (isSettled) {
    if (isStreamNumber(cursor, word)) return true;
    throw unsure(cursor, "a word follows a compound command");
  }
  const closer = CLOSING.get(keyword);
  if (closer !== undefined) {
    open.push(closer);
    if (keyword === "for" || keyword === "select") readLoopHead(cursor);
    return keyword === "case" && readCaseHead(cursor, open);
  }
  if (keyword === "function") {
    readFunctionName(cursor);
    return false;
  }
  if (keyword === "[[") {
    readDoubleBracket(cursor);
    return true;
  }
  readSimpleCommand(cursor, word);
  return false;
}

function readSimpleCommand(cursor: Cursor, first: Word): void {
  const words: Word[] = [];
  let word = first;
  // What starts with a redirection has no word yet.
  let isWord = word.pieces.length > 0 || word.bare === undefined;
  for (;;) {
    if (isWord && !isStreamNumber(cursor, word)) {
      if (words.length > 0 || !readAssignment(cursor, word)) words.push(word);
    }
    skipBlanks(cursor);
    const character = cursor.text[cursor.at];
    if (character === undefined || "\n;&|)".includes(character)) break;
    if (character === "(") {
      if (words.length !== 1) throw unsure(cursor, "a parenthesis stands inside of a command");
      return readFunctionParentheses(cursor, words[0]!);
    }
    isWord = (character !== "<" && character !== ">") || isProcessSubstitution(cursor);
    if (isWord) word = readWord(cursor);
    else readRedirection(cursor);
  }
  judgeCommand(cursor, words);
}

/** A number that is followed by a redirection at once. */
function isStreamNumber({ text, at }: Cursor, { bare }: Word): boolean {
  return bare !== undefined && /^[0-9]+$/.test(bare) && (text[at] === "<" || text[at] === ">");
}

function readRedirection(cursor: Cursor): void {
  REDIRECTION.lastIndex = cursor.at;
  const [operator] = REDIRECTION.exec(cursor.text)!;
  cursor.at += operator.length;
  if (cursor.text.startsWith("\\\n", cursor.at)) throw unsure(cursor, "the line ends after a redirection");
  skipBlanks(cursor);
  const start = cursor.at;
  const target = readWord(cursor);
  if (cursor.at === start) throw unsure(cursor, "a redirection leads nowhere");
  if (operator === "<<" || operator === "<<-") announceHereDocument(cursor, target, operator === "<<-");
}

function readFunctionParentheses(cursor: Cursor, name: Word): void {
  if (name.uses.slots.length > 0) throw unsafe(cursor, "it would name a function");
  cursor.at++;
  skipBlanks(cursor);
  if (name.bare === undefined || cursor.text[cursor.at] !== ")") throw unsure(cursor, "a parenthesis stands inside of a command");
  cursor.at++;
}

function readFunctionName(cursor: Cursor): void {
  skipBlanks(cursor);
  const name = readWord(cursor);
  skipBlanks(cursor);
  if (cursor.text[cursor.at] === "(") readFunctionParentheses(cursor, name);
  else if (name.uses.slots.length > 0) throw unsafe(cursor, "it would name a function");
}

function readLoopHead(cursor: Cursor): void {
  skipBlanks(cursor);
  const name = readWord(cursor);
  if (name.uses.slots.length > 0) throw unsafe(cursor, "it would be the name of a variable");
  if (name.bare === undefined || !VARIABLE.test(name.bare)) throw unsure(cursor, "a loop has no plain variable");
  skipLines(cursor);
  const mark = cursor.findings.mark();
  const hasList = /^in[ \t\n;\\]/.test(cursor.text.slice(cursor.at, cursor.at + 3));
  if (hasList) {
    cursor.at += "in".length;
    for (skipBlanks(cursor); !"\n;".includes(cursor.text[cursor.at] ?? "\n"); skipBlanks(cursor)) readSome(cursor);
  }
  cursor.findings.assignments.push({ variable: name.bare, uses: hasList ? cursor.findings.since(mark) : undefined });
}

/** Reads `WORD in` and the first patterns. Gives whether the command ends there. */
function readCaseHead(cursor: Cursor, open: string[]): boolean {
  skipBlanks(cursor);
  readSome(cursor);
  skipLines(cursor);
  if (readWord(cursor).bare !== "in") throw unsure(cursor, '"case" has no "in"');
  return readPatterns(cursor, open);
}

/** Reads patterns up to their parenthesis, or the end of the command: gives whether it was the end. */
function readPatterns(cursor: Cursor, open: string[]): boolean {
  skipLines(cursor);
  const hasParenthesis = cursor.text[cursor.at] === "(";
  if (hasParenthesis) cursor.at++;
  for (let isFirst = true; ; isFirst = false) {
    skipBlanks(cursor);
    const pattern = readSome(cursor);
    if (isFirst && !hasParenthesis && pattern.bare === "esac") {
      open.pop();
      return true;
    }
    skipBlanks(cursor);
    const character = cursor.text[cursor.at];
    if (character !== "|" && character !== ")") throw unsure(cursor, "a pattern has no closing parenthesis");
    cursor.at++;
    if (character === ")") return false;
  }
}

function readSome(cursor: Cursor): Word {
  const start = cursor.at;
  const word = readWord(cursor);
  if (cursor.at === start) throw unsure(cursor, "a word is missing");
  return word;
}

function skipLines(cursor: Cursor): void {
  for (skipBlanks(cursor); cursor.text[cursor.at] === "\n"; skipBlanks(cursor)) {
    cursor.at++;
    readHereDocuments(cursor);
  }
}

/** `[[ … ]]`, which only some shells know: no value is put into it. */
function readDoubleBracket(cursor: Cursor): void {
  const mark = cursor.findings.mark();
  let evaluates = false;
  for (;;) {
    while (/[\s()<>|&!]/.test(cursor.text[cursor.at] ?? "")) cursor.at++;
    if (cursor.text[cursor.at] === ";" || cursor.text[cursor.at] === "#") throw unsure(cursor, '"[[" holds a separator or a comment');
    const word = readSome(cursor);
    if (word.bare === "]]") break;
    evaluates ||= word.bare !== undefined && NUMERIC_TEST.test(word.bare);
  }
  const { slots, variables } = cursor.findings.since(mark);
  if (slots.length > 0) throw unsafe(cursor, 'not every shell knows "[["; write "["');
  const place = { ...cursor };
  if (evaluates) cursor.findings.forbid(variables, { fail: () => unsafe(place, "shells evaluate numbers that are compared") });
}

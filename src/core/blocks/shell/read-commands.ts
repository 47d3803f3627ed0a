import { type Cursor, readEscape, readParentheses, skipBlanks } from "./cursor.ts";
import { announceHereDocument, readHereDocuments } from "./here-document.ts";
import { judgeCommand, noteStart, readAssignment } from "./judge-command.ts";
import { isParsedVariable } from "./program-names.ts";
import { type Piece, type Word, makeWord } from "./word.ts";
import { unsure } from "./unsafe-error.ts";
import { addText, readBackticks, readDollar, readQuotes, takeSlot } from "./read-expansion.ts";

const REDIRECTION = /<<<|<<-|<<|<&|<>|<|>>|>&|>\||>/y;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What closes each compound command. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ["if", "fi"],
  ["while", "done"],
  ["until", "done"],
  ["for", "done"],
  ["case", "esac"],
  ["{", "}"],
]);
const CLOSERS = new Set(CLOSING.values());
const INNER = new Set(["then", "else", "elif", "do", "!"]);

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
      if (text[at + 1] === "(") throw unsure(cursor, 'shells run what stands in the texts they calculate with; write "( (" for commands');
      cursor.at++;
      readParentheses(cursor, cursor.pending);
      isSettled = true;
    } else if ((character === "<" || character === ">") && isSettled) {
      readRedirection(cursor);
    } else {
      isSettled = readCommand(cursor, open, isSettled);
    }
  }
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
    if (keyword === "for") readLoopHead(cursor);
    return keyword === "case" && readCaseHead(cursor, open);
  }
  readSimpleCommand(cursor, word);
  return false;
}

function readSimpleCommand(cursor: Cursor, first: Word): void {
  const words: Word[] = [];
  // What starts with a redirection has no word yet.
  let word: Word | undefined = first.pieces.length > 0 ? first : undefined;
  for (;;) {
    if (word !== undefined && !isStreamNumber(cursor, word)) {
      if (words.length > 0 || !readAssignment(cursor, word)) words.push(word);
    }
    skipBlanks(cursor);
    const character = cursor.text[cursor.at];
    if (character === undefined || "\n;&|)".includes(character)) break;
    if (character === "(") {
      if (words.length !== 1) throw unsure(cursor, "a parenthesis stands inside of a command");
      return readFunctionParentheses(cursor, words[0]!);
    }
    const isRedirection = character === "<" || character === ">";
    if (isRedirection) readRedirection(cursor);
    word = isRedirection ? undefined : readWord(cursor);
  }
  judgeCommand(cursor, words);
}

/** A number that is followed by a redirection at once. Refuses what some shells take for the variable that keeps such a number. */
function isStreamNumber(cursor: Cursor, { bare, pieces: [first] }: Word): boolean {
  const next = cursor.text[cursor.at];
  if (next !== "<" && next !== ">") return false;
  if (first?.kind === "text" && !first.isQuoted && first.text.startsWith("{"))
    throw unsure(cursor, "shells differ in what {…} before a redirection means");
  return bare !== undefined && /^[0-9]+$/.test(bare);
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
  cursor.at++;
  skipBlanks(cursor);
  if (name.bare === undefined || cursor.text[cursor.at] !== ")") throw unsure(cursor, "a parenthesis stands inside of a command");
  cursor.at++;
}

function readLoopHead(cursor: Cursor): void {
  skipBlanks(cursor);
  const { bare: name } = readWord(cursor);
  if (name === undefined || !VARIABLE.test(name)) throw unsure(cursor, "a loop has no plain variable");
  if (isParsedVariable(name)) throw unsure(cursor, `a shell parses the value of ${name}`);
  skipLines(cursor);
  if (!/^in[ \t\n;\\]/.test(cursor.text.slice(cursor.at, cursor.at + 3))) return;
  cursor.at += "in".length;
  for (skipBlanks(cursor); !"\n;".includes(cursor.text[cursor.at] ?? "\n"); skipBlanks(cursor)) noteStart(cursor, readSome(cursor));
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

const END = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);

/** Reads a word. The cursor does not move where none starts. */
function readWord(cursor: Cursor): Word {
  const pieces: Piece[] = [];
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined || END.has(character)) break;
    if (takeSlot(cursor, "word", pieces)) continue;
    if (character === "\\") {
      const escaped = readEscape(cursor);
      if (escaped !== "\n") addText(pieces, escaped, true);
    } else if (character === "'" || character === '"') readQuotes(cursor, pieces);
    else if (character === "`") pieces.push(readBackticks(cursor, "unquoted"));
    else if (character === "$") pieces.push(readDollar(cursor, "unquoted"));
    else {
      addText(pieces, character, false);
      cursor.at++;
    }
  }
  return makeWord(pieces);
}

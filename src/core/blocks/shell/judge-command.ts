import type { Cursor } from "./cursor.ts";
import { whyForbidden } from "./environment.ts";
import {
  isEvaluator,
  isParsedVariable,
  isShell,
  isSplitOption,
  namesShell,
  programName,
  SCRIPT_OPTION,
  takesScript,
} from "./program-names.ts";
import type { Piece, Word } from "./word.ts";
import { unsafe, unsure } from "./unsafe-error.ts";

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/;
/** What the name of a program is made of, where no quotation marks stand. Other characters mean something to one shell or another. */
const PLAIN = /^(?:~\/)?[A-Za-z0-9_./+@%:-]*$/;
/** Commands of the shell, and a keyword, that run the command after them. */
const PREFIXES = new Set(["command", "builtin", "exec", "time"]);
/** Commands of the shell that take names of variables. */
const ASSIGNERS = new Set(["export", "readonly", "local"]);
const NAMERS = new Set(["read", "unset"]);
/** What may follow a value in `test`: with anything else after it, the value would be the operator. */
const OPERATORS = new Set("= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef -a -o ] )".split(" "));

/** Whether a word before the name of a command is an assignment. */
export function readAssignment(cursor: Cursor, word: Word): boolean {
  const [first] = word.pieces;
  if (first?.kind !== "text" || first.isQuoted || !ASSIGNMENT.test(first.text)) return false;
  judgeAssignment(cursor, word);
  return true;
}

/** Refuses a simple command by which the shell could parse a value. Its words are what stands behind the assignments. */
export function judgeCommand(cursor: Cursor, words: readonly Word[]): void {
  const closed = words.findIndex(({ literal }) => literal === "--");
  words.forEach((word, i) => {
    judgeAssignment(cursor, word);
    judgeBraces(cursor, word);
    if (closed < 0 || i < closed) noteStart(cursor, word);
  });
  const [program, ...rest] = withoutPrefixes(cursor, words);
  if (program === undefined) return;
  const name = programName(program.literal ?? "");
  if (isEvaluator(name)) throw unsure(cursor, `${name} may parse a value, or not every shell knows it`);
  if (program.literal === undefined || !program.pieces.every(isPlain)) throw unsure(cursor, "the name of a program is not written out");
  if (isShell(program.literal)) throw unsure(cursor, `${name} is a shell, or hands what it is given to one`);
  if (name !== "which" && name !== "type") judgeShells(cursor, [program, ...rest]);
  if (name === "test" || name === "[") judgeTest(cursor, rest);
  else if (name === "printf") judgePrint(cursor, rest);
  else if (ASSIGNERS.has(name)) for (const word of rest) judgeAssigned(cursor, name, word);
  else if (NAMERS.has(name)) for (const word of rest) judgeName(cursor, name, word);
  else if (name === "wait") {
    // Of the options, "-p" takes the name of a variable.
    const isPlainWait = rest.every(({ literal, pieces }) =>
      literal === undefined ? pieces.every(({ kind }) => kind === "number") : !literal.includes("["),
    );
    if (!isPlainWait) throw unsure(cursor, "wait may take the name of a variable; write $!, or nothing");
  } else if (name === "env") judgeEnvironment(cursor, rest);
}

/** Notes a word that starts with a value: what comes out may look like an option. */
export function noteStart({ findings }: Cursor, { pieces }: Word): void {
  if (pieces.some(({ kind }) => kind === "slot")) findings.starts.push(pieces);
}

function withoutPrefixes(cursor: Cursor, words: readonly Word[]): readonly Word[] {
  let start = 0;
  while (PREFIXES.has(words[start]?.literal ?? "")) {
    const isCommand = words[start++]!.literal === "command";
    while (words[start]?.literal === "-p" || words[start]?.literal === "--") start++;
    const option = words[start]?.literal;
    if (isCommand && (option === "-v" || option === "-V")) return [];
    if (option?.startsWith("-")) throw unsure(cursor, `shells differ in what ${option} means here`);
  }
  return words.slice(start);
}

function isPlain(piece: Piece): boolean {
  return piece.kind === "text" && (piece.isQuoted || PLAIN.test(piece.text) || piece.text === "[");
}

/** The shell that runs the command parses some variables, and programs take code from others. Any program may be given them. */
function judgeAssignment(cursor: Cursor, { pieces }: Word): void {
  const name = ASSIGNMENT.exec(startOf(pieces))?.[1];
  if (name === undefined) return;
  if (isParsedVariable(name)) throw unsure(cursor, `a shell parses the value of ${name}`);
  const reason = pieces.some(({ kind }) => kind === "slot") ? whyForbidden(name) : undefined;
  if (reason !== undefined) throw unsafe(cursor, `it would be the value of ${name}, and ${reason}`);
}

/** The text before the first value or expansion. */
function startOf(pieces: readonly Piece[]): string {
  const end = pieces.findIndex(({ kind }) => kind !== "text");
  return pieces
    .slice(0, end < 0 ? pieces.length : end)
    .map((piece) => (piece.kind === "text" ? piece.text : ""))
    .join("");
}

/** Some shells make several words of `{a,b}`, each of which may start with a value. */
function judgeBraces(cursor: Cursor, { pieces }: Word): void {
  if (!pieces.some(({ kind }) => kind === "slot")) return;
  const bare = pieces.map((piece) => (piece.kind === "text" && !piece.isQuoted ? piece.text : "")).join("");
  if (bare.includes("{") && bare.includes(",")) throw unsure(cursor, "shells differ in what {…,…} means; put it in quotation marks");
}

/** Whether the shell may make several words of it, or none. */
function splits({ pieces }: Word): boolean {
  return pieces.some((piece) => piece.kind === "expansion" && piece.splits);
}

/** The words of a program may start a shell: it may be given a file with a script, and nothing else. */
function judgeShells(cursor: Cursor, words: readonly Word[]): void {
  const lastScript = words.findLastIndex(({ literal }) => SCRIPT_OPTION.test(literal ?? ""));
  words.forEach(({ literal }, i) => {
    const next = words[i + 1]?.literal;
    if (literal === undefined) {
      if (next === "-c" && words[i + 2] && words[i + 2]!.literal === undefined) throw unsure(cursor, "a value before -c may be a shell");
      return;
    }
    if (i < lastScript && takesScript(literal)) throw unsure(cursor, `a script for ${programName(literal)} stands in it`);
    if (!namesShell(literal) || literal.includes("=")) return;
    const isFile = next === undefined ? i + 2 === words.length && !splits(words[i + 1]!) : !/^[-+]/.test(next);
    if (!isFile) throw unsure(cursor, `${programName(literal)} may read a value as its script`);
  });
}

/** `test -v` takes a name, whose index some shells evaluate. */
function judgeTest(cursor: Cursor, words: readonly Word[]): void {
  words.forEach((word, i) => {
    const { literal, pieces } = word;
    if (literal === "-v" || literal === "-R") throw unsure(cursor, `"test ${literal}" evaluates the name it is given`);
    if (literal !== undefined || pieces.every(({ kind }) => kind === "number")) return;
    if (splits(word)) {
      throw unsure(cursor, "an expansion may become several words of the test; put it in double quotation marks");
    }
    const next = words[i + 1];
    if (next !== undefined && !OPERATORS.has(next.literal ?? "")) throw unsure(cursor, "a value may be an operator of the test");
  });
}

/** `printf -v` takes a name as well. */
function judgePrint(cursor: Cursor, [format, ...rest]: readonly Word[]): void {
  if (format === undefined || format.literal === "--") return;
  const start = startOf(format.pieces);
  const mayBeOption = start.startsWith("-") || (start === "" && format.literal === undefined);
  const isAlone = rest.length === 0 && !splits(format);
  if (mayBeOption && (start !== "" || !isAlone)) throw unsure(cursor, "printf may take an option; write its format out");
}

/** `env` may be given any variable, and with `-S` a command as one text. */
function judgeEnvironment(cursor: Cursor, words: readonly Word[]): void {
  if (words.some(({ pieces }) => isSplitOption(startOf(pieces)))) throw unsure(cursor, "env -S makes a command of a text");
  const program = words.find(({ pieces }) => !/^(?:-|[A-Za-z_][A-Za-z0-9_]*=)/.test(startOf(pieces)));
  if (program && program.literal === undefined) throw unsure(cursor, "a value may be the name of a variable that env sets");
}

function judgeAssigned(cursor: Cursor, name: string, word: Word): void {
  const isPlainName = word.literal !== undefined && /^[A-Za-z_][A-Za-z0-9_]*$/.test(word.literal);
  if (isPlainName && !isParsedVariable(word.literal)) return;
  if (!ASSIGNMENT.test(startOf(word.pieces)) || splits(word)) {
    throw unsure(cursor, `${name} takes names that are written out, and values in double quotation marks`);
  }
}

function judgeName(cursor: Cursor, name: string, { literal }: Word): void {
  if (literal === undefined || literal.includes("[") || isParsedVariable(literal)) {
    throw unsure(cursor, `${name} takes names of variables that are written out`);
  }
}

import { descend, type Cursor } from "./cursor.ts";
import { DECLARERS, EVALUATORS, FORWARDERS, PARSED_VARIABLES, programName, SHELLS, WRAPPERS } from "./program-names.ts";
import type { Piece, Word } from "./read-word.ts";
import { unsafe, unsure } from "./unsafe.ts";

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/;
const SCRIPT_OPTION = /^[-+](?=[A-Za-z]+$)[A-Zabd-z]*c/;
const INPUT_OPTION = /^-(?=[A-Za-z]+$)[A-Za-rt-z]*s/;
const OPTION_WITH_ARGUMENT = /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/;
const LIST_OPTION = /^-[A-Za-z]*[aA]/;
const EVALUATING_OPTION = /^-[A-Za-z]*[in]/;
/** Evaluators whose arguments are scripts or arithmetic. */
const PARSERS = new Set(["eval", "let", "trap"]);
/** Evaluators whose arguments are variables that get a value. */
const READERS = new Set(["read", "getopts", "mapfile", "readarray"]);
/** Wrappers that run commands of the shell too, and whose options take no argument. */
const INNER_WRAPPERS = new Set(["command", "builtin", "time"]);
/** Programs to which the name of a shell is a word like others. */
const SPEAKERS = new Set("which type whereis man echo printf grep test [ apt apt-get apk dnf yum brew pacman".split(" "));
/** Programs that put other text in place of "{}". */
const REPLACERS = new Set(["xargs", "find", "fd"]);

/** Whether a word before the name of a command is an assignment; the value of a slot in it stays data. Refuses slots on its left side. */
export function readAssignment(cursor: Cursor, word: Word): boolean {
  const [first, second] = word.pieces;
  if (first?.kind !== "text" || first.isQuoted) {
    if (first?.kind === "slot" && second?.kind === "text" && !second.isQuoted && /^[A-Za-z0-9_]*\+?=/.test(second.text))
      throw leftSide(cursor);
    return false;
  }
  const variable = ASSIGNMENT.exec(first.text)?.[1];
  if (variable !== undefined) {
    if (PARSED_VARIABLES.has(variable) && word.uses.slots.length > 0) throw unsafe(cursor, `a shell parses the value of ${variable}`);
    const { length } = word.pieces;
    const whole = length === 2 && first.text.endsWith("=") && second?.kind === "slot" ? { whole: second.slot } : {};
    cursor.findings.assignments.push({ variable, uses: word.uses, ...whole });
    return true;
  }
  if (word.uses.slots.length === 0) return false;
  if (/^[A-Za-z_][A-Za-z0-9_]*\[/.test(first.text)) throw unsafe(cursor, "shells evaluate the index of a list");
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(first.text) && second?.kind === "slot" && word.pieces.some(holdsEquals)) throw leftSide(cursor);
  return false;
}

function holdsEquals(piece: Piece): boolean {
  return piece.kind === "text" && !piece.isQuoted && piece.text.includes("=");
}

function leftSide(cursor: Cursor): Error {
  return unsafe(cursor, "it would be part of the name of a variable");
}

/** Refuses values where the command that the words make would parse them. Assignments before it are judged already. */
export function judgeCommand(cursor: Cursor, words: readonly Word[]): void {
  const [first, ...rest] = words;
  if (first === undefined) return;
  const name = first.literal === undefined ? judgeProgram(cursor, first) : programName(first.literal);
  if (name !== undefined && SHELLS.has(name)) return judgeShell(cursor, words, 1);
  if (name !== undefined && REPLACERS.has(name)) refuseReplacing(cursor, rest);
  if (name !== undefined && WRAPPERS.has(name)) return judgeWrapper(cursor, name, rest);
  words.forEach((word, i) => {
    const isNamed = i > 0 && isNameOfShell(word);
    if (!isNamed && word.literal !== undefined) return;
    const { takesScript, readsInput, end } = readOptions(words, i + 1);
    if (takesScript) judgeShell(cursor, words, i + 1);
    else if (isNamed && (readsInput || end >= words.length) && !SPEAKERS.has(name ?? "")) judgeScriptFile(cursor, undefined);
  });
  if (name === undefined) return;
  if (EVALUATORS.has(name)) judgeEvaluator(cursor, name, rest);
  else if (DECLARERS.has(name)) judgeDeclarer(cursor, name, rest);
  else if (FORWARDERS.has(name)) throw unsure(cursor, `${name} hands what it is given to a shell`);
  else if (name === "test" || name === "[") judgeTest(cursor, rest);
  else if (name === "printf") judgePrint(cursor, rest);
  else if (name === "." || name === "source") judgeScriptFile(cursor, rest[0]);
}

/** The name of the program where it is certain; where values make it, they are looked at once they are there. */
function judgeProgram(cursor: Cursor, { pieces }: Word): string | undefined {
  const lastFolder = pieces.findLastIndex((piece) => piece.kind === "text" && piece.text.includes("/"));
  const folder = pieces[lastFolder];
  const start = folder?.kind === "text" ? folder.text.slice(folder.text.lastIndexOf("/") + 1) : "";
  const name = pieces.slice(lastFolder + 1);
  if (name.length === 0) return programName(start);
  const slots = name.flatMap((piece) => (piece.kind === "slot" ? [piece.slot] : []));
  if (slots.length === 0) return undefined;
  if (slots.length > 1 || name.some(({ kind }) => kind === "expansion"))
    throw unsafe(cursor, "the name of a program is made of more than one value");
  const at = name.findIndex(({ kind }) => kind === "slot");
  const text = (part: readonly Piece[]): string => part.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
  const placement = cursor.findings.placements.get(slots[0]!)!;
  const program = { before: start + text(name.slice(0, at)), after: text(name.slice(at + 1)) };
  cursor.findings.placements.set(slots[0]!, { ...placement, program });
  return undefined;
}

function isNameOfShell({ literal }: Word): boolean {
  return literal !== undefined && SHELLS.has(programName(literal));
}

function refuseReplacing(cursor: Cursor, words: readonly Word[]): void {
  const runsShell = words.some(isNameOfShell);
  if (runsShell && words.some(({ literal }) => literal !== undefined && literal.length > 2 && literal.includes("{}"))) {
    throw unsure(cursor, 'text is put in place of "{}" in a script; hand it over as an argument after the script');
  }
}

function judgeWrapper(cursor: Cursor, name: string, words: readonly Word[]): void {
  const shell = words.findIndex(isNameOfShell);
  const isQuestion = name === "command" && /^-[vV]$/.test(words[0]?.literal ?? "");
  if (isQuestion) return;
  if (shell >= 0) return judgeShell(cursor, words, shell + 1);
  const start = words.findIndex((word, i) => !isBeforeProgram(name, word, words[i - 1]));
  if (start < 0) return;
  const mayBeAssignment = words[start]!.pieces[0]?.kind === "slot";
  if (name === "env" && (mayBeAssignment || words.slice(0, start).some(isMadeOption))) throw leftSide(cursor);
  judgeCommand(descend(cursor, {}), words.slice(start));
}

/** Whether a word of a wrapper is an option, an argument of one, or an assignment, so that the program comes later. */
function isBeforeProgram(wrapper: string, { literal, pieces: [first] }: Word, before: Word | undefined): boolean {
  const start = first?.kind === "text" ? first.text : "";
  if (start.startsWith("-")) return true;
  if (wrapper === "env" && ASSIGNMENT.test(start)) return true;
  if (INNER_WRAPPERS.has(wrapper) || literal === undefined) return false;
  return /^[0-9.]+[smhd]?$/.test(literal) || /^-[A-Za-z]$/.test(before?.literal ?? "");
}

/** An option that a value is a part of: of "env" it may be a whole command. */
function isMadeOption({ literal, uses, pieces: [first] }: Word): boolean {
  return literal === undefined && uses.slots.length > 0 && first?.kind === "text" && first.text.startsWith("-");
}

/** The options a shell is given from a place on, and where they end. */
function readOptions(
  words: readonly Word[],
  from: number,
): { readonly takesScript: boolean; readonly readsInput: boolean; readonly isClosed: boolean; readonly end: number } {
  let takesScript = false;
  let readsInput = false;
  for (let at = from; at < words.length; at++) {
    const option = words[at]!.literal;
    if (option === "--") return { takesScript, readsInput, isClosed: true, end: at + 1 };
    if (option === undefined || !/^[-+]./.test(option)) return { takesScript, readsInput, isClosed: false, end: at };
    takesScript ||= SCRIPT_OPTION.test(option);
    readsInput ||= INPUT_OPTION.test(option);
    if (OPTION_WITH_ARGUMENT.test(option)) at++;
  }
  return { takesScript, readsInput, isClosed: false, end: words.length };
}

/** Judges what follows the name of a shell, from a place on. */
function judgeShell(cursor: Cursor, words: readonly Word[], from: number): void {
  const { takesScript, readsInput, isClosed, end } = readOptions(words, from);
  const script = words[end];
  for (const option of words.slice(from, end)) refuseSlots(cursor, option, "it would be an option of a shell");
  if (takesScript) return judgeScript(cursor, script, "a shell would parse it");
  judgeScriptFile(cursor, readsInput ? undefined : script);
  if (script?.literal !== undefined || isClosed) return;
  const [first] = script!.pieces;
  if (first?.kind === "slot" || (first?.kind === "text" && /^[-+]/.test(first.text))) {
    throw unsafe(cursor, 'it may be an option of a shell; write "--" before it');
  }
  // What a variable holds may be an option too, and then a script follows.
  const rest = words.slice(end + 1);
  if (rest.some(({ literal }) => SCRIPT_OPTION.test(literal ?? "")))
    rest.forEach((word) => refuseSlots(cursor, word, "a shell may parse it"));
}

/** A shell that reads its script from its input may be given values there. */
function judgeScriptFile(cursor: Cursor, script: Word | undefined): void {
  if (script === undefined || script.literal === "-" || script.literal?.startsWith("/dev/")) {
    throw unsure(cursor, "a shell reads its script from its input; give it a script with -c, or a file");
  }
}

function judgeScript(cursor: Cursor, script: Word | undefined, reason: string): void {
  if (script === undefined) return;
  refuseSlots(cursor, script, reason);
  const place = { ...cursor };
  cursor.findings.forbid(script.uses.variables, { fail: () => unsafe(place, `${reason}, as a variable carries it there`) });
}

function judgeEvaluator(cursor: Cursor, name: string, words: readonly Word[]): void {
  for (const word of words) {
    if (PARSERS.has(name)) judgeScript(cursor, word, `${name} would parse it`);
    else refuseSlots(cursor, word, `${name} would evaluate it`);
    if (READERS.has(name) && word.bare !== undefined) cursor.findings.assignments.push({ variable: word.bare, uses: undefined });
  }
  if (name === "alias") throw unsure(cursor, "an alias changes how what follows is read");
}

function judgeDeclarer(cursor: Cursor, name: string, words: readonly Word[]): void {
  const hasOption = (pattern: RegExp): boolean => words.some(({ literal }) => literal !== undefined && pattern.test(literal));
  if (name !== "export" && hasOption(EVALUATING_OPTION)) throw unsure(cursor, "what is assigned to such a variable is evaluated");
  const isList = hasOption(LIST_OPTION);
  for (const word of words) {
    const [first] = word.pieces;
    const isAssignment = first?.kind === "text" && !first.isQuoted && readAssignment(cursor, word);
    if (!isAssignment || isList) refuseSlots(cursor, word, `${name} would evaluate it`);
  }
}

/** `test -v` takes a name, whose index some shells evaluate; between two values, the first may be that operator. */
function judgeTest(cursor: Cursor, words: readonly Word[]): void {
  words.forEach((word, i) => {
    if (word.uses.slots.length === 0) return;
    const before = words[i - 1];
    if (before?.literal === "-v" || before?.literal === "-R") throw unsafe(cursor, "it would be the name of a variable");
    if (before !== undefined && before.uses.slots.length > 0)
      throw unsafe(cursor, 'two values follow each other in "test"; write an operator between them');
  });
}

/** `printf -v` takes a name as well. */
function judgePrint(cursor: Cursor, [format, variable]: readonly Word[]): void {
  const mayBeOption = format?.pieces[0]?.kind === "slot";
  if (mayBeOption || format?.literal === "-v")
    refuseSlots(cursor, variable, "it may be the name of a variable; write a literal format first");
  if (format?.literal === "-v" && variable?.bare !== undefined) {
    cursor.findings.assignments.push({ variable: variable.bare, uses: undefined });
  }
}

function refuseSlots(cursor: Cursor, word: Word | undefined, reason: string): void {
  if (word !== undefined && word.uses.slots.length > 0) throw unsafe(cursor, reason);
}

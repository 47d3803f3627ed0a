import { RE2JS } from "re2js";
import { errorData, WorkflowError } from "../model/errors.ts";

/** Characters of one pattern. */
export const MAX_PATTERN_LENGTH = 1_000;
/** Sum of all counts like `{3,10}` in one pattern; keeps the time to compile it short. */
const MAX_COUNTS = 1_000;
/** Groups of one pattern, captured or not. */
const MAX_GROUPS = 100;
/** Instructions of a compiled pattern: the time of a match is at most this times the length of the text. */
const MAX_INSTRUCTIONS = 1_000;
/** A compiled pattern in RE2 syntax: every pattern matches in time linear in the text. */
export interface Pattern {
  readonly source: string;
  /** Whether the text begins with a match, as `re.match` of Python asks. */
  matchesStart(text: string): boolean;
  /** Whether a match occurs anywhere in the text, as JSON Schema asks. */
  matchesAnywhere(text: string): boolean;
  /** What to warn its author of. */
  readonly warning?: string;
}

/** Compiles a pattern, as `compilePattern` says. */
export function readPattern(source: string): Pattern {
  refuseLarge(source);
  let pattern: RE2JS;
  let anchored: RE2JS;
  try {
    pattern = RE2JS.compile(source);
    // `test` runs on the engine's automaton, many times faster than its `lookingAt`, so the anchor goes into the pattern.
    anchored = RE2JS.compile(`\\A(?:${asInPython(source)})`);
  } catch (cause) {
    const reason = errorData(cause, "PATTERN_INVALID").message.replace("error parsing regexp: ", "");
    throw invalidPattern(source, `${reason}. Patterns are written in RE2 syntax, without look-around and back-references`, cause);
  }
  if (pattern.programSize() > MAX_INSTRUCTIONS) {
    throw invalidPattern(
      source,
      `it needs ${pattern.programSize()} steps when compiled, of ${MAX_INSTRUCTIONS} allowed. Use smaller counts`,
    );
  }
  const warning = warnOfAscii(source);
  return {
    source,
    matchesStart: (text) => anchored.test(text),
    matchesAnywhere: (text) => pattern.test(text),
    ...(warning === undefined ? {} : { warning }),
  };
}

const CLASSES: Readonly<Record<string, string>> = { d: "\\p{Nd}", w: "\\p{L}\\p{N}_", s: "\\s\\x0b\\x1c-\\x1f\\x85\\p{Z}" };

/** Quoted text, an escape, all of a class in brackets, or `$`. */
const PIECE = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]?|\$/g;
const ESCAPE = /\\[^]/g;

/** `\\d`, `\\w` and `\\s` over all of Unicode, and `$` also before a line end at the end, as `re` of Python has them. */
function asInPython(source: string): string {
  const hasFlags = /\(\?[a-zA-Z]*m/.test(source);
  return source.replace(PIECE, (piece) => {
    if (piece === "$") return hasFlags ? piece : "(?:\\n?\\z)";
    if (piece.startsWith("[")) return piece.replace(ESCAPE, (escape) => CLASSES[escape[1]!] ?? escape);
    const letter = piece.length === 2 ? piece[1]! : "";
    const members = CLASSES[letter.toLowerCase()];
    return members === undefined ? piece : `[${letter in CLASSES ? "" : "^"}${members}]`;
  });
}

/**
 * What to warn the author of a pattern of: `\\b` and `\\B`, and `\\W`, `\\D` and `\\S` in brackets, know ASCII characters only, and RE2 has
 * no other way to say them.
 */
function warnOfAscii(source: string): string | undefined {
  const found = [...source.matchAll(PIECE)].flatMap(([piece]) => {
    if (piece.startsWith("[")) return (piece.match(ESCAPE) ?? []).filter((escape) => /[WDS]/.test(escape)).map((escape) => `[${escape}]`);
    return /^\\[bB]$/.test(piece) ? [piece] : [];
  });
  if (found.length === 0) return undefined;
  const names = [...new Set(found)].join(", ");
  return `In this pattern ${names} knows ASCII characters only: a letter such as "ö" is none to it. Where other letters matter, write what is meant, such as [^\\p{L}\\p{N}_].`;
}

/** Measures what makes compiling slow before the engine sees the pattern. Brackets inside classes count too: the bound is rough. */
function refuseLarge(source: string): void {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw invalidPattern(source, `it has ${source.length} characters, of ${MAX_PATTERN_LENGTH} allowed`);
  }
  const groups = source.split("(").length - 1;
  if (groups > MAX_GROUPS) throw invalidPattern(source, `it has ${groups} groups, of ${MAX_GROUPS} allowed`);
  let counts = 0;
  for (const [, least, most] of source.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)) counts += Number(most || least);
  if (counts > MAX_COUNTS) throw invalidPattern(source, `its counts add up to ${counts}, of ${MAX_COUNTS} allowed`);
}

function invalidPattern(source: string, reason: string, cause?: unknown): WorkflowError {
  const shown = source.length > 80 ? `${source.slice(0, 80)}…` : source;
  return new WorkflowError("PATTERN_INVALID", `The pattern ${shown} cannot be used: ${reason}.`, { details: { pattern: shown }, cause });
}

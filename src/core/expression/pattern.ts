import { errorData, WorkflowError } from "../model/errors.ts";

/** Characters of one pattern. */
export const MAX_PATTERN_LENGTH = 1_000;
/** Sum of all counts like `{3,10}` in one pattern; keeps the time to compile it short. */
const MAX_COUNTS = 1_000;
/** Groups of one pattern, captured or not. */
const MAX_GROUPS = 100;
/** Instructions of a compiled pattern: the time of a match is at most this times the length of the text. */
const MAX_INSTRUCTIONS = 1_000;
/** Compiled patterns kept for the next use. */
const MAX_CACHED = 100;

/** A compiled pattern in RE2 syntax: matching takes time linear in the text, whatever the pattern. */
export interface Pattern {
  readonly source: string;
  /** Whether the text begins with a match, as `re.match` of Python asks. */
  matchesStart(text: string): boolean;
  /** Whether a match occurs anywhere in the text, as JSON Schema asks. */
  matchesAnywhere(text: string): boolean;
}

const compiled = new Map<string, Pattern>();

/**
 * Compiles a pattern, loading the engine on the first call. Rejects with `PATTERN_INVALID` for what RE2 does not know (look-around,
 * back-references), for mistakes, and for patterns that would need too much time or memory.
 */
export async function compilePattern(source: string): Promise<Pattern> {
  const known = compiled.get(source);
  if (known) return known;
  refuseLarge(source);
  const { RE2JS } = await import("re2js");
  let pattern: InstanceType<typeof RE2JS>;
  let anchored: InstanceType<typeof RE2JS>;
  try {
    pattern = RE2JS.compile(source);
    // `test` runs on the engine's automaton, many times faster than its `lookingAt`, so the anchor goes into the pattern.
    anchored = RE2JS.compile(`\\A(?:${source})`);
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
  const ready: Pattern = {
    source,
    matchesStart: (text) => anchored.test(text),
    matchesAnywhere: (text) => pattern.test(text),
  };
  if (compiled.size >= MAX_CACHED) compiled.delete(compiled.keys().next().value as string);
  compiled.set(source, ready);
  return ready;
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

/** Compiles patterns, and gives what tells whether one of them occurs in a text. Throws `PATTERN_INVALID`. */
export async function compileMatcher(sources: readonly string[]): Promise<(source: string, text: string) => boolean> {
  const patterns = new Map(await Promise.all(sources.map(async (source) => [source, await compilePattern(source)] as const)));
  return (source, text) => patterns.get(source)!.matchesAnywhere(text);
}

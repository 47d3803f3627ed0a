import type { Pattern } from "./read-pattern.ts";

/** Compiled patterns kept for the next use. */
const MAX_CACHED = 100;

const compiled = new Map<string, Pattern>();

/**
 * Compiles a pattern, loading the engine on the first call. Rejects with `PATTERN_INVALID` for what RE2 does not know (look-around,
 * back-references), for mistakes, and for patterns that would need too much time or memory.
 */
export async function compilePattern(source: string): Promise<Pattern> {
  const known = compiled.get(source);
  if (known) return known;
  const { readPattern } = await import("./read-pattern.ts");
  const pattern = readPattern(source);
  if (compiled.size >= MAX_CACHED) compiled.delete(compiled.keys().next().value as string);
  compiled.set(source, pattern);
  return pattern;
}

/** Compiles patterns, and gives what tells whether one of them occurs in a text. Throws `PATTERN_INVALID`. */
export async function compileMatcher(sources: readonly string[]): Promise<(source: string, text: string) => boolean> {
  const patterns = new Map(await Promise.all(sources.map(async (source) => [source, await compilePattern(source)] as const)));
  return (source, text) => patterns.get(source)!.matchesAnywhere(text);
}

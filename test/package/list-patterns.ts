/** Patterns with alternatives in braces, one by one. */
export function listPatterns(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    const [, before = pattern, alternatives = "", after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
    return alternatives.split(",").map((alternative) => before + alternative + after);
  });
}

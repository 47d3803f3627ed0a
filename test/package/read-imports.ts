import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

/** One import, re-export or dynamic import of a module. */
export interface Import {
  readonly from: string;
  /** As written. */
  readonly specifier: string;
  /** Path relative to the same folder as `from`, where the specifier is relative. */
  readonly target?: string;
  /** Whether it imports types alone. */
  readonly isType: boolean;
  /** Whether it is an `import()`. */
  readonly isDynamic: boolean;
}

// Statements start a line (the formatter sees to that), which keeps examples inside comments out.
const STATIC = /^(?:import|export)\b[^"';(]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, "");
}

/** Lists what a module imports, types included: a type binds two folders as firmly as a value does. */
export function readImports(file: SourceFile): readonly Import[] {
  const text = withoutComments(file.text);
  const find = (pattern: RegExp, isDynamic: boolean): readonly Import[] =>
    [...text.matchAll(pattern)].map((match) => {
      const isType = /^(?:import|export) type\b/.test(match[0]);
      const found = { from: file.path, specifier: match[1] ?? match[2] ?? "", isDynamic, isType };
      if (!found.specifier.startsWith(".")) return found;
      return { ...found, target: posix.join(posix.dirname(file.path), found.specifier) };
    });
  return [...find(STATIC, false), ...find(DYNAMIC, true)];
}

/** The modules that import each other in a circle, directly or not, and those between two circles. */
export function findCircular(imports: readonly Import[]): readonly string[] {
  let left = imports.filter(({ from, target }) => target !== undefined && from !== target);
  for (;;) {
    const importing = new Set(left.map(({ from }) => from));
    const imported = new Set(left.map(({ target }) => target));
    // What imports nothing that is left, or is imported by nothing that is left, is in no circle.
    const next = left.filter(({ from, target }) => importing.has(target!) && imported.has(from));
    if (next.length === left.length) return [...importing].toSorted();
    left = next;
  }
}

import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

/** One import, re-export or dynamic import of a module. */
export interface Import {
  readonly from: string;
  /** As written. */
  readonly specifier: string;
  /** Path relative to `src/` where the specifier is relative. */
  readonly target?: string;
}

// Statements start a line (the formatter sees to that), which keeps examples inside comments out.
const STATIC = /^(?:import|export)\b[^"';]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, "");
}

/** Lists what a module imports, types included: a type binds two folders as firmly as a value does. */
export function readImports(file: SourceFile): readonly Import[] {
  const text = withoutComments(file.text);
  const specifiers = [...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)].map((match) => match[1] ?? match[2] ?? "");
  return specifiers.map((specifier) => {
    if (!specifier.startsWith(".")) return { from: file.path, specifier };
    return { from: file.path, specifier, target: posix.join(posix.dirname(file.path), specifier) };
  });
}

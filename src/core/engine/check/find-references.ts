import { tokenize, type Token } from "../../expression/lexer.ts";
import { parseParts } from "../../expression/parse-template.ts";
import { templateReferences } from "../../expression/references.ts";
import type { Reference } from "../../expression/syntax.ts";
import { createReader } from "../../expression/token-reader.ts";
import { isWorkflowError, type WorkflowError } from "../../model/errors.ts";

/** Mistakes told of one text. Each costs another reading of it. */
const MAX_MISTAKES = 20;

/** What a template refers to, and the mistakes in it, with their columns. */
export interface FoundReferences {
  readonly references: readonly Reference[];
  readonly mistakes: readonly WorkflowError[];
}

/** Finds every reference of a template, also those around a mistake: reading goes on with the next reference behind it. */
export function findReferences(text: string): FoundReferences {
  const references: Reference[] = [];
  const mistakes: WorkflowError[] = [];
  let from: number | undefined = 0;
  while (from !== undefined && mistakes.length < MAX_MISTAKES) {
    const { found, mistake } = readFrom(text, from);
    for (const reference of found) references.push(reference);
    if (mistake === undefined) break;
    mistakes.push(mistake);
    from = nextOpening(text, mistake.place.column ?? text.length);
  }
  return { references, mistakes };
}

/** The references up to the first mistake, and that. */
function readFrom(text: string, from: number): { readonly found: readonly Reference[]; readonly mistake?: WorkflowError } {
  let tokens: readonly Token[] = [];
  try {
    // Blanks in front keep every part of the text at its place.
    tokens = tokenize(" ".repeat(from) + text.slice(from), "template");
    return { found: read(tokens) };
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return { found: read(tokensBefore(tokens, (thrown.place.column ?? 1) - 1)), mistake: thrown };
  }
}

function read(tokens: readonly Token[]): readonly Reference[] {
  return templateReferences(parseParts(createReader(tokens), "end"));
}

/** The tokens in front of the reference that holds a mistake, with all those around it. */
function tokensBefore(tokens: readonly Token[], mistake: number): readonly Token[] {
  let opening = 0;
  let depth = 0;
  for (const [i, { kind, start }] of tokens.entries()) {
    if (start > mistake) break;
    if (kind === "open" && depth++ === 0) opening = i;
    if (kind === "close") depth--;
  }
  return [...tokens.slice(0, opening), { kind: "end", text: "", start: mistake }];
}

function nextOpening(text: string, from: number): number | undefined {
  for (const { 0: opening, index } of text.slice(from).matchAll(/\$?\$\{/g)) if (opening === "${") return from + index;
  return undefined;
}

import { MAX_VALUE_DEPTH } from "../../model/limits.ts";
import { FORBIDDEN_KEYS, isPlain, type Value } from "../../model/value.ts";
import { memberPath } from "../compile-value.ts";
import { type ProblemList, listProblems } from "./problem-list.ts";
import { tokenize, type Token, createReader } from "../../expression/lexer.ts";
import { parseParts } from "../../expression/parse-template.ts";
import { templateReferences } from "../../expression/references.ts";
import type { Reference } from "../../expression/syntax.ts";
import { isWorkflowError, type WorkflowError } from "../../model/errors.ts";
import type { Workflow } from "../../model/workflow.ts";

/**
 * Calls `visit` for each text in a value. Reports `KEY_FORBIDDEN`, what is no plain JSON as `SCHEMA_INVALID`, and nesting over the limit
 * as `LIMIT_EXCEEDED`.
 */
export function walkTexts(
  value: unknown,
  path: string,
  options: { readonly problems: ProblemList; readonly visit: (text: string, path: string) => void },
): void {
  walk(value, path, 0, options);
}

interface Walk {
  readonly problems: ProblemList;
  readonly visit: (text: string, path: string) => void;
}

function walk(value: unknown, path: string, depth: number, at: Walk): void {
  if (at.problems.isFull) return;
  if (typeof value === "string") return at.visit(value, path);
  if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return;
  if (!Array.isArray(value) && !isPlain(value))
    return at.problems.error(
      "SCHEMA_INVALID",
      path,
      `${path} is no plain JSON. Use texts, finite numbers, booleans, null, lists and objects.`,
    );
  if (depth === MAX_VALUE_DEPTH) {
    return at.problems.error("LIMIT_EXCEEDED", path, `A value is nested deeper than ${MAX_VALUE_DEPTH} levels. Flatten it.`);
  }
  if (Array.isArray(value)) return value.forEach((item, i) => walk(item, `${path}[${i}]`, depth + 1, at));
  for (const key of Object.keys(value)) {
    const memberAt = memberPath(path, key);
    if (FORBIDDEN_KEYS.has(key)) at.problems.error("KEY_FORBIDDEN", memberAt, `"${key}" cannot be a key. Rename it.`, { isKey: true });
    else walk((value as { readonly [key: string]: unknown })[key], memberAt, depth + 1, at);
  }
}

/** Mistakes told of one text. Each costs another reading of it. */
const MAX_MISTAKES = 20;

/** What a template refers to, and the mistakes in it, with their columns. */
interface FoundReferences {
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

/** Whether a value as a definition writes it holds a reference, so that it is only known at run time. */
export function holdsReference(value: Value): boolean {
  if (typeof value === "string") return value.includes("${");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsReference);
}

/** Embeddings, overrides and isolates: they make a line read otherwise than it runs. Unicode TR 36, "Bidirectional Text Spoofing". */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;

/** Warns of texts with characters that change the order in which they are shown. */
export function checkControls(workflow: Workflow, problems: ProblemList): void {
  if (!holdsControl(workflow, 0)) return;
  const visit = (text: string, path: string): void => {
    const at = text.search(BIDI_CONTROL);
    if (at === -1) return;
    const point = text.charCodeAt(at).toString(16).toUpperCase();
    problems.warn("TEXT_MISLEADING", path, `A control character (U+${point}) makes this text look different from what it is. Remove it.`, {
      column: at + 1,
    });
  };
  // What else is wrong with these values has been reported by those who read them.
  const ignored = listProblems();
  for (const [key, section] of Object.entries(workflow)) walkTexts(section, memberPath("", key), { problems: ignored, visit });
}

/** Whether there is anything to find: the walk that remembers paths is then left out. */
function holdsControl(value: unknown, depth: number): boolean {
  if (typeof value === "string") return BIDI_CONTROL.test(value);
  if (typeof value !== "object" || value === null || depth > MAX_VALUE_DEPTH) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some((member) => holdsControl(member, depth + 1));
}

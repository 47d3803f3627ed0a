import { type Names, normalizeReference } from "../../expression/normalize-reference.ts";
import { parseCondition } from "../../expression/parse-condition.ts";
import { isFormCondition, parseLeniently } from "../../expression/parse-template.ts";
import { conditionReferences, mapCondition, templateReferences } from "../../expression/references.ts";
import { isReference } from "../../expression/scope.ts";
import type { Condition, Reference, Template } from "../../expression/syntax.ts";
import { groupBy } from "../../model/group-by.ts";
import { MAX_VALUE_DEPTH } from "../../model/limits.ts";
import { FORBIDDEN_KEYS, isPlain, isRecord, type Value } from "../../model/value.ts";
import type { Workflow } from "../../model/workflow.ts";
import { memberPath } from "../compile-value.ts";
import type { ProblemList } from "./problem-list.ts";

/** A text in which a definition may refer to something, read once for all rules. */
export interface WrittenText {
  readonly text: string;
  readonly path: string;
  /** The number of the block it belongs to; nothing for the label, the search and the outputs of the workflow. */
  readonly block?: number;
  readonly section: "forEach" | "condition" | "next" | "inputs" | "outputs" | "writes" | "repeatWhile" | "label" | "search";
  /** The way to it inside its section: for a text among the inputs, the name of the input first. */
  readonly keys: readonly (string | number)[];
  /** What it refers to, nested references too. Those that lead nowhere have been reported and are left out. */
  readonly references: readonly WrittenReference[];
  /** A text that is no condition, where it could be parsed. */
  readonly template?: Template;
  /** A condition with canonical references, where all of them lead somewhere. */
  readonly condition?: Condition;
}

export interface WrittenReference {
  /** As it was written. */
  readonly written: Reference;
  /** Its canonical path. */
  readonly path: Reference["path"];
  readonly column: number;
  /** Whether it gives a key to another reference. */
  readonly isNested: boolean;
}

/**
 * Reads every text of a definition that may refer to something. Reports what cannot be parsed, references that lead nowhere, and what is no
 * plain JSON around the texts.
 */
export function readTexts(workflow: Workflow, names: Names, problems: ProblemList): readonly WrittenText[] {
  const texts: WrittenText[] = [];
  const failures = failuresBy(workflow);
  for (const [block, definition] of workflow.blocks.entries()) {
    const { id, forEach, condition, next = [], inputs = {}, outputs = {}, writes, repeatWhile } = definition;
    const outer = failures.has(id) ? { ...names, failures: failures.get(id)! } : names;
    const inner = forEach === undefined ? outer : { ...outer, each: true };
    const path = `blocks[${block}]`;
    const readAt = (text: unknown, at: string, section: ConditionReading["section"], known = outer): void => {
      if (typeof text === "string") texts.push(readCondition(text, { path: `${path}.${at}`, block, section, names: known, problems }));
    };
    if (forEach !== undefined) read(forEach, `${path}.forEach`, { block, section: "forEach" }, outer);
    readAt(condition, "condition", "condition");
    next.forEach((entry, i) => typeof entry === "object" && readAt(entry.when, `next[${i}].when`, "next"));
    read(inputs, `${path}.inputs`, { block, section: "inputs" }, inner);
    for (const [name, { path: file }] of Object.entries(outputs)) {
      read(file, `${memberPath(`${path}.outputs`, name)}.path`, { block, section: "outputs" }, inner);
    }
    if (writes !== undefined) read(writes, `${path}.writes`, { block, section: "writes" }, inner);
    readAt(repeatWhile, "repeatWhile", "repeatWhile", inner);
  }
  if (workflow.label !== undefined) read(workflow.label, "label", { section: "label" }, names);
  for (const [name, text] of Object.entries(workflow.search ?? {})) read(text, memberPath("search", name), { section: "search" }, names);
  for (const [name, output] of Object.entries(workflow.outputs ?? {})) {
    const path = memberPath("outputs", name);
    const isShort = typeof output === "string";
    read(isShort ? output : output.value, isShort ? path : `${path}.value`, { section: "outputs" }, names);
  }
  return texts;

  function read(value: Value, path: string, place: Pick<WrittenText, "block" | "section">, known: Names): void {
    walkTexts(value, path, {
      problems,
      visit: (text, at, keys) =>
        // A condition of a form is its block's to read.
        isFormCondition(keys.at(-1), text) ||
        texts.push({ text, path: at, keys, ...place, ...readTemplate(text, { path: at, names: known, problems }) }),
    });
  }
}

interface Reading {
  readonly path: string;
  readonly names: Names;
  readonly problems: ProblemList;
}

function readTemplate(text: string, at: Reading): Pick<WrittenText, "references" | "template"> {
  if (!text.includes("${")) return { references: [], template: { parts: [text] } };
  const { template, mistakes } = parseLeniently(text);
  for (const mistake of mistakes) at.problems.caught(mistake, at.path);
  const references = resolve(templateReferences(template), at);
  return mistakes.length > 0 ? { references } : { references, template };
}

/** By the id of a block: the blocks whose failure it follows. */
function failuresBy({ blocks }: Workflow): ReadonlyMap<string, readonly string[]> {
  const failing = blocks.flatMap(({ id, onFailure }) => (onFailure === undefined ? [] : [{ id, onFailure }]));
  return new Map([...groupBy(failing, ({ onFailure }) => onFailure)].map(([handler, of]) => [handler, of.map(({ id }) => id)]));
}

interface ConditionReading extends Reading {
  readonly block: number;
  readonly section: "condition" | "next" | "repeatWhile";
}

function readCondition(text: string, { block, section, ...at }: ConditionReading): WrittenText {
  const place = { text, path: at.path, block, section, keys: [] };
  let condition: Condition;
  try {
    condition = parseCondition(text);
  } catch (thrown) {
    at.problems.caught(thrown, at.path);
    return { ...place, references: [] };
  }
  const written = conditionReferences(condition);
  const references = resolve(written, at);
  if (references.length < written.length) return { ...place, references };
  return { ...place, references, condition: mapCondition(condition, (reference) => normalizeReference(reference, at.names)) };
}

/** The references by their canonical paths. Each mistake is reported once, although a nested reference comes again in the one that holds it. */
function resolve(references: readonly Reference[], { path, names, problems }: Reading): readonly WrittenReference[] {
  const nested = new Set(references.flatMap((reference) => reference.path.filter(isReference)));
  const failed = new Set<Reference>();
  const found: WrittenReference[] = [];
  // Nested ones come behind the one that holds them.
  for (const written of references.toReversed()) {
    if (problems.isFull) break;
    try {
      if (written.path.some((part) => isReference(part) && failed.has(part))) failed.add(written);
      else found.push({ ...normalizeReference(written, names), written, isNested: nested.has(written) });
    } catch (thrown) {
      failed.add(written);
      problems.caught(thrown, path);
    }
  }
  return found.toReversed();
}

/** The reference that is all of a text. */
export function wholeReference({ template, references }: WrittenText): WrittenReference | undefined {
  return template?.parts.length === 1 ? references.find(({ written }) => written === template.parts[0]) : undefined;
}

/** Told of a text in a value, its path, and the keys that lead to it. */
type Visit = (text: string, path: string, keys: readonly (string | number)[]) => void;

/**
 * Calls `visit` for each text in a value. Reports `KEY_FORBIDDEN`, what is no plain JSON as `SCHEMA_INVALID`, and nesting over the limit
 * as `LIMIT_EXCEEDED`.
 */
export function walkTexts(value: unknown, path: string, options: { readonly problems: ProblemList; readonly visit: Visit }): void {
  walk(value, path, [], options);
}

function walk(
  value: unknown,
  path: string,
  keys: readonly (string | number)[],
  at: { readonly problems: ProblemList; readonly visit: Visit },
): void {
  const { problems } = at;
  if (problems.isFull) return;
  if (typeof value === "string") return at.visit(value, path, keys);
  if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return;
  if (!Array.isArray(value) && !isPlain(value)) {
    const message = `${path} is no plain JSON. Use texts, finite numbers, booleans, null, lists and objects.`;
    return problems.error("SCHEMA_INVALID", path, message);
  }
  if (keys.length === MAX_VALUE_DEPTH) {
    return problems.error("LIMIT_EXCEEDED", path, `A value is nested deeper than ${MAX_VALUE_DEPTH} levels. Flatten it.`);
  }
  if (Array.isArray(value)) return value.forEach((item, i) => walk(item, `${path}[${i}]`, [...keys, i], at));
  for (const [key, member] of Object.entries(value)) {
    const memberAt = memberPath(path, key);
    if (FORBIDDEN_KEYS.has(key)) problems.error("KEY_FORBIDDEN", memberAt, `"${key}" cannot be a key. Rename it.`, { isKey: true });
    else walk(member, memberAt, [...keys, key], at);
  }
}

/** Where a reference begins; `$${` is a text. */
const REFERENCE = /(?<!\$)\$\{/;

/** A value without references as a block gets it. */
export function literalOf(value: Value, key?: string): Value {
  if (typeof value === "string") return isFormCondition(key, value) ? value : value.replaceAll("$${", () => "${");
  if (Array.isArray(value)) return value.map((item: Value) => literalOf(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literalOf(member as Value, name)]));
}

/** Whether a value as a definition writes it holds a reference, so that it is only known at run time. */
export function holdsReference(value: Value, key?: string): boolean {
  if (typeof value === "string") return REFERENCE.test(value) && !isFormCondition(key, value);
  if (Array.isArray(value)) return value.some((item: Value) => holdsReference(item));
  return isRecord(value) && Object.entries(value).some(([name, member]) => holdsReference(member as Value, name));
}

import { EXPRESSION_IN_BRACES } from "../../expression/lexer.ts";
import { type Names, BLOCK_METADATA, ITEM_METADATA, normalizeReference } from "../../expression/normalize-reference.ts";
import { parseCondition } from "../../expression/parse-condition.ts";
import { conditionReferences } from "../../expression/references.ts";
import type { Condition, Reference } from "../../expression/syntax.ts";
import { formatPath } from "../../expression/walk-path.ts";
import { isWorkflowError } from "../../model/errors.ts";
import { adviseName } from "../../model/suggestions.ts";
import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import { memberPath } from "../compile-value.ts";
import { findUnrelated, type CheckedGraph } from "./check-graph.ts";
import { checkOutcomes, type DeclaredOutputs } from "./check-outcomes.ts";
import { findReferences, walkTexts } from "./walk-texts.ts";
import type { ProblemList } from "./problem-list.ts";

/** Told of each block that a text names, with the place of the reference. */
type SeeBlock = (id: string, path: string, column: number) => void;

/**
 * Parses every template and condition, and reports what they refer to wrongly: unknown names, blocks that have not finished by then, and,
 * as warnings, older spellings, blocks that are no dependency and outputs that a block type does not declare.
 */
export function checkTexts(
  workflow: Workflow,
  options: {
    readonly graph: CheckedGraph;
    readonly names: Names;
    readonly blockTypes: ReadonlyMap<string, BlockType> | undefined;
    readonly outputsOf: DeclaredOutputs;
    readonly problems: ProblemList;
  },
): void {
  const { names, blockTypes, outputsOf, problems } = options;
  const { plan, tangled } = options.graph;
  const unrelated = plan === undefined ? undefined : findUnrelated(plan);
  const idsOf = (blocks: readonly Block[]): ReadonlySet<string> => new Set(blocks.map(({ id }) => id));
  const repeated = idsOf(workflow.blocks.filter(({ forEach }) => forEach !== undefined));
  const lenient = idsOf(workflow.blocks.filter(({ continueOnError }) => continueOnError === true));
  workflow.blocks.forEach((block, i) => {
    const earlier = new Map<number, { readonly path: string; readonly column: number }>();
    const seeBlock: SeeBlock = (id, path, column) => {
      if (plan === undefined) return;
      const target = plan.index.get(id)!;
      if (plan.waveOf[target]! < plan.waveOf[i]!) earlier.set(target, { path, column });
      else if (!tangled.has(id) && !tangled.has(block.id)) problems.error("REFERENCE_TOO_EARLY", path, tooEarly(block.id, id), { column });
    };
    const outside: TextCheck = { names, outputsOf, repeated, lenient, problems, seeBlock };
    const inside = block.forEach === undefined ? outside : { ...outside, names: { ...names, each: true } };
    const type = blockTypes?.get(block.type);
    const templates = new Set(type?.templateInputs?.map((name) => memberPath(`blocks[${i}].inputs`, name)));
    const visitWith = (check: TextCheck) => (text: string, path: string) => {
      // Which inputs a type that is not known fills in is not known either.
      if (type && !templates.has(path)) warnOfMisreading(text, path, problems);
      checkTemplate(text, path, check);
    };
    if (block.forEach !== undefined) walkTexts(block.forEach, `blocks[${i}].forEach`, { problems, visit: visitWith(outside) });
    if (typeof block.condition === "string") checkCondition(block.condition, `blocks[${i}].condition`, outside);
    walkTexts(block.inputs ?? {}, `blocks[${i}].inputs`, { problems, visit: visitWith(inside) });
    for (const [name, { path }] of Object.entries(block.outputs ?? {})) {
      visitWith(inside)(path, `${memberPath(`blocks[${i}].outputs`, name)}.path`);
    }
    for (const target of unrelated?.(i, [...earlier.keys()]) ?? []) {
      const { path, column } = earlier.get(target)!;
      const id = plan!.ids[target]!;
      problems.warn(
        "REFERENCE_NO_DEPENDENCY",
        path,
        `Block "${block.id}" reads "${id}" without depending on it. Add "${id}" to its dependencies.`,
        { column },
      );
    }
  });
  const visit = (text: string, at: string): void => {
    warnOfMisreading(text, at, problems);
    checkTemplate(text, at, { names, outputsOf, repeated, lenient, problems, seeBlock: () => undefined });
  };
  if (workflow.label !== undefined) {
    const isPrivate = idsOf(workflow.blocks.filter(({ inputs }) => (inputs?.["sensitive"] ?? false) !== false));
    const seeBlock: SeeBlock = (id, path, column) => {
      if (!isPrivate.has(id)) return;
      const message = `Lists would show the private answer of "${id}" to everyone. Leave it out of the label.`;
      problems.error("SECRET_MISPLACED", path, message, { column });
    };
    checkTemplate(workflow.label, "label", { names, outputsOf, repeated, lenient, problems, seeBlock });
    warnOfMisreading(workflow.label, "label", problems);
  }
  for (const [name, output] of Object.entries(workflow.outputs ?? {})) {
    const path = memberPath("outputs", name);
    if (typeof output === "string") visit(output, path);
    else walkTexts(output.value, `${path}.value`, { problems, visit });
  }
}

interface TextCheck {
  readonly names: Names;
  readonly outputsOf: DeclaredOutputs;
  /** Blocks with `for_each`. */
  readonly repeated: ReadonlySet<string>;
  /** Blocks with `continue_on_error`. */
  readonly lenient: ReadonlySet<string>;
  readonly problems: ProblemList;
  readonly seeBlock: SeeBlock;
}

function checkTemplate(text: string, path: string, check: TextCheck): void {
  if (!text.includes("${")) return;
  warnOfExpression(text, path, check.problems);
  const { references, mistakes } = findReferences(text);
  for (const mistake of mistakes) check.problems.caught(mistake, path);
  checkReferences(references, path, check);
}

/** What would be a condition, or a template, elsewhere: here it is text, and a text that is not empty counts as true. */
function warnOfMisreading(text: string, path: string, problems: ProblemList): void {
  const opening = text.indexOf("{{");
  if (opening >= 0) {
    const message = 'Nothing is filled in here: "{{" is text outside of the template of a block that renders one. Write ${…} for a value.';
    problems.warn("TEXT_MISLEADING", path, message, { column: opening + 1 });
  } else if (text.includes("${") && wouldBeCondition(text)) {
    const message = "This is a text and not a condition: nothing is compared here. Let a block with a condition decide, and refer to it.";
    problems.warn("TEXT_MISLEADING", path, message, { column: 1 });
  }
}

const OPERATOR = /[=<>]|\b(?:and|or|not|in)\b/;

/** Whether a text would be a condition that looks at a value, if it stood where one is wanted. */
function wouldBeCondition(text: string): boolean {
  if (!OPERATOR.test(text)) return false;
  try {
    const condition = parseCondition(text);
    return ["comparison", "and", "or", "not"].includes(condition.kind) && conditionReferences(condition).length > 0;
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return false;
  }
}

/** What looks as if it were computed, and is not. */
function warnOfExpression(text: string, path: string, problems: ProblemList): void {
  const at = text.indexOf(EXPRESSION_IN_BRACES);
  if (at < 0 || text[at - 1] === "$") return;
  const message = "Nothing is computed here: the expression becomes text. Let a block with a condition decide, and refer to it.";
  problems.warn("TEXT_MISLEADING", path, message, { column: at + 1 });
}

function checkCondition(text: string, path: string, check: TextCheck): void {
  let condition: Condition;
  try {
    condition = parseCondition(text);
  } catch (thrown) {
    return check.problems.caught(thrown, path);
  }
  const { names, outputsOf, lenient, problems } = check;
  const areKnown = checkReferences(conditionReferences(condition), path, check);
  if (!areKnown) return;
  const normalize = (reference: Reference): Reference => normalizeReference(reference, names);
  checkOutcomes(condition, { normalize, outputsOf, goesOn: (block) => lenient.has(block), path, problems });
}

/** Gives whether all of them lead somewhere. */
function checkReferences(references: readonly Reference[], path: string, check: TextCheck): boolean {
  // A nested reference comes again with the one that holds it; what is wrong with it is said once.
  const failed = new Set<number>();
  for (const reference of references.toReversed()) {
    if (check.problems.isFull) return false;
    try {
      checkReference(reference, path, check);
    } catch (thrown) {
      const column = columnOf(thrown);
      if (!failed.has(column)) check.problems.caught(thrown, path);
      failed.add(column);
    }
  }
  return failed.size === 0;
}

function checkReference(reference: Reference, path: string, { names, outputsOf, repeated, problems, seeBlock }: TextCheck): void {
  const canonical = normalizeReference(reference, names);
  const [root, block, part, field] = canonical.path;
  const { column } = reference;
  if (reference.path[0] !== root) {
    const better = formatPath(canonical.path.map((part) => (typeof part === "object" ? "…" : part)));
    problems.warn("REFERENCE_DEPRECATED", path, `An older spelling of a reference. Write \${${better}}.`, { column });
  }
  if (root !== "blocks" || typeof block !== "string") return;
  if (part === "metadata" && ITEM_METADATA.includes(String(field)) && !repeated.has(block)) {
    const message = `Block "${block}" has no for_each, so it has no "${String(field)}" of items.`;
    problems.error("REFERENCE_UNKNOWN", path, message, { column });
  }
  if (part === "inputs" && repeated.has(block)) {
    const message = `Block "${block}" has other inputs for each item. Refer to its outputs: \${blocks.${block}.outputs.results}.`;
    problems.error("REFERENCE_UNKNOWN", path, message, { column });
  }
  const declared = part === "outputs" && typeof field === "string" ? outputsOf(block) : undefined;
  // How a block ended answers among its outputs too.
  if (declared && !declared.names.has(String(field)) && !BLOCK_METADATA.includes(String(field))) {
    const { sentence, details } = adviseName(String(field), declared.names);
    problems.warn("REFERENCE_UNKNOWN", path, `${declared.type} "${block}" declares no output "${String(field)}".${sentence}`, {
      column,
      ...details,
    });
  }
  seeBlock(block, path, column);
}

function columnOf(thrown: unknown): number {
  return (thrown as { readonly place?: { readonly column?: number } }).place?.column ?? 0;
}

function tooEarly(block: string, target: string): string {
  if (block === target) return `Block "${block}" refers to itself. It has no outputs before it has run.`;
  return `Block "${block}" refers to "${target}", which need not have finished by then. Add "${target}" to its dependencies.`;
}

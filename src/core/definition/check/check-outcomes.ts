import type { Comparator, Condition, Reference } from "../../expression/syntax.ts";
import type { Value } from "../../model/value.ts";
import { showValue } from "../../model/value-type.ts";
import type { ProblemList } from "./problem-list.ts";
import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";

/** What a field that tells how a block ended can be. */
interface Field {
  readonly type: "string" | "boolean" | "number";
  /** Its possible values, as a message lists them. */
  readonly possible: string;
  can(value: Value): boolean;
}

const isBoolean: Field = { type: "boolean", possible: "true or false", can: (value) => typeof value === "boolean" };

function isText(...texts: readonly string[]): Field {
  return { type: "string", possible: texts.map((text) => `"${text}"`).join(", "), can: (value) => texts.includes(value as string) };
}

/** What conditions see of a block that has settled. Those beside `execution_order` answer without `metadata` too. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ["status", isText("completed", "failed", "skipped", "paused")],
  ["outcome", isText("success", "failure", "n/a")],
  ...["succeeded", "failed", "skipped", "paused"].map((name): [string, Field] => [name, isBoolean]),
  [
    "execution_order",
    { type: "number", possible: "a whole number from 0 on", can: (value) => Number.isSafeInteger(value) && (value as number) >= 0 },
  ],
]);

/** The values that say of a block that it failed. */
const FAILURES: ReadonlyMap<string, Value> = new Map([
  ["status", "failed"],
  ["outcome", "failure"],
]);

interface OutcomeCheck {
  /** Canonical; throws for one that is reported elsewhere. */
  readonly normalize: (reference: Reference) => Reference;
  readonly outputsOf: DeclaredOutputs;
  /** Whether the run goes on where this block fails. */
  readonly goesOn: (block: string) => boolean;
  readonly path: string;
  readonly problems: ProblemList;
}

/**
 * Reports comparisons of how a block ended with a literal that this can never be, and, as warnings, what asks whether a block failed although
 * that ends the run.
 */
export function checkOutcomes(node: Condition, check: OutcomeCheck): void {
  switch (node.kind) {
    case "reference":
      if (fieldOf(node, check)?.name === "failed") warnOfFailure(node.reference, check);
      break;
    case "list":
      for (const item of node.items) checkOutcomes(item, check);
      break;
    case "not":
      checkOutcomes(node.operand, check);
      break;
    case "and":
    case "or":
      for (const operand of node.operands) checkOutcomes(operand, check);
      break;
    case "comparison":
      for (const operand of node.operands) checkOutcomes(operand, check);
      node.comparators.forEach(({ comparator }, i) => checkPair(node.operands[i]!, comparator, node.operands[i + 1]!, check));
  }
}

function checkPair(left: Condition, comparator: Comparator, right: Condition, check: OutcomeCheck): void {
  if (comparator === "in" || comparator === "not in") {
    if (right.kind === "list") for (const item of right.items) checkLiteral(left, "==", item, check);
    return;
  }
  checkLiteral(left, comparator, right, check);
  checkLiteral(right, comparator, left, check);
}

function checkLiteral(asked: Condition, comparator: Comparator, literal: Condition, check: OutcomeCheck): void {
  if (literal.kind !== "literal" || asked.kind !== "reference") return;
  const field = fieldOf(asked, check);
  if (field === undefined) return;
  const { value } = literal;
  const isOrder = comparator !== "==" && comparator !== "!=";
  if (isOrder ? typeof value !== field.type : !field.can(value)) {
    const message = `The ${field.name} of block "${field.block}" is never ${showValue(value)}. It is one of: ${field.possible}.`;
    check.problems.error("CONDITION_IMPOSSIBLE", check.path, message, { column: asked.reference.column });
  } else if (!isOrder && FAILURES.get(field.name) === value) {
    warnOfFailure(asked.reference, check);
  }
}

function warnOfFailure(reference: Reference, { normalize, goesOn, path, problems }: OutcomeCheck): void {
  const block = String(normalize(reference).path[1]);
  if (goesOn(block)) return;
  const message = `The run ends where block "${block}" fails, so this never finds that it did. Give the block continue_on_error: true.`;
  problems.warn("CONDITION_IMPOSSIBLE", path, message, { column: reference.column });
}

/** The field that a reference asks for, where that is how a block ended and not an output of the block. */
function fieldOf(
  { reference }: Condition & { readonly kind: "reference" },
  { normalize, outputsOf }: OutcomeCheck,
): (Field & { readonly name: string; readonly block: string }) | undefined {
  const { path } = normalize(reference);
  const [root, block, part] = path;
  const name = path.at(-1);
  const field = typeof name === "string" ? FIELDS.get(name) : undefined;
  if (root !== "blocks" || typeof block !== "string" || field === undefined) return undefined;
  const found = { ...field, name: name as string, block };
  if (part === "metadata") return path.length === 4 ? found : undefined;
  const isShort = part === "outputs" ? path.length === 4 && field.type === "boolean" : path.length === 3;
  // An output of that name comes first; where it is not known which there are, it may be one.
  return isShort && outputsOf(block)?.names.has(found.name) === false ? found : undefined;
}

/** The outputs that a block gives, by its id; nothing where they cannot be known before it runs. */
export type DeclaredOutputs = (block: string) => { readonly type: string; readonly names: ReadonlySet<string> } | undefined;

/**
 * What block types declare in a JSON Schema that requires some outputs, with those that blocks leave in files. A type that requires none, such as one
 * that gives the outputs of another workflow, may give any; with `for_each` there are results instead.
 */
export function declaredOutputs(workflow: Workflow, blockTypes: ReadonlyMap<string, BlockType> | undefined): DeclaredOutputs {
  const blocks = new Map(workflow.blocks.map((block) => [block.id, block]));
  return (id) => {
    const block = blocks.get(id);
    const outputs = block && blockTypes?.get(block.type)?.outputs;
    if (!outputs || block.forEach !== undefined || !("jsonSchema" in outputs)) return undefined;
    const { properties, required, additionalProperties = false } = outputs.jsonSchema;
    if (!properties || !required?.length || additionalProperties !== false) return undefined;
    return { type: block.type, names: new Set([...Object.keys(properties), ...Object.keys(block.outputs ?? {})]) };
  };
}

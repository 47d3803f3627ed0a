import type { Comparator, Condition } from "../../expression/syntax.ts";
import type { Value } from "../../model/value.ts";
import { showValue } from "../../model/value-type.ts";
import { type Checked, declaredOutputs, type DeclaredOutputs } from "./rule.ts";

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

/** A place of a condition that asks how a block ended; with the value that it is compared with, where it is. */
export interface OutcomeUse extends Field {
  readonly name: string;
  readonly block: string;
  readonly column: number;
  readonly compared?: { readonly value: Value; readonly comparator: Comparator };
}

/** Reports comparisons of how a block ended with a literal that this can never be. */
export function checkOutcomes(checked: Checked): void {
  const outputsOf = declaredOutputs(checked);
  for (const { path, condition } of checked.texts) {
    for (const { name, block, column, compared, type, possible, can } of condition ? findOutcomes(condition, outputsOf) : []) {
      if (compared === undefined || (isOrder(compared.comparator) ? typeof compared.value === type : can(compared.value))) continue;
      const message = `The ${name} of block "${block}" is never ${showValue(compared.value)}. It is one of: ${possible}.`;
      checked.problems.error("CONDITION_IMPOSSIBLE", path, message, { column });
    }
  }
}

export function isOrder(comparator: Comparator): boolean {
  return comparator !== "==" && comparator !== "!=";
}

/** Where a canonical condition asks how a block ended: each reference by itself, and again for each literal that it is compared with. */
export function findOutcomes(node: Condition, outputsOf: DeclaredOutputs): readonly OutcomeUse[] {
  switch (node.kind) {
    case "reference":
      return [...asOutcome(node, outputsOf)];
    case "list":
      return node.items.flatMap((item) => findOutcomes(item, outputsOf));
    case "not":
      return findOutcomes(node.operand, outputsOf);
    case "and":
    case "or":
      return node.operands.flatMap((operand) => findOutcomes(operand, outputsOf));
    case "comparison":
      return [
        ...node.operands.flatMap((operand) => findOutcomes(operand, outputsOf)),
        ...node.comparators.flatMap(({ comparator }, i) => comparePair(node.operands[i]!, comparator, node.operands[i + 1]!, outputsOf)),
      ];
    default:
      return [];
  }
}

function comparePair(left: Condition, comparator: Comparator, right: Condition, outputsOf: DeclaredOutputs): readonly OutcomeUse[] {
  const compare = (asked: Condition, how: Comparator, literal: Condition): readonly OutcomeUse[] =>
    literal.kind === "literal"
      ? asOutcome(asked, outputsOf).map((use) => ({ ...use, compared: { value: literal.value, comparator: how } }))
      : [];
  if (comparator !== "in" && comparator !== "not in") return [...compare(left, comparator, right), ...compare(right, comparator, left)];
  return right.kind === "list" ? right.items.flatMap((item) => compare(left, "==", item)) : [];
}

/** One or none. The field that a reference asks for, where that is how a block ended and not an output of the block. */
function asOutcome(node: Condition, outputsOf: DeclaredOutputs): readonly OutcomeUse[] {
  if (node.kind !== "reference") return [];
  const { path, column } = node.reference;
  const [root, block, part] = path;
  const name = path.at(-1);
  const field = typeof name === "string" ? FIELDS.get(name) : undefined;
  if (root !== "blocks" || typeof block !== "string" || field === undefined) return [];
  const found = [{ ...field, name: name as string, block, column }];
  if (part === "metadata") return path.length === 4 ? found : [];
  const isShort = part === "outputs" ? path.length === 4 && field.type === "boolean" : path.length === 3;
  // An output of that name comes first; where it is not known which there are, it may be one.
  return isShort && outputsOf(block)?.names.has(name as string) === false ? found : [];
}

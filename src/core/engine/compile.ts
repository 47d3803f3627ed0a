import type { Block, ValueType, Workflow } from "../model/workflow.ts";
import type { Names } from "../expression/normalize.ts";
import { normalizeReference } from "../expression/normalize.ts";
import { parseCondition } from "../expression/parse-condition.ts";
import { conditionReferences, mapCondition } from "../expression/references.ts";
import type { Condition, Reference } from "../expression/syntax.ts";
import type { CompiledValue } from "./compile-value.ts";
import { atPath, compileValue, memberPath, visitReferences } from "./compile-value.ts";
import type { Plan } from "./plan.ts";
import { planWaves } from "./plan.ts";

export type { CompiledValue } from "./compile-value.ts";
export { compileValue, resolveValue } from "./compile-value.ts";

/** A workflow ready to run. Blocks are compiled when they are first asked for. */
export interface CompiledWorkflow {
  readonly workflow: Workflow;
  readonly plan: Plan;
  readonly names: Names;
  /** The block with this number in the plan. */
  block(index: number): CompiledBlock;
  outputs(): readonly CompiledOutput[];
}

export interface CompiledBlock {
  /** Resolves to the block's inputs, an object. */
  readonly inputs: CompiledValue;
  readonly condition?: Condition;
  /** Numbers of the blocks that inputs and condition refer to; all, where a reference names its block only when it is resolved. */
  readonly referencedBlocks: readonly number[] | "all";
}

export interface CompiledOutput {
  readonly name: string;
  readonly value: CompiledValue;
  readonly type?: ValueType;
}

const compiled = new WeakMap<Workflow, CompiledWorkflow>();

/**
 * Plans a workflow and compiles its templates and conditions, once for each workflow object. Throws what {@link planWaves} throws; asking
 * for a block or the outputs throws what their templates and conditions throw.
 */
export function compileWorkflow(workflow: Workflow): CompiledWorkflow {
  const known = compiled.get(workflow);
  if (known !== undefined) return known;
  const made = compile(workflow);
  compiled.set(workflow, made);
  return made;
}

function compile(workflow: Workflow): CompiledWorkflow {
  const plan = planWaves(workflow.blocks);
  const names: Names = { inputs: new Map(Object.entries(workflow.inputs ?? {})), blocks: plan.index };
  const blocks: (CompiledBlock | undefined)[] = [];
  let outputs: readonly CompiledOutput[] | undefined;
  return {
    workflow,
    plan,
    names,
    block: (index) => (blocks[index] ??= compileBlock(workflow.blocks[index]!, { index, names, plan })),
    outputs: () => (outputs ??= compileOutputs(workflow, names)),
  };
}

function compileBlock(block: Block, at: { readonly index: number; readonly names: Names; readonly plan: Plan }): CompiledBlock {
  const path = `blocks[${at.index}]`;
  const inputs = inPlace(`${path}.inputs`, () => compileValue(block.inputs ?? {}, at.names));
  const condition =
    block.condition === undefined ? undefined : inPlace(`${path}.condition`, () => compileCondition(block.condition!, at.names));
  const referencedBlocks = findBlocks(inputs, condition, at.plan);
  return condition === undefined ? { inputs, referencedBlocks } : { inputs, condition, referencedBlocks };
}

/** Compiles a condition; its references are canonical afterwards. Throws what {@link parseCondition} and {@link normalizeReference} throw. */
function compileCondition(condition: string | boolean, names: Names): Condition {
  if (typeof condition === "boolean") return { kind: "literal", value: condition };
  return mapCondition(parseCondition(condition), (reference) => normalizeReference(reference, names));
}

function compileOutputs(workflow: Workflow, names: Names): readonly CompiledOutput[] {
  return Object.entries(workflow.outputs ?? {}).map(([name, declared]) => {
    const path = memberPath("outputs", name);
    if (typeof declared === "string") return { name, value: inPlace(path, () => compileValue(declared, names)) };
    const value = inPlace(`${path}.value`, () => compileValue(declared.value, names));
    return declared.type === undefined ? { name, value } : { name, value, type: declared.type };
  });
}

function findBlocks(inputs: CompiledValue, condition: Condition | undefined, plan: Plan): readonly number[] | "all" {
  const found = new Set<number>();
  let isOpen = false;
  const visit = (reference: Reference): void => {
    const [root, block] = reference.path;
    if (root !== "blocks") return;
    if (typeof block === "string") found.add(plan.index.get(block)!);
    else isOpen = true;
  };
  visitReferences(inputs, visit);
  if (condition !== undefined) for (const reference of conditionReferences(condition)) visit(reference);
  return isOpen ? "all" : [...found];
}

function inPlace<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw atPath(thrown, path);
  }
}

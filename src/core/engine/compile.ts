import { evaluateCondition } from "../expression/evaluate.ts";
import type { Names } from "../expression/normalize.ts";
import { normalizeReference } from "../expression/normalize.ts";
import { parseCondition } from "../expression/parse-condition.ts";
import { mapCondition } from "../expression/references.ts";
import type { Scope } from "../expression/scope.ts";
import type { Condition } from "../expression/syntax.ts";
import type { Entry } from "../model/journal.ts";
import type { Value, Values } from "../model/value.ts";
import type { Block, ValueType, Workflow } from "../model/workflow.ts";
import type { TextPart } from "../ports/block.ts";
import type { CompiledValue } from "./compile-value.ts";
import { atPath, compileValue, memberPath, resolveParts, resolveValue } from "./compile-value.ts";
import { lookUp } from "./context.ts";
import { noteEnd } from "./effects/fold-began.ts";
import { foldRare } from "./fold-rare.ts";
import { resolveInputs } from "./inputs.ts";
import { itemMachine, type ItemMachine } from "./item-machine.ts";
import { convertOutput } from "./outputs.ts";
import type { Plan } from "./plan.ts";
import { planWaves } from "./plan.ts";
import type { RunState } from "./state.ts";

/** A workflow ready to run: what the run machine knows of the language. */
export interface CompiledWorkflow {
  readonly workflow: Workflow;
  readonly plan: Plan;
  /** The block with this number in the plan; compiled when it is first asked for. */
  block(index: number): CompiledBlock;
  readonly items: ItemMachine;
  /** Folds what happens in few runs. */
  foldRare(state: RunState, entry: Entry): void;
  /** Notes that what must not happen twice has ended. */
  noteEnd(state: RunState, entry: Entry): void;
  /** What expressions see of a run of it. Throws what the look-up in `context.ts` throws. */
  lookUp(state: RunState, path: readonly (string | number)[]): unknown;
  /** The inputs of a run, checked and with defaults. Throws `INPUT_INVALID` with everything that is wrong. */
  inputs(given: Values | undefined): Values;
  /** The declared outputs, resolved and converted. Throws what references throw, and `OUTPUT_INVALID`. */
  outputs(scope: Scope): Values;
}

export interface CompiledBlock {
  /** What `for_each` gives, resolved; nothing where the block has none. */
  each(scope: Scope): Value | undefined;
  /** The inputs, resolved. */
  inputs(scope: Scope): Value;
  /** A text among the inputs, cut at its references; one part where it holds none, nothing where it is no text. */
  parts(input: string, scope: Scope): readonly TextPart[];
  /** Whether the condition lets the block run; true where there is none. */
  holds(scope: Scope): boolean;
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
    block: (index) => (blocks[index] ??= compileBlock(workflow.blocks[index]!, index, names)),
    items: itemMachine,
    foldRare,
    noteEnd,
    lookUp,
    inputs: (given) => resolveInputs(workflow, given),
    outputs: (scope) => resolveOutputs((outputs ??= compileOutputs(workflow, names)), scope),
  };
}

function compileBlock(block: Block, index: number, names: Names): CompiledBlock {
  const path = `blocks[${index}]`;
  const { forEach } = block;
  const each = forEach === undefined ? undefined : inPlace(`${path}.forEach`, () => compileValue(forEach, names));
  const inner: Names = each === undefined ? names : { ...names, each: true };
  const inputs = inPlace(`${path}.inputs`, () => compileValue(block.inputs ?? {}, inner));
  const { condition: text } = block;
  const condition = text === undefined ? undefined : inPlace(`${path}.condition`, () => compileCondition(text, names));
  return {
    each: (scope) => each && resolveValue(each, scope),
    inputs: (scope) => resolveValue(inputs, scope),
    parts: (input, scope) => inPlace(`${path}.inputs.${input}`, () => resolveParts(block.inputs?.[input], inner, scope)),
    holds: (scope) => condition === undefined || evaluateCondition(condition, scope),
  };
}

/** Compiles a condition; its references are canonical afterwards. Throws what {@link parseCondition} and {@link normalizeReference} throw. */
function compileCondition(condition: string | boolean, names: Names): Condition {
  if (typeof condition === "boolean") return { kind: "literal", value: condition };
  return mapCondition(parseCondition(condition), (reference) => normalizeReference(reference, names));
}

interface CompiledOutput {
  readonly name: string;
  readonly value: CompiledValue;
  readonly type?: ValueType;
}

function compileOutputs(workflow: Workflow, names: Names): readonly CompiledOutput[] {
  return Object.entries(workflow.outputs ?? {}).map(([name, declared]) => {
    const path = memberPath("outputs", name);
    if (typeof declared === "string") return { name, value: inPlace(path, () => compileValue(declared, names)) };
    const value = inPlace(`${path}.value`, () => compileValue(declared.value, names));
    return declared.type === undefined ? { name, value } : { name, value, type: declared.type };
  });
}

function resolveOutputs(outputs: readonly CompiledOutput[], scope: Scope): Values {
  const resolved: { [name: string]: Value } = {};
  for (const { name, value, type } of outputs) {
    const output = resolveValue(value, scope);
    resolved[name] = type === undefined ? output : convertOutput(output, type, name);
  }
  return resolved;
}

function inPlace<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw atPath(thrown, path);
  }
}

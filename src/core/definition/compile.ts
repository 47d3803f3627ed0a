import { convertOutput } from "../expression/convert-output.ts";
import { evaluateCondition } from "../expression/evaluate.ts";
import { type Names, normalizeReference } from "../expression/normalize-reference.ts";
import { parseCondition } from "../expression/parse-condition.ts";
import { conditionReferences, mapCondition } from "../expression/references.ts";
import { textOf } from "../expression/render.ts";
import type { Scope } from "../expression/scope.ts";
import type { Condition, Reference } from "../expression/syntax.ts";
import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import { MAX_ITEMS } from "../model/limits.ts";
import type { RunHead, SearchValue } from "../model/run.ts";
import { isSearchValue } from "../model/search.ts";
import type { Value, Values } from "../model/value.ts";
import type { Block, NextBlock, ValueType, Workflow } from "../model/workflow.ts";
import type { TextPart } from "../ports/block.ts";
import type { ChannelReducers } from "../ports/reducer.ts";
import type { AddedBlock } from "./added-blocks.ts";
import { type CompiledValue, atPath, compileValue, memberPath, resolveParts, resolveValue, valueReferences } from "./compile-value.ts";
import { type Channel, compileChannels, NO_REDUCERS } from "./channels.ts";
import { resolveInputs } from "./inputs.ts";
import { type Plan, planWaves } from "./plan.ts";
import { failuresOf } from "./ways.ts";

/** A workflow ready to run: what the run machine knows of the language. */
export interface CompiledWorkflow {
  readonly workflow: Workflow;
  readonly plan: Plan;
  /** Without the blocks that were added to it while its run was under way; absent where none were. */
  readonly base?: CompiledWorkflow;
  /** The names of the block types that it uses. */
  readonly types: ReadonlySet<string>;
  /** By name. */
  readonly channels: ReadonlyMap<string, Channel>;
  /** The block with this number in the plan; compiled when it is first asked for. */
  block(index: number): CompiledBlock;
  /** The inputs of a run, checked and with defaults. Throws `INPUT_INVALID` with everything that is wrong. */
  inputs(given: Values | undefined): Values;
  /** The declared outputs, resolved and converted. Throws what references throw, and `OUTPUT_INVALID`. */
  outputs(scope: Scope): Values;
  /** The canonical path of a value that is one reference; nothing for any other value, and for one that cannot be compiled. */
  pathOf(value: Value): Reference["path"] | null | undefined;
  /** What lists show the run by, a line of at most 200 characters, and the values they find it by; both without what is not known yet. */
  listed(scope: Scope): Pick<RunHead, "label" | "search">;
}

export interface CompiledBlock {
  /** What `for_each` gives, resolved; nothing where the block has none. */
  each(scope: Scope): Value | undefined;
  /** The inputs, resolved. */
  inputs(scope: Scope): Value;
  /** A text among the inputs, or at an index of a list there, cut at its references; one part where it holds none, nothing where it is no text. */
  parts(input: string, scope: Scope, item?: number): readonly TextPart[];
  /** Whether the condition lets the block run; true where there is none. */
  holds(scope: Scope): boolean;
  /** The block that `next` leads to: the first whose `when` holds; nothing where none does. */
  next(scope: Scope): string | undefined;
  /** The numbers of the blocks to which any text of the block refers; "any" where that is only known once it is resolved. */
  refersTo(): readonly number[] | "any";
  /** The changes of channels that the block writes, resolved; nothing where it writes none. */
  writes(scope: Scope): Values | undefined;
  /** Whether the block runs once more; false where it does not say. */
  repeats(scope: Scope): boolean;
  /** The channels to which any text of the block refers. */
  readonly readsChannels: ReadonlySet<string>;
  /** Those of them that its inputs do not tell: its writes, and what decides whether it repeats and what follows. */
  readonly readsAside: ReadonlySet<string>;
  /** Whether what follows depends on channels, so that it is decided when the block has completed. */
  readonly choosesByChannels: boolean;
}

/** Characters. */
const MAX_LABEL_LENGTH = 200;

const compiled = new WeakMap<ChannelReducers, WeakMap<Workflow, CompiledWorkflow>>();

/**
 * Plans a workflow and compiles its templates and conditions, once for each workflow object. Throws what {@link planWaves} throws, and `REDUCER_MISSING`; asking
 * for a block or the outputs throws what their templates and conditions throw.
 */
export function compileWorkflow(workflow: Workflow, reducers: ChannelReducers = NO_REDUCERS): CompiledWorkflow {
  const ready = compiled.get(reducers) ?? new WeakMap<Workflow, CompiledWorkflow>();
  compiled.set(reducers, ready);
  const known = ready.get(workflow);
  if (known !== undefined) return known;
  const made = compile(workflow, compileChannels(workflow, reducers));
  ready.set(workflow, made);
  return made;
}

/**
 * A workflow with blocks that were added to it, behind its own. Throws what {@link planWaves} throws. What fell away has nothing but its id and its type.
 */
export function extendWorkflow(base: CompiledWorkflow, added: readonly AddedBlock[]): CompiledWorkflow {
  const { workflow, channels } = base;
  const own = added.map(({ block, isGone }): Block => (isGone ? { id: block.id, type: block.type } : block));
  return { ...compile({ ...workflow, blocks: [...workflow.blocks, ...own] }, channels, added), base };
}

function compile(workflow: Workflow, channels: CompiledWorkflow["channels"], added?: readonly AddedBlock[]): CompiledWorkflow {
  const plan = planWaves(workflow.blocks, undefined, added);
  const names: Names = {
    inputs: new Map(Object.entries(workflow.inputs ?? {})),
    blocks: plan.index,
    ...(workflow.channels ? { channels } : {}),
  };
  const planned = { ...names, plan };
  const blocks: (CompiledBlock | undefined)[] = [];
  let outputs: readonly CompiledOutput[] | undefined;
  let listed: CompiledListing | undefined;
  return {
    workflow,
    plan,
    types: new Set(workflow.blocks.map(({ type }) => type)),
    channels,
    block: (index) => (blocks[index] ??= new BlockCode(workflow.blocks[index]!, index, planned)),
    inputs: (given) => resolveInputs(workflow, given),
    outputs: (scope) => resolveOutputs((outputs ??= compileOutputs(workflow, names)), scope),
    pathOf: (value) => orNothing(() => onlyPath(compileValue(value, names))),
    listed: (scope) => renderListing((listed ??= compileListing(workflow, names)), scope),
  };
}

/** One object with methods, not one closure for each: a long workflow has very many blocks. */
class BlockCode implements CompiledBlock {
  readonly readsChannels: ReadonlySet<string>;
  readonly readsAside: ReadonlySet<string>;
  readonly choosesByChannels: boolean;
  readonly #block: Block;
  readonly #index: number;
  readonly #plan: Plan;
  /** What its inputs may refer to. */
  readonly #names: Names;
  readonly #each: CompiledValue | undefined;
  readonly #inputs: CompiledValue;
  readonly #condition: Condition | undefined;
  readonly #ways: readonly CompiledWay[];
  readonly #writes: CompiledValue | undefined;
  readonly #repeats: Condition | undefined;

  constructor(block: Block, index: number, names: Names & { readonly plan: Plan }) {
    const path = `blocks[${index}]`;
    const failures = failuresOf(names.plan, index);
    const outer: Names = failures === undefined ? names : { ...names, failures };
    const { forEach, inputs, condition, next, writes, repeatWhile } = block;
    const inner: Names = forEach === undefined ? outer : { ...outer, each: true };
    this.#block = block;
    this.#index = index;
    this.#plan = names.plan;
    this.#names = inner;
    this.#each = forEach === undefined ? undefined : inPlace(`${path}.forEach`, () => compileValue(forEach, outer));
    this.#inputs = inputs ? inPlace(`${path}.inputs`, () => compileValue(inputs, inner)) : { kind: "constant", value: {} };
    this.#condition = condition === undefined ? undefined : inPlace(`${path}.condition`, () => compileCondition(condition, outer));
    this.#ways = next ? next.map((entry, i) => compileWay(entry, `${path}.next[${i}]`, outer)) : NO_WAYS;
    this.#writes = writes && inPlace(`${path}.writes`, () => compileValue(writes, inner));
    this.#repeats = repeatWhile === undefined ? undefined : inPlace(`${path}.repeatWhile`, () => compileCondition(repeatWhile, inner));
    this.readsChannels = channelsOf(names, () => this.#references());
    this.readsAside = channelsOf(names, () => this.#asideReferences());
    this.choosesByChannels = channelsOf(names, () => waysReferences(this.#ways)).size > 0;
  }

  each(scope: Scope): Value | undefined {
    return this.#each && asItems(resolveValue(this.#each, scope), this.#block.id);
  }

  inputs(scope: Scope): Value {
    return resolveValue(this.#inputs, scope);
  }

  parts(input: string, scope: Scope, item?: number): readonly TextPart[] {
    const text = textAt(this.#block.inputs?.[input], item);
    return inPlace(`blocks[${this.#index}].inputs.${input}`, () => resolveParts(text, this.#names, scope));
  }

  holds(scope: Scope): boolean {
    return this.#condition === undefined || evaluateCondition(this.#condition, scope);
  }

  next(scope: Scope): string | undefined {
    return this.#ways.find(({ when, path }) => when === undefined || inPlace(path, () => evaluateCondition(when, scope)))?.to;
  }

  refersTo(): readonly number[] | "any" {
    const found = blocksOf(this.#references(), this.#plan);
    return found === "any" ? found : found.filter((other) => other !== this.#index);
  }

  writes(scope: Scope): Values | undefined {
    return this.#writes && (resolveValue(this.#writes, scope) as Values);
  }

  repeats(scope: Scope): boolean {
    return this.#repeats !== undefined && evaluateCondition(this.#repeats, scope);
  }

  #references(): readonly Reference[] {
    const files = Object.values(this.#block.outputs ?? {}).map(({ path }) => compileValue(path, this.#names));
    return [
      ...[this.#inputs, ...(this.#each ? [this.#each] : []), ...files].flatMap(valueReferences),
      ...(this.#condition ? conditionReferences(this.#condition) : []),
      ...this.#asideReferences(),
    ];
  }

  #asideReferences(): readonly Reference[] {
    return [
      ...(this.#writes ? valueReferences(this.#writes) : []),
      ...(this.#repeats ? conditionReferences(this.#repeats) : []),
      ...waysReferences(this.#ways),
    ];
  }
}

const NO_WAYS: readonly CompiledWay[] = [];

function waysReferences(ways: readonly CompiledWay[]): readonly Reference[] {
  return ways.flatMap(({ when }) => (when ? conditionReferences(when) : []));
}

/** A count stands for the numbers from 0 on. */
function asItems(value: Value, id: string): Value {
  if (!Number.isSafeInteger(value) || (value as number) < 0) return value;
  if ((value as number) <= MAX_ITEMS) return Array.from({ length: value as number }, (_, item) => item);
  throw new WorkflowError("EACH_INVALID", `The for_each of block "${id}" gives ${String(value)} items; ${MAX_ITEMS} are allowed.`, {
    details: { count: value, limit: MAX_ITEMS },
  });
}

interface CompiledWay {
  readonly to: string;
  readonly when: Condition | undefined;
  readonly path: string;
}

function compileWay(entry: string | NextBlock, path: string, names: Names): CompiledWay {
  const { to, when } = typeof entry === "string" ? { to: entry } : entry;
  const at = `${path}.when`;
  return { to, when: when === undefined ? undefined : inPlace(at, () => compileCondition(when, names)), path: at };
}

const NO_CHANNELS: ReadonlySet<string> = new Set();

/** The channels to which canonical references lead: all where a name is only known once it is resolved. */
function channelsOf({ channels }: Names, references: () => readonly Reference[]): ReadonlySet<string> {
  if (!channels) return NO_CHANNELS;
  const names = references().flatMap(({ path: [root, name] }) => (root === "channels" ? [name] : []));
  return new Set(names.every((name) => typeof name === "string") ? names : channels.keys());
}

/** The blocks that canonical references lead to. */
function blocksOf(references: readonly Reference[], { index }: Plan): readonly number[] | "any" {
  const found = new Set<number>();
  for (const { path } of references) {
    const [root, id] = path;
    if (root !== "blocks" && typeof root === "string") continue;
    const block = typeof id === "string" ? index.get(id) : undefined;
    if (block === undefined) return "any";
    found.add(block);
  }
  return [...found];
}

function textAt(value: Value | undefined, item: number | undefined): Value | undefined {
  if (item === undefined) return value;
  return Array.isArray(value) ? (value as readonly Value[])[item] : undefined;
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

function onlyPath(value: CompiledValue): Reference["path"] | undefined {
  const [only, more] = value.kind === "template" ? value.template.parts : [];
  return typeof only === "object" && more === undefined ? only.path : undefined;
}

function resolveOutputs(outputs: readonly CompiledOutput[], scope: Scope): Values {
  const resolved: { [name: string]: Value } = {};
  for (const { name, value, type } of outputs) {
    const output = resolveValue(value, scope);
    resolved[name] = type === undefined ? output : convertOutput(output, type, name);
  }
  return resolved;
}

interface CompiledListing {
  readonly label: CompiledValue | undefined;
  readonly search: readonly (readonly [name: string, value: CompiledValue])[];
}

function compileListing({ label, search = {} }: Workflow, names: Names): CompiledListing {
  const compiled = (path: string, text: string): CompiledValue => inPlace(path, () => compileValue(text, names));
  return {
    label: label === undefined ? undefined : compiled("label", label),
    search: Object.entries(search).map(([name, text]) => [name, compiled(memberPath("search", name), text)]),
  };
}

function renderListing({ label, search }: CompiledListing, scope: Scope): Pick<RunHead, "label" | "search"> {
  const text = label && orNothing(() => textOf(resolveLeniently(label, scope)));
  const line = text?.replace(/\s+/g, " ").trim().slice(0, MAX_LABEL_LENGTH);
  const found = search.map(([name, value]) => [name, orNothing(() => resolveLeniently(value, scope))] as const);
  const known = found.filter((entry): entry is [string, SearchValue] => isSearchValue(entry[1]));
  return { ...(line && { label: line }), ...(known.length > 0 && { search: Object.fromEntries(known) }) };
}

/** What lists show never fails its run: what a reference cannot give is nothing. */
function resolveLeniently(value: CompiledValue, scope: Scope): Value {
  return resolveValue(value, { lookup: (path) => orNothing(() => scope.lookup(path)) });
}

function orNothing<T>(look: () => T): T | null {
  try {
    return look();
  } catch (thrown) {
    if (isWorkflowError(thrown)) return null;
    throw thrown;
  }
}

function inPlace<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw atPath(thrown, path);
  }
}

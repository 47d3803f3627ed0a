import { errorData, type Problem } from "../../model/errors.ts";
import { type Values, isRecord, type Value } from "../../model/value.ts";
import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType, InputProblem } from "../../ports/block.ts";
import { memberPath } from "../compile-value.ts";
import { compilePattern } from "../../expression/pattern.ts";
import { holdsReference, literalOf } from "./read-texts.ts";
import { adviseName } from "../../model/suggestions.ts";
import type { StandardIssue, StandardSchema } from "../../ports/standard-schema.ts";
import { describeSchema } from "../../ports/lower-schema.ts";

/**
 * What the block types themselves find wrong with the inputs of their blocks, by the schemas of libraries and by code of their own, and patterns
 * of outputs that are none. Some of it has to load code. Blocks that are not sound are left out.
 */
export async function checkBlockInputs(
  workflow: Workflow,
  types: ReadonlyMap<string, BlockType>,
  { isSound = () => true }: { readonly isSound?: (index: number) => boolean } = {},
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [index, block] of workflow.blocks.entries()) {
    if (!isSound(index)) continue;
    const type = types.get(block.type);
    const path = `blocks[${index}].inputs`;
    const ofLibrary = type?.inputs && "~standard" in type.inputs ? checkLibraryInputs(type.inputs, block, path) : [];
    problems.push(...ofLibrary);
    for (const { input, keys = [], severity = "error", ...problem } of type && ofLibrary.length === 0 ? await askType(type, block) : []) {
      problems.push({ ...problem, severity, path: pathTo([input, ...keys], path) });
    }
    if (block.outputs !== undefined) problems.push(...(await checkOutputPatterns(block.outputs, index)));
  }
  return problems;
}

/** Errors in the patterns that outputs from files must match, and warnings of them; the engine for patterns is only loaded where there are some. */
async function checkOutputPatterns(outputs: NonNullable<Block["outputs"]>, index: number): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [name, { validation }] of Object.entries(outputs)) {
    if (validation === undefined) continue;
    const path = `${memberPath(`blocks[${index}].outputs`, name)}.validation`;
    try {
      const { warning } = await compilePattern(validation);
      if (warning !== undefined) problems.push({ severity: "warning", code: "TEXT_MISLEADING", message: warning, path });
    } catch (thrown) {
      const { code, message } = errorData(thrown, "PATTERN_INVALID");
      problems.push({ severity: "error", code, message, path });
    }
  }
  return problems;
}

/** What a block type says of inputs, which may have no form that it expects. */
async function askType(type: BlockType, { inputs = {} }: Block): Promise<readonly InputProblem[]> {
  try {
    return (await type.checkInputs?.(literals(inputs), inputs)) ?? [];
  } catch (thrown) {
    const { code, message } = errorData(thrown, "BLOCK_INPUT_INVALID");
    return [{ input: Object.keys(inputs)[0] ?? "inputs", code, message: `${type.type} cannot take these inputs: ${message}` }];
  }
}

/** The inputs that hold no reference. */
function literals(inputs: Values): Values {
  const known = Object.entries(inputs).filter(([, value]) => !holdsReference(value));
  return Object.fromEntries(known.map(([name, value]) => [name, literalOf(value)]));
}

/** Stands for what a reference gives. What the schema says about it, or about what holds it, is left for the run. */
const LATER = Symbol("what a reference gives");

/** What the schema of a library finds wrong with inputs as they are written, and inputs that it does not know. */
function checkLibraryInputs(schema: StandardSchema, block: Block, path: string): readonly Problem[] {
  const { inputs = {} } = block;
  const report = (at: string, message: string, more: Partial<Problem> = {}): Problem => ({
    severity: "error",
    code: "BLOCK_INPUT_INVALID",
    path: at,
    message: `${block.type} "${block.id}": ${message}`,
    ...more,
  });
  const unknown = unknownInputs(schema, inputs).map(([name, { sentence, details }]) =>
    report(memberPath(path, name), `"${name}" is no input of this block type.${sentence}`, details),
  );
  if (unknown.length > 0) return unknown;

  const isWhole = !holdsReference(inputs);
  try {
    const checked = schema["~standard"].validate(isWhole ? inputs : withoutReferences(inputs));
    // An asynchronous check may never end. It is left for the run, where the block has a time limit.
    if (checked instanceof Promise) return ignore(checked);
    const { issues = [] } = checked;
    return issues.flatMap((issue): Problem[] => {
      const keys = keysOf(issue);
      if (!isWhole && (keys.length === 0 || leadsToReference(inputs, keys))) return [];
      const at = pathTo(keys, path);
      const [name] = keys;
      if (keys.length === 1 && !Object.hasOwn(inputs, name!))
        return [report(at, `the input "${String(name)}" is missing. ${issue.message}`)];
      const what = keys.length === 0 ? "its inputs do" : `the input "${at.slice(path.length + 1)}" does`;
      return [report(at, `${what} not fit. ${issue.message}`)];
    });
  } catch (thrown) {
    // Code of its own may trip over what stands for a reference.
    return isWhole ? [report(path, `its inputs cannot be checked. ${errorData(thrown, "BLOCK_INPUT_INVALID").message}`)] : [];
  }
}

function ignore(checked: Promise<unknown>): readonly Problem[] {
  checked.catch(() => {});
  return [];
}

function pathTo(keys: readonly PropertyKey[], path: string): string {
  return keys.reduce<string>((up, key) => (typeof key === "number" ? `${up}[${key}]` : memberPath(up, String(key))), path);
}

/** Inputs that the library would pass over without a word. What it says of them itself is not said twice. */
function unknownInputs(schema: StandardSchema, inputs: NonNullable<Block["inputs"]>): [string, ReturnType<typeof adviseName>][] {
  const { properties, additionalProperties = false } = describeSchema(schema) ?? {};
  if (!properties || additionalProperties !== false) return [];
  const known = Object.keys(properties);
  return Object.keys(inputs)
    .filter((name) => !known.includes(name))
    .map((name) => [name, adviseName(name, known)]);
}

function withoutReferences(value: Value): unknown {
  if (typeof value === "string") return holdsReference(value) ? LATER : literalOf(value);
  if (Array.isArray(value)) return value.map((item: Value) => withoutReferences(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutReferences(member as Value)]));
}

function keysOf({ path = [] }: StandardIssue): readonly PropertyKey[] {
  return path.map((part) => (typeof part === "object" ? part.key : part));
}

/** Whether what stands at a path is, holds or lies in what a reference gives. */
function leadsToReference(inputs: Value, keys: readonly PropertyKey[]): boolean {
  let value: unknown = inputs;
  for (const key of keys) {
    if (typeof value !== "object" || value === null) break;
    value = Object.hasOwn(value, key) ? (value as { readonly [key: PropertyKey]: unknown })[key] : undefined;
  }
  return value !== undefined && holdsReference(value as Value);
}

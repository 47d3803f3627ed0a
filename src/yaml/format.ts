import { VALUE_TYPES, WORKFLOW_SCHEMA } from "../core/definition/definition.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import { type Value, type Values, isRecord } from "../core/model/value.ts";
import type { Block, ValueType, Workflow } from "../core/model/workflow.ts";

const TYPES: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ["string", "string"],
  ["str", "string"],
  ["integer", "integer"],
  ["int", "integer"],
  ["number", "number"],
  ["num", "number"],
  ["float", "number"],
  ["boolean", "boolean"],
  ["bool", "boolean"],
  ["array", "array"],
  ["list", "array"],
  ["object", "object"],
  ["dict", "object"],
]);

/** The key that has an older spelling. */
const CONTINUE = "continue_on_error";
const OLDER_KEY = "continue-on-error";
/** The older place of that key: among the inputs of Shell. Seed 1, "Example 1". */
export const OLDER_CONTINUE: { readonly type: string; readonly input: string } = { type: "Shell", input: OLDER_KEY };

/** The form of a workflow in YAML, as a JSON Schema: that of the engine with its keys in snake_case, and more names of types. */
export const FORMAT: JsonSchema = inYaml(WORKFLOW_SCHEMA);

/** A schema of definitions in YAML's spelling. */
export function inYaml(schema: JsonSchema): JsonSchema {
  const { enum: choices, properties, required, items, additionalProperties: others } = schema;
  return {
    ...schema,
    ...(choices === VALUE_TYPES ? { enum: [...TYPES.keys()] } : {}),
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).flatMap(([name, member]) => keysOf(name, member))) } : {}),
    ...(required ? { required: required.map(toSnakeCase) } : {}),
    ...(items ? { items: inYaml(items) } : {}),
    ...(typeof others === "object" ? { additionalProperties: inYaml(others) } : {}),
  };
}

function keysOf(name: string, member: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const key = toSnakeCase(name);
  const older: JsonSchema = { type: "boolean", description: `The same as \`${CONTINUE}\`.` };
  return [[key, inYaml(member)], ...(key === CONTINUE ? [[OLDER_KEY, older] as const] : [])];
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toCamelCase(key: string): string {
  return key.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The definition in the engine's spelling, of data that has the form of {@link FORMAT}. */
export function toWorkflow(data: Value): Workflow {
  const workflow = inEngine(WORKFLOW_SCHEMA, data) as unknown as Workflow;
  const names = new Set([...Object.keys(workflow.inputs ?? {}), ...workflow.blocks.map(({ id }) => id)]);
  const isDeclared = (name: string): boolean => names.has(name);
  return Object.freeze({
    ...workflow,
    blocks: workflow.blocks.map((block) => (block.type === OLDER_CONTINUE.type ? toShell(block, isDeclared) : block)),
  });
}

function inEngine(schema: JsonSchema, value: Value): Value {
  if (schema.enum === VALUE_TYPES) return TYPES.get(value as string)!;
  const { properties, items, additionalProperties: others } = schema;
  if (Array.isArray(value)) return items ? value.map((item: Value) => inEngine(items, item)) : value;
  if (!isRecord(value) || (!properties && typeof others !== "object")) return value;
  const members: { [name: string]: Value } = {};
  for (const [key, member] of Object.entries(value as { readonly [key: string]: Value })) {
    if (key === OLDER_KEY && value[CONTINUE] !== undefined) continue;
    const name = properties ? toCamelCase(key) : key;
    members[name] = inEngine(properties?.[name] ?? (others as JsonSchema), member);
  }
  return members;
}

/** A Shell block with the variables of its command, and with {@link OLDER_CONTINUE} where it is written today. */
function toShell({ inputs, ...block }: Block, isDeclared: (name: string) => boolean): Block {
  if (inputs === undefined) return block;
  const { [OLDER_KEY]: older, ...others } = inputs;
  if (typeof older !== "boolean") return { ...block, inputs: withShellVariables(inputs, isDeclared) };
  return { continueOnError: older, ...block, inputs: withShellVariables(others, isDeclared) };
}

/** The path of a definition as YAML spells it. */
export function toWrittenPath(path: string): string {
  let schema: JsonSchema | undefined = WORKFLOW_SCHEMA;
  return path.replace(/([^.[\]"]+)|\[\d+\]|\["(?:[^"\\]|\\.)*"\]/g, (part: string, name: string | undefined) => {
    const { properties, items, additionalProperties: others }: JsonSchema = schema ?? {};
    const isKey = name !== undefined && properties !== undefined && Object.hasOwn(properties, name);
    schema = isKey ? properties[name] : part.startsWith("[") && items ? items : typeof others === "object" ? others : undefined;
    return isKey ? toSnakeCase(part) : part;
  });
}

/** `${NAME}`, `${NAME:-word}` and the like in capitals, and what stands before it: a second dollar sign makes it text already. */
const VARIABLE = /(\$?)\$\{(?=([A-Z][A-Z0-9_]*)[}:#%/^,+=?@[-])/g;

/**
 * The inputs of a Shell block, whose command may say `${HOME}`: a name in capitals that the workflow does not declare is the shell's own, and is
 * written `$${HOME}` from then on.
 */
function withShellVariables(inputs: Values, isDeclared: (name: string) => boolean): Values {
  const command: Value | undefined = inputs["command"];
  if (typeof command !== "string" || !command.includes("${")) return inputs;
  const escaped = command.replace(VARIABLE, (found, dollar: string, name: string) =>
    dollar === "" && !isDeclared(name) ? `$${found}` : found,
  );
  return escaped === command ? inputs : { ...inputs, command: escaped };
}

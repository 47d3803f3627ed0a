import { definitionSchema } from "../core/engine/check/definition-schema.ts";
import type { OnTimeout } from "../core/model/journal.ts";
import type { JsonSchema } from "../core/model/run.ts";
import type { Value } from "../core/model/value.ts";
import type {
  Block,
  Dependency,
  FileOutput,
  InputDeclaration,
  OutputDeclaration,
  RetryPolicy,
  ValueType,
  Workflow,
} from "../core/model/workflow.ts";

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

/** The form of a workflow in YAML, as a JSON Schema. Seed 2, "WorkflowSchema". */
export const FORMAT: JsonSchema = definitionSchema({
  dependsOn: "depends_on",
  continueOnError: ["continue_on_error", "continue-on-error"],
  maxDepth: "max_depth",
  maxIterations: "max_iterations",
  retry: "retry",
  timeoutMs: "timeout_ms",
  forEach: "for_each",
  maxParallel: "max_parallel",
  maxAttempts: "max_attempts",
  delayMs: "delay_ms",
  maxDelayMs: "max_delay_ms",
  answerTimeoutMs: "answer_timeout_ms",
  onTimeout: "on_timeout",
  onRevise: "on_revise",
  types: [...TYPES.keys()],
});

/** A definition as YAML spells it, once it has the form of {@link FORMAT}. */
interface WrittenWorkflow {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly author?: string;
  readonly tags?: readonly string[];
  readonly inputs?: { readonly [name: string]: WrittenInput };
  readonly blocks: readonly WrittenBlock[];
  readonly outputs?: { readonly [name: string]: string | WrittenOutput };
}

interface WrittenInput extends Omit<InputDeclaration, "type"> {
  readonly type: string;
}

interface WrittenOutput extends Omit<OutputDeclaration, "type"> {
  readonly type?: string;
}

interface WrittenBlock {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  readonly inputs?: { readonly [name: string]: Value };
  readonly depends_on?: readonly (string | Dependency)[];
  readonly condition?: string | boolean;
  readonly continue_on_error?: boolean;
  readonly "continue-on-error"?: boolean;
  readonly max_depth?: number;
  readonly max_iterations?: number;
  readonly retry?: WrittenRetry;
  readonly timeout_ms?: number;
  readonly for_each?: Value;
  readonly max_parallel?: number;
  readonly effect?: "once";
  readonly answer_timeout_ms?: number;
  readonly on_timeout?: OnTimeout;
  readonly skippable?: boolean;
  readonly on_revise?: "keep" | "review" | "ask_again";
  readonly outputs?: { readonly [name: string]: WrittenFileOutput };
}

interface WrittenRetry {
  readonly max_attempts: number;
  readonly delay_ms?: number;
  readonly backoff?: number;
  readonly max_delay_ms?: number;
  readonly jitter?: number;
}

interface WrittenFileOutput extends Omit<FileOutput, "type"> {
  readonly type?: string;
}

/** The definition in the engine's spelling. Keys that {@link FORMAT} does not know are left out. */
export function toWorkflow(data: Value): Workflow {
  const written = data as unknown as WrittenWorkflow;
  return Object.freeze({
    name: written.name,
    ...defined({ description: written.description, version: written.version, author: written.author, tags: written.tags }),
    ...defined({ inputs: mapMembers(written.inputs, toInput) }),
    blocks: written.blocks.map(toBlock),
    ...defined({ outputs: mapMembers(written.outputs, toOutput) }),
  });
}

/** The path of a definition as YAML spells it. */
export function toWrittenPath(path: string): string {
  return path.replace(
    /^(blocks\[\d+\]\.)(dependsOn|continueOnError|maxDepth|timeoutMs|forEach|maxParallel|maxIterations|answerTimeoutMs|onTimeout|onRevise|retry\.(?:maxAttempts|delayMs|maxDelayMs))\b/,
    (_, block: string, key: string) => block + key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}

function toBlock(block: WrittenBlock): Block {
  const { inputs, continueOnError } = withoutContinue(block);
  return {
    id: block.id,
    type: block.type,
    ...defined({
      description: block.description,
      inputs,
      dependsOn: block.depends_on,
      condition: block.condition,
      continueOnError: block.continue_on_error ?? block["continue-on-error"] ?? continueOnError,
      retry: block.retry && toRetry(block.retry),
      timeoutMs: block.timeout_ms,
      forEach: block.for_each,
      maxParallel: block.max_parallel,
      effect: block.effect,
      answerTimeoutMs: block.answer_timeout_ms,
      onTimeout: block.on_timeout,
      skippable: block.skippable,
      onRevise: block.on_revise,
      outputs: mapMembers(block.outputs, toFileOutput),
      maxDepth: block.max_depth,
      maxIterations: block.max_iterations,
    }),
  };
}

/** The older place of `continue-on-error`: among the inputs of Shell. Seed 1, "Example 1". */
export const OLDER_CONTINUE = { type: "Shell", input: "continue-on-error" } as const;

function withoutContinue({ type, inputs }: WrittenBlock): Pick<Block, "inputs" | "continueOnError"> {
  const given = inputs?.[OLDER_CONTINUE.input];
  if (type !== OLDER_CONTINUE.type || typeof given !== "boolean") return inputs ? { inputs } : {};
  return { inputs: Object.fromEntries(Object.entries(inputs!).filter(([name]) => name !== OLDER_CONTINUE.input)), continueOnError: given };
}

function toRetry({ max_attempts, delay_ms, backoff, max_delay_ms, jitter }: WrittenRetry): RetryPolicy {
  return { maxAttempts: max_attempts, ...defined({ delayMs: delay_ms, backoff, maxDelayMs: max_delay_ms, jitter }) };
}

function toFileOutput({ path, type, description, validation, required, unsafe }: WrittenFileOutput): FileOutput {
  return { path, ...defined({ type: type === undefined ? undefined : TYPES.get(type)!, description, validation, required, unsafe }) };
}

function toInput({ type, description, required, default: value, enum: choices, secret }: WrittenInput): InputDeclaration {
  return { type: TYPES.get(type)!, ...defined({ description, required, default: value, enum: choices, secret }) };
}

function toOutput(output: string | WrittenOutput): string | OutputDeclaration {
  if (typeof output === "string") return output;
  const { value, type, description } = output;
  return { value, ...defined({ type: type === undefined ? undefined : TYPES.get(type)!, description }) };
}

function mapMembers<From, To>(
  members: { readonly [name: string]: From } | undefined,
  map: (member: From) => To,
): { readonly [name: string]: To } | undefined {
  return members && Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]));
}

/** Only the members that have a value: an absent key and a key without a value are not the same in a definition. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key of Object.keys(members) as (keyof T)[]) {
    if (members[key] !== undefined) kept[key] = members[key] as Exclude<T[keyof T], undefined>;
  }
  return kept;
}

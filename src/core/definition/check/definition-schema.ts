import { MAX_ATTEMPTS, MAX_CACHE_MS, MAX_CALL_DEPTH, MAX_DURATION_MS, MAX_NEXT, MAX_PRIORITY, MAX_SUPERSTEPS } from "../../model/limits.ts";
import type { JsonSchema } from "../../model/json-schema.ts";
import { DURABILITIES, RETENTIONS, type RunPolicy } from "../../model/policy.ts";
import { CATCH_UPS } from "../../model/workflow.ts";
import type {
  Block,
  CachePolicy,
  ChannelDeclaration,
  Dependency,
  FileOutput,
  InputDeclaration,
  NextBlock,
  OnTimeout,
  OutputDeclaration,
  RetryPolicy,
  Schedule,
  ValueType,
  Workflow,
} from "../../model/workflow.ts";

/** The names of value types. Other spellings of a workflow put more names in place of this very list. */
export const VALUE_TYPES: readonly ValueType[] = ["string", "integer", "number", "boolean", "array", "object"];

/** A schema for each member of an interface: the compiler sees to it that none is left out. */
type Members<Of> = { readonly [name in keyof Of]-?: JsonSchema };
/** The members that an interface wants. */
type Wanted<Of> = { readonly [name in keyof Of as object extends Pick<Of, name> ? never : name]: true };

/** The schema of objects with the members of an interface, and no others. */
function objectOf<Of extends object>(properties: Members<Of>, wanted: Wanted<Of>): JsonSchema {
  return { type: "object", properties, required: Object.keys(wanted), additionalProperties: false };
}

const text: JsonSchema = { type: "string" };
const flag: JsonSchema = { type: "boolean" };
const valueType: JsonSchema = { type: "string", enum: VALUE_TYPES };
const whole = (minimum: number, maximum?: number): JsonSchema => ({
  type: "integer",
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});

const dependency = objectOf<Dependency>({ block: text, required: flag }, { block: true });

const nextBlock = objectOf<NextBlock>({ to: text, when: { type: ["string", "boolean"] } }, { to: true });

const retry = objectOf<RetryPolicy>(
  {
    maxAttempts: whole(1, MAX_ATTEMPTS),
    delayMs: whole(0, MAX_DURATION_MS),
    backoff: { type: "number", minimum: 1, maximum: 10 },
    maxDelayMs: whole(0, MAX_DURATION_MS),
    jitter: { type: "number", minimum: 0, maximum: 1 },
  },
  { maxAttempts: true },
);

const fileOutput = objectOf<FileOutput>(
  { path: { type: "string", minLength: 1 }, type: valueType, description: text, validation: text, required: flag, unsafe: flag },
  { path: true },
);

const timeoutAnswer = objectOf<Exclude<OnTimeout, string>>({ answer: {} }, { answer: true });

const consequence: JsonSchema = { ...timeoutAnswer, type: ["string", "object"], pattern: "^(?:fail|skip)$" };

const block = objectOf<Block>(
  {
    id: text,
    type: text,
    description: text,
    inputs: { type: "object" },
    dependsOn: { type: "array", items: { ...dependency, type: ["string", "object"] } },
    join: { type: "string", enum: ["all", "any"] },
    condition: { type: ["string", "boolean"] },
    next: { type: "array", items: { ...nextBlock, type: ["string", "object"] }, minItems: 1, maxItems: MAX_NEXT },
    continueOnError: flag,
    onFailure: text,
    compensate: text,
    retry,
    timeoutMs: whole(1, MAX_DURATION_MS),
    forEach: {},
    maxParallel: whole(1),
    priority: whole(-MAX_PRIORITY, MAX_PRIORITY),
    outputs: { type: "object", additionalProperties: fileOutput },
    writes: { type: "object" },
    repeatWhile: { type: ["string", "boolean"] },
    maxIterations: whole(1, MAX_SUPERSTEPS),
    cache: objectOf<CachePolicy>({ ttlMs: whole(1, MAX_CACHE_MS) }, { ttlMs: true }),
    effect: { type: "string", enum: ["once"] },
    answerTimeoutMs: whole(1, MAX_DURATION_MS),
    onTimeout: consequence,
    onEvent: { type: "object", additionalProperties: consequence },
    skippable: flag,
    declinable: flag,
    onRevise: { type: "string", enum: ["keep", "review", "ask_again"] },
    maxDepth: whole(1, MAX_CALL_DEPTH),
  },
  { id: true, type: true },
);

const input = objectOf<InputDeclaration>(
  { type: valueType, description: text, required: flag, default: {}, enum: { type: "array", minItems: 1 }, secret: flag },
  { type: true },
);

const channel = objectOf<ChannelDeclaration>(
  { type: valueType, schema: { type: "object" }, description: text, default: {}, reduce: text },
  {},
);

const policy = objectOf<RunPolicy>(
  {
    durability: { type: "string", enum: DURABILITIES },
    retention: { type: "string", enum: RETENTIONS },
    window: whole(1),
    maxCheckpointBytes: whole(1),
  },
  {},
);

const schedule = objectOf<Schedule>(
  { cron: text, timeZone: text, inputs: { type: "object" }, timeInput: text, catchUp: { type: "string", enum: CATCH_UPS } },
  { cron: true },
);

const output = objectOf<OutputDeclaration>(
  { value: {}, title: { type: ["string", "object"], additionalProperties: text }, type: valueType, description: text },
  { value: true },
);

/** The form of a definition as a JSON Schema. Other spellings, and what editors and the reference show, are made from this one. */
export const WORKFLOW_SCHEMA: JsonSchema = objectOf<Workflow>(
  {
    name: text,
    description: text,
    version: text,
    author: text,
    label: text,
    search: { type: "object", additionalProperties: text },
    tags: { type: "array", items: text },
    inputs: { type: "object", additionalProperties: input },
    policy,
    schedule,
    channels: { type: "object", additionalProperties: channel },
    blocks: { type: "array", items: block },
    outputs: { type: "object", additionalProperties: { ...output, type: ["string", "object"] } },
  },
  { name: true, blocks: true },
);

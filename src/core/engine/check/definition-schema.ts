import { MAX_ATTEMPTS, MAX_CALL_DEPTH, MAX_DURATION_MS } from "../../model/limits.ts";
import type { JsonSchema } from "../../model/run.ts";

/** Keys of a definition that have other spellings in other formats. */
export interface DefinitionSpelling {
  readonly dependsOn: string;
  readonly continueOnError: readonly string[];
  readonly maxDepth: string;
  readonly retry: string;
  readonly timeoutMs: string;
  readonly forEach: string;
  readonly maxParallel: string;
  readonly maxAttempts: string;
  readonly delayMs: string;
  readonly maxDelayMs: string;
  /** Names of value types. */
  readonly types: readonly string[];
}

/** The form of a definition as a JSON Schema, for checking and for editors. */
export function definitionSchema(spelling: DefinitionSpelling): JsonSchema {
  const about: JsonSchema = { type: "string", description: "A text for people." };
  const type: JsonSchema = { type: "string", enum: spelling.types, description: "What values it takes." };
  const dependency: JsonSchema = {
    type: ["string", "object"],
    description: "The id of a block, or the id with whether it must have run.",
    properties: {
      block: { type: "string", description: "The id of a block of this workflow." },
      required: { type: "boolean", description: "Whether this block is skipped where the other one was. Default: true." },
    },
    required: ["block"],
    additionalProperties: false,
  };
  const retry: JsonSchema = {
    type: "object",
    description: "When the block is tried again after a failure.",
    properties: {
      [spelling.maxAttempts]: {
        type: "integer",
        minimum: 1,
        maximum: MAX_ATTEMPTS,
        description: "Executions in all, the first one counted.",
      },
      [spelling.delayMs]: {
        type: "integer",
        minimum: 0,
        maximum: MAX_DURATION_MS,
        description: "Milliseconds before the second attempt. Default: 1000.",
      },
      backoff: { type: "number", minimum: 1, maximum: 10, description: "What each delay is multiplied with to give the next. Default: 2." },
      [spelling.maxDelayMs]: { type: "integer", minimum: 0, maximum: MAX_DURATION_MS, description: "No delay is longer. Default: 60000." },
      jitter: { type: "number", minimum: 0, maximum: 1, description: "Part of each delay that is left to chance. Default: 0." },
    },
    required: [spelling.maxAttempts],
    additionalProperties: false,
  };
  const fileOutput: JsonSchema = {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "Relative to the root of the host's files; $SCRATCH/… for the step's own folder.",
      },
      type,
      description: about,
      validation: { type: "string", description: "A pattern (RE2) that the text must match at its start." },
      required: { type: "boolean", description: "Whether a missing file fails the block. Default: true." },
      unsafe: { type: "boolean", description: "Allows an absolute path, where the host allows such paths. Default: false." },
    },
    required: ["path"],
    additionalProperties: false,
  };
  const block: JsonSchema = {
    type: "object",
    properties: {
      id: { type: "string", description: "Unique in the workflow: letters, digits, _ and -." },
      type: { type: "string", description: "What the block does: a built-in block type or one of the host's own." },
      description: about,
      inputs: { type: "object", description: "Templates, resolved just before the block runs." },
      [spelling.dependsOn]: { type: "array", items: dependency, description: "What must have settled before this block runs." },
      condition: { type: ["string", "boolean"], description: "The block is skipped where this is false." },
      ...Object.fromEntries(
        spelling.continueOnError.map((key) => [key, { type: "boolean", description: "A failure of this block does not fail the run." }]),
      ),
      [spelling.retry]: retry,
      [spelling.timeoutMs]: {
        type: "integer",
        minimum: 1,
        maximum: MAX_DURATION_MS,
        description: "How long one attempt may take, waiting left out.",
      },
      [spelling.forEach]: { description: "A list, an object or a reference to one: the block runs once for each item." },
      [spelling.maxParallel]: { type: "integer", minimum: 1, description: "Items that run at the same time." },
      outputs: { type: "object", additionalProperties: fileOutput, description: "Outputs read from files after the block has run." },
      [spelling.maxDepth]: {
        type: "integer",
        minimum: 1,
        maximum: MAX_CALL_DEPTH,
        description: "How often the called workflow may stand in the chain of its callers. Default: 1, no recursion.",
      },
    },
    required: ["id", "type"],
    additionalProperties: false,
  };
  const input: JsonSchema = {
    type: "object",
    properties: {
      type,
      description: about,
      required: { type: "boolean", description: "Whether a run must be given it. Default: true where there is no default." },
      default: { description: "Taken where a run is not given it." },
      enum: { type: "array", minItems: 1, description: "The values it may have." },
      secret: { type: "boolean", description: "Kept out of the store, events, errors and outputs. Default: false." },
    },
    required: ["type"],
    additionalProperties: false,
  };
  const output: JsonSchema = {
    type: ["string", "object"],
    properties: { value: { description: "A template." }, type, description: about },
    required: ["value"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: {
      name: { type: "string", description: "What it is started and called by: letters, digits, _ and -." },
      description: about,
      version: { type: "string", description: "A text: write it in quotation marks." },
      author: about,
      tags: { type: "array", items: { type: "string" }, description: "What lists of workflows are filtered by." },
      inputs: { type: "object", additionalProperties: input, description: "What a run is given." },
      blocks: { type: "array", items: block, description: "The steps, in any order." },
      outputs: { type: "object", additionalProperties: output, description: "What a run gives, by templates." },
    },
    required: ["name", "blocks"],
    additionalProperties: false,
  };
}

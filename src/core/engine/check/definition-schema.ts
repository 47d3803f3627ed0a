import { MAX_ATTEMPTS, MAX_CALL_DEPTH, MAX_DURATION_MS, MAX_SUPERSTEPS } from "../../model/limits.ts";
import type { JsonSchema } from "../../model/run.ts";

/** Keys of a definition that have other spellings in other formats. */
export interface DefinitionSpelling {
  readonly dependsOn: string;
  readonly continueOnError: readonly string[];
  readonly maxDepth: string;
  readonly maxIterations: string;
  readonly retry: string;
  readonly timeoutMs: string;
  readonly forEach: string;
  readonly maxParallel: string;
  readonly maxAttempts: string;
  readonly delayMs: string;
  readonly maxDelayMs: string;
  readonly answerTimeoutMs: string;
  readonly onTimeout: string;
  readonly onRevise: string;
  /** Names of value types. */
  readonly types: readonly string[];
}

/** The form of a definition as a JSON Schema, for checking and for editors. */
export function definitionSchema(spelling: DefinitionSpelling): JsonSchema {
  const about: JsonSchema = { type: "string", description: "A text for people." };
  const typeFor = (description: string): JsonSchema => ({ type: "string", enum: spelling.types, description });
  const dependency: JsonSchema = {
    type: ["string", "object"],
    description: "The id of a block, or the id with whether it must have run.",
    properties: {
      block: { type: "string", description: "The id of a block of this workflow." },
      required: { type: "boolean", description: "Whether this block is skipped where the other one was. Default: `true`." },
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
        description: "Milliseconds before the second attempt. Default: 1,000.",
      },
      backoff: { type: "number", minimum: 1, maximum: 10, description: "What each delay is multiplied with to give the next. Default: 2." },
      [spelling.maxDelayMs]: {
        type: "integer",
        minimum: 0,
        maximum: MAX_DURATION_MS,
        description: "Milliseconds; no delay is longer. Not less than the first delay. Default: 60,000.",
      },
      jitter: { type: "number", minimum: 0, maximum: 1, description: "The part of each delay that is left to chance. Default: 0." },
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
        description: "Relative to the root of the host's files; `$SCRATCH/…` for the folder that a step has to itself. A template.",
      },
      type: typeFor("What the text is converted to. Default: `string`."),
      description: about,
      validation: { type: "string", description: "A pattern (RE2 syntax) that the text must match from its start on." },
      required: {
        type: "boolean",
        description: "Whether a missing file fails the block. Otherwise the output is `null`. Default: `true`.",
      },
      unsafe: { type: "boolean", description: "Allows an absolute path, where the host allows such paths. Default: `false`." },
    },
    required: ["path"],
    additionalProperties: false,
  };
  const onTimeout: JsonSchema = {
    type: ["string", "object"],
    pattern: "^(?:fail|skip)$",
    description: "What follows where nobody answers in time: `fail`, `skip`, or an answer. Default: `fail`.",
    properties: { answer: { description: "The answer that is taken then, as it is written." } },
    required: ["answer"],
    additionalProperties: false,
  };
  const block: JsonSchema = {
    type: "object",
    properties: {
      id: { type: "string", description: "Unique in the workflow: letters, digits, `_` and `-`, at most 128." },
      type: { type: "string", description: "What the block does: a built-in block type or one of the host's own." },
      description: about,
      inputs: { type: "object", description: "What the block type takes. Texts in it are templates, resolved just before the block runs." },
      [spelling.dependsOn]: { type: "array", items: dependency, description: "What must have settled before this block runs." },
      condition: { type: ["string", "boolean"], description: "The block is skipped where this is false." },
      ...Object.fromEntries(
        spelling.continueOnError.map((key, i) => [
          key,
          {
            type: "boolean",
            description:
              i === 0
                ? "Whether the run goes on where this block fails. Default: `false`."
                : `The same as \`${spelling.continueOnError[0]!}\`.`,
          },
        ]),
      ),
      [spelling.retry]: retry,
      [spelling.timeoutMs]: {
        type: "integer",
        minimum: 1,
        maximum: MAX_DURATION_MS,
        description: "Milliseconds one attempt may take, waiting for answers and instants left out. Default: as long as it takes.",
      },
      [spelling.forEach]: { description: "A list, an object or a reference to one: the block runs once for each item." },
      [spelling.maxParallel]: {
        type: "integer",
        minimum: 1,
        description: "How many items run at the same time. Default: as many as blocks of a wave.",
      },
      outputs: { type: "object", additionalProperties: fileOutput, description: "Outputs read from files after the block has run." },
      [spelling.maxIterations]: {
        type: "integer",
        minimum: 1,
        maximum: MAX_SUPERSTEPS,
        description: "How often the block may run where it asks to run again. Default: 100.",
      },
      effect: {
        type: "string",
        enum: ["once"],
        description: "`once`: the block is never executed again where nobody knows whether it took effect; somebody is asked instead.",
      },
      [spelling.answerTimeoutMs]: {
        type: "integer",
        minimum: 1,
        maximum: MAX_DURATION_MS,
        description: "Milliseconds that a question of the block waits for its answer. Default: as long as it takes.",
      },
      [spelling.onTimeout]: onTimeout,
      skippable: {
        type: "boolean",
        description: "Whether whoever is asked may leave the question out. The block is skipped then. Default: `false`.",
      },
      [spelling.onRevise]: {
        type: "string",
        enum: ["keep", "review", "ask_again"],
        description: "What a revision does with an answer of the block: keeps it, shows it for review, or asks anew. Default: `keep`.",
      },
      [spelling.maxDepth]: {
        type: "integer",
        minimum: 1,
        maximum: MAX_CALL_DEPTH,
        description: "How many runs of the called workflow one chain of calls may hold, the new one included. Default: 1, no recursion.",
      },
    },
    required: ["id", "type"],
    additionalProperties: false,
  };
  const input: JsonSchema = {
    type: "object",
    properties: {
      type: typeFor("What values it takes."),
      description: about,
      required: { type: "boolean", description: "Whether a run must be given it. Default: `true` where there is no `default`." },
      default: { description: "The value where a run is not given one." },
      enum: { type: "array", minItems: 1, description: "The values it may have." },
      secret: { type: "boolean", description: "Whether the value is kept out of the store, events, errors and outputs. Default: `false`." },
    },
    required: ["type"],
    additionalProperties: false,
  };
  const output: JsonSchema = {
    type: ["string", "object"],
    properties: {
      value: { description: "A template." },
      type: typeFor("What the value is converted to. Default: it is left as it is."),
      description: about,
    },
    required: ["value"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: {
      name: { type: "string", description: "What it is started and called by: letters, digits, `_` and `-`, at most 128." },
      description: about,
      version: { type: "string", description: "A text: write it in quotation marks." },
      author: about,
      tags: { type: "array", items: { type: "string" }, description: "What a registry finds it by." },
      inputs: { type: "object", additionalProperties: input, description: "What a run is given, by name." },
      blocks: { type: "array", items: block, description: "The steps, in any order." },
      outputs: {
        type: "object",
        additionalProperties: output,
        description: "What a run gives, by name: a template, or an object with one. Default: nothing.",
      },
    },
    required: ["name", "blocks"],
    additionalProperties: false,
  };
}

import { MAX_CALL_DEPTH } from "../../model/limits.ts";
import type { JsonSchema } from "../../model/run.ts";

/** Keys of a definition that have other spellings in other formats. */
export interface DefinitionSpelling {
  readonly dependsOn: string;
  readonly continueOnError: readonly string[];
  readonly maxDepth: string;
  /** Names of value types. */
  readonly types: readonly string[];
}

/** The form of a definition as a JSON Schema, for checking and for editors. */
export function definitionSchema(spelling: DefinitionSpelling): JsonSchema {
  const text: JsonSchema = { type: "string" };
  const type: JsonSchema = { type: "string", enum: spelling.types };
  const dependency: JsonSchema = {
    type: ["string", "object"],
    properties: { block: text, required: { type: "boolean" } },
    required: ["block"],
    additionalProperties: false,
  };
  const block: JsonSchema = {
    type: "object",
    properties: {
      id: text,
      type: text,
      description: text,
      inputs: { type: "object", description: "Templates, resolved just before the block runs." },
      [spelling.dependsOn]: { type: "array", items: dependency },
      condition: { type: ["string", "boolean"], description: "The block is skipped where this is false." },
      ...Object.fromEntries(
        spelling.continueOnError.map((key) => [key, { type: "boolean", description: "A failure of this block does not fail the run." }]),
      ),
      [spelling.maxDepth]: { type: "integer", minimum: 1, maximum: MAX_CALL_DEPTH },
    },
    required: ["id", "type"],
    additionalProperties: false,
  };
  const input: JsonSchema = {
    type: "object",
    properties: { type, description: text, required: { type: "boolean" }, default: {}, enum: { type: "array", minItems: 1 } },
    required: ["type"],
    additionalProperties: false,
  };
  const output: JsonSchema = {
    type: ["string", "object"],
    properties: { value: {}, type, description: text },
    required: ["value"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: {
      name: text,
      description: text,
      version: text,
      author: text,
      tags: { type: "array", items: text },
      inputs: { type: "object", additionalProperties: input },
      blocks: { type: "array", items: block },
      outputs: { type: "object", additionalProperties: output },
    },
    required: ["name", "blocks"],
    additionalProperties: false,
  };
}

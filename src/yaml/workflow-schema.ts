import { NAME } from "../core/model/ids.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import type { Values } from "../core/model/value.ts";
import type { BlockType } from "../core/ports/block.ts";
import { OLDER_CONTINUE } from "./format.ts";
import { describedFormat } from "./workflow-texts.ts";

/** A JSON Schema with keywords beyond those that Wavepoint itself checks. */
interface EditorSchema {
  readonly [keyword: string]: unknown;
}

/** A text with a reference stands for any value: what it gives is known when the block runs. */
const REFERENCE = { $ref: "#/$defs/reference" };

/**
 * A JSON Schema (draft 2020-12) of workflow files in which blocks of these types stand, for editors. It knows the form of a workflow and the
 * inputs of each block type that describes them by a JSON Schema; what takes more, references for example, `checkWorkflow` finds.
 */
export function workflowSchema(blockTypes: readonly BlockType[]): Values {
  const { properties = {}, ...format } = describedFormat();
  const { name, inputs, blocks, outputs } = properties;
  const schema: EditorSchema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "workflow.schema.json",
    title: "Workflow",
    description: "A Wavepoint workflow: a name, inputs, blocks and outputs.",
    ...format,
    properties: {
      ...properties,
      name: { ...name, pattern: NAME.source },
      inputs: { ...inputs, propertyNames: { pattern: NAME.source } },
      blocks: { ...blocks, items: blockSchema(blocks!.items!, blockTypes) },
      outputs: { ...outputs, propertyNames: { pattern: NAME.source } },
    },
    $defs: { reference: { type: "string", pattern: "\\$\\{", description: "A reference: ${inputs.name}, ${blocks.id.field}." } },
  };
  return JSON.parse(JSON.stringify(schema)) as Values;
}

function blockSchema(block: JsonSchema, blockTypes: readonly BlockType[]): EditorSchema {
  const { id, type } = block.properties!;
  return {
    title: "Block",
    ...block,
    properties: {
      ...block.properties,
      id: { ...id, pattern: NAME.source },
      type: { ...type, enum: blockTypes.map((blockType) => blockType.type).toSorted() },
    },
    allOf: blockTypes.flatMap(inputsByType),
  };
}

function inputsByType({ type, description, inputs }: BlockType): readonly EditorSchema[] {
  if (inputs === undefined || !("jsonSchema" in inputs)) return [];
  const { properties, required = [], ...schema } = inputs.jsonSchema;
  const older = type === OLDER_CONTINUE.type ? { [OLDER_CONTINUE.input]: { type: "boolean", deprecated: true } } : {};
  const inputsSchema: EditorSchema = {
    title: `Inputs of ${type}`,
    ...(description === undefined ? {} : { description }),
    ...schema,
    properties: { ...mapValues(properties ?? {}, orReference), ...older },
    required,
  };
  return [
    {
      if: { properties: { type: { const: type } }, required: ["type"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; it is never awaited
      then: { properties: { inputs: inputsSchema }, ...(required.length > 0 ? { required: ["inputs"] } : {}) },
    },
  ];
}

/** The schema of an input, at any depth, that also takes a reference in place of a value. */
function orReference({ title, description, default: value, ...schema }: JsonSchema): EditorSchema {
  const about = Object.fromEntries(Object.entries({ title, description, default: value }).filter(([, member]) => member !== undefined));
  const inner: EditorSchema = {
    ...schema,
    ...(schema.properties ? { properties: mapValues(schema.properties, orReference) } : {}),
    ...(schema.items ? { items: orReference(schema.items) } : {}),
    ...(typeof schema.additionalProperties === "object" ? { additionalProperties: orReference(schema.additionalProperties) } : {}),
  };
  return takesAnyText(schema) ? { ...about, ...inner } : { ...about, anyOf: [inner, REFERENCE] };
}

/** Whether every text with a reference fits as it is. */
function takesAnyText({ type, enum: choices, const: only, oneOf, pattern, format, minLength = 0, maxLength }: JsonSchema): boolean {
  if (choices ?? only ?? oneOf ?? pattern ?? format ?? maxLength) return false;
  return minLength <= 1 && (type === undefined || [type].flat().includes("string"));
}

function mapValues<From, To>(members: { readonly [name: string]: From }, map: (member: From) => To): { readonly [name: string]: To } {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]));
}

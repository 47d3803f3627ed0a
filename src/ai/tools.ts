import { executeWorkflowBlock } from "../core/blocks/execute-workflow.ts";
import { errorData, isHostError, WorkflowError } from "../core/model/errors.ts";
import { isName } from "../core/model/ids.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import type { Values } from "../core/model/value.ts";
import type { InputDeclaration, Workflow } from "../core/model/workflow.ts";
import { type BlockContext, type BlockResult, type BlockType, failure } from "../core/ports/block.ts";
import { describeStandard } from "../core/ports/standard-schema.ts";

/** What a model may have done: by a block type, or by a workflow. */
export interface AgentTool {
  readonly block?: BlockType;
  readonly workflow?: Workflow;
  /** What it is for, as the model reads it. Default: the description of the block type or workflow. */
  readonly description?: string;
  /** Inputs that the host gives and the model never sees. Templates, which see what the agent was given: `${inputs.task.context.user}`. */
  readonly inputs?: Values;
  /** Whether a person is asked before each call. Default: true for workflows and for block types with an `effect`, else false. */
  readonly approval?: boolean;
  /** Whether a call with the same arguments is answered with what it gave before, in the same agent. Not for tools that ask first. Default: false. */
  readonly cache?: boolean;
}

/** A tool as agents use it. */
export interface ReadyTool {
  readonly name: string;
  readonly description: string;
  /** What arguments look like. */
  readonly schema: JsonSchema;
  readonly approval: boolean;
  readonly cache: boolean;
  /** The type of the blocks that are its calls. */
  readonly type: BlockType;
  /** What such a block is given, by its arguments and by the turn that wants it. */
  readonly inputsOf: (given: Values, turn: number) => Values;
}

/** The name of the run of an agent: the blocks that it is made of stand nowhere else, or a workflow could call a tool without the question about it. */
export const AGENT_RUN = "wavepoint-agent";

/** The type of the blocks that call a tool. */
const typeOf = (name: string): string => `Tool_${name}`;

/** Makes a tool of a block type or a workflow ready. Throws `ID_INVALID` and `SCHEMA_INVALID`. */
export function readTool(name: string, tool: AgentTool): ReadyTool {
  const { block, workflow, inputs: fixed = {}, description, approval, cache = false } = tool;
  if (!isName(name))
    throw new WorkflowError("ID_INVALID", `A tool cannot be named ${JSON.stringify(name)}. Use letters, digits, "_" and "-".`);
  if (block) {
    return {
      name,
      description: description ?? block.description ?? name,
      schema: withoutFixed(schemaOf(name, block), fixed),
      approval: approval ?? block.effect !== undefined,
      cache,
      type: asTool(name, block),
      inputsOf: (given) => ({ ...given, ...fixed }),
    };
  }
  if (!workflow) throw new WorkflowError("SCHEMA_INVALID", `Tool "${name}" does nothing. Give it a block or a workflow.`);
  return {
    name,
    description: description ?? workflow.description ?? name,
    schema: withoutFixed(inputSchema(workflow.inputs ?? {}), fixed),
    approval: approval ?? true,
    cache,
    type: { ...asTool(name, executeWorkflowBlock), calls: [workflow] },
    inputsOf: (given) => ({ workflow: workflow.name, inputs: { ...given, ...fixed } }),
  };
}

/** The same block type, for the runs of agents alone, whose failures say to the model what went wrong. */
export function asTool(name: string, block: BlockType): BlockType {
  const told = async (context: BlockContext<never>, work: (context: never) => BlockResult | Promise<BlockResult>): Promise<BlockResult> => {
    let result: BlockResult;
    try {
      result = await work(context as never);
    } catch (error) {
      if (isHostError(error) || context.signal.aborted) throw error;
      result = failure({ ...errorData(error, "BLOCK_FAILED"), cause: error });
    }
    return result.status === "failure" ? { ...result, outputs: { error: result.error.message } } : result;
  };
  const { execute, resume } = block;
  return {
    ...block,
    type: typeOf(name),
    within: AGENT_RUN,
    execute: (context) => told(context, (same) => execute.call(block, same)),
    ...(resume ? { resume: (context) => told(context, (same) => resume.call(block, same)) } : {}),
  };
}

function schemaOf(name: string, { inputs }: BlockType): JsonSchema {
  if (!inputs) return { type: "object", properties: {} };
  return "jsonSchema" in inputs ? inputs.jsonSchema : (describeStandard(inputs, `The inputs of tool ${name}`) as JsonSchema);
}

/** Inputs of a workflow as a JSON Schema. Secret ones are for the host to give: no model sees or sets them. */
function inputSchema(declared: { readonly [name: string]: InputDeclaration }): JsonSchema {
  const inputs = Object.entries(declared).filter(([, { secret }]) => !secret);
  const properties = inputs.map(([name, { type, description, enum: choices }]): [string, JsonSchema] => [
    name,
    { type, ...(description === undefined ? {} : { description }), ...(choices ? { enum: choices } : {}) },
  ]);
  const required = inputs.flatMap(([name, { required: needed, default: preset }]) => ((needed ?? preset === undefined) ? [name] : []));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** Without what the host gives. What is not declared is refused, so that a model cannot reach past the tool that it was shown. */
function withoutFixed({ properties = {}, required = [], ...schema }: JsonSchema, fixed: Values): JsonSchema {
  const left = Object.entries(properties).filter(([name]) => !Object.hasOwn(fixed, name));
  return {
    ...schema,
    type: "object",
    properties: Object.fromEntries(left),
    required: required.filter((name) => !Object.hasOwn(fixed, name)),
    additionalProperties: false,
  };
}

import { defineBlock } from "../core/blocks/define-block.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import type { Values } from "../core/model/value.ts";
import type { Workflow } from "../core/model/workflow.ts";
import type { BlockContext, BlockResult, BlockType } from "../core/ports/block.ts";
import { APPROVAL_SCHEMA, CONTEXT_SCHEMA } from "./agent-options.ts";
import { answerOfRun } from "./answer-of-run.ts";
import { MODELS_SCHEMA } from "./llm.ts";
import { LIMITS_SCHEMA } from "./spending.ts";

/** A block that lets several agents work on one request. */
export interface Team extends Pick<BlockType, "type" | "description" | "checkInputs"> {
  /** The workflow that does the work, in a run of its own. */
  readonly run: Workflow;
  /** The description of the input `models`. */
  readonly models: string;
  /** Inputs beside those that every team takes. */
  readonly inputs: { readonly [name: string]: JsonSchema };
  readonly required: readonly string[];
  readonly outputs: JsonSchema;
}

/** Makes the block type of a team. Its agents use its models where they have none of their own, and keep to its limits. */
export function teamBlock(agent: BlockType, { run, models, inputs, required, outputs, ...team }: Team): BlockType {
  const work = (context: BlockContext<unknown>): Promise<BlockResult<Values>> => answerOfRun(context, run, context.inputs as Values);
  return defineBlock({
    ...team,
    needs: agent.needs!,
    effect: "repeatable",
    channels: {},
    calls: [run, ...agent.calls!],
    inputs: {
      jsonSchema: {
        type: "object",
        properties: {
          prompt: { type: "string", minLength: 1, description: "What is to be done." },
          models: { ...MODELS_SCHEMA, description: models },
          ...inputs,
          limits: { ...LIMITS_SCHEMA, description: "What the models of each agent may use, and those of this block." },
          approval: APPROVAL_SCHEMA,
          context: CONTEXT_SCHEMA,
        },
        required: ["prompt", "models", ...required],
        additionalProperties: false,
      },
    },
    outputs: { jsonSchema: outputs },
    execute: work,
    resume: work,
  } as Parameters<typeof defineBlock>[0]);
}

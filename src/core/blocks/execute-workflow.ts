import { calledOutputs } from "../model/called-outputs.ts";
import { parseCheckpointId } from "../model/ids.ts";
import type { Pause } from "../model/run.ts";
import { failure, success } from "../ports/block.ts";
import type { BlockContext, BlockResult, BlockType, Question } from "../ports/block.ts";
import type { Values } from "../model/value.ts";
import { defineBlock } from "./define-block.ts";

interface Call {
  readonly workflow: string;
  readonly inputs: Values;
}

/**
 * Runs another workflow and gives its outputs as its own. What the called workflow asks, this block asks; an answer goes on in the called
 * run. Seed 2, "ExecuteWorkflow Block".
 */
export const executeWorkflowBlock: BlockType = defineBlock({
  type: "ExecuteWorkflow",
  description: "Runs another workflow and gives its outputs as its own.",
  channels: {},
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        workflow: { type: "string", minLength: 1, description: "The name of a workflow that the executor has loaded." },
        inputs: { type: "object", default: {}, description: "What it is given; it sees nothing else." },
        timeout: {
          type: "number",
          minimum: 0.001,
          maximum: 1_000_000,
          default: 600,
          description: "Seconds that it may work, unless the block has `timeout_ms`.",
        },
      },
      required: ["workflow"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      description: "The outputs of the called workflow. Where it declares none of these names, also:",
      properties: {
        success: { description: "`true`." },
        workflow: { description: "The name of the called workflow." },
        workflow_name: { description: "The same." },
        execution_time_ms: { description: "Milliseconds from its start to its end." },
        execution_time: { description: "The same in seconds." },
        total_blocks: { description: "How many blocks it has." },
        execution_waves: { description: "How many waves." },
      },
    },
  },
  execute: callWorkflow,
  resume: callWorkflow,
});

function callWorkflow({ call, inputs }: BlockContext<Call & { readonly timeout: number }>): Promise<BlockResult<Values>> {
  const timeoutMs = inputs.timeout * 1_000;
  return runWorkflow({ call: (workflow, given) => call(workflow, given, { timeoutMs }) }, inputs);
}

/** Runs a workflow and asks what it asks. Called again after an answer: `call` finds the run it made before. */
export async function runWorkflow({ call }: Pick<BlockContext<unknown>, "call">, { workflow, inputs }: Call): Promise<BlockResult<Values>> {
  const child = await call(workflow, inputs);
  const { result } = child;
  if (result.status === "success") return success(calledOutputs(child, result.outputs));
  if (result.status === "waiting") return result;
  // It waits for something that is no question: a signal, or that it is resumed.
  if (result.status === "paused" && result.pauses.length === 0) return { status: "waiting" };
  if (result.status === "paused") return { status: "paused", questions: result.pauses.map(questionOf) };
  const { code, message, cause } = result.error;
  return failure({
    code: "CHILD_FAILED",
    message: `The workflow "${child.workflow}" failed: ${message}`,
    details: { workflow: child.workflow, run: result.run, code },
    cause,
  });
}

function questionOf({
  id,
  title,
  prompt,
  schema,
  prefill,
  sensitive,
  allows,
  metadata,
  path,
  type,
  expiresAt,
  earlier,
  again,
}: Pause): Question {
  const checkpoint = parseCheckpointId(id);
  if (!checkpoint) throw new TypeError(`${id} is no id of a pause.`);
  const called = {
    pause: checkpoint.number,
    path,
    asks: type,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(earlier ? { earlier } : {}),
    ...(again ? { again } : {}),
    ...(allows.skip ? { skippable: true } : {}),
    ...(allows.decline ? { declinable: true } : {}),
  };
  return {
    prompt,
    schema,
    metadata,
    ...(title === undefined ? {} : { title }),
    ...(prefill === undefined ? {} : { prefill }),
    ...(sensitive ? { sensitive } : {}),
    child: called,
  };
}

import { defineBlock } from "../core/blocks/define-block.ts";
import type { Values } from "../core/model/value.ts";
import { type BlockContext, type BlockResult, type BlockType, type InputProblem, neededBy } from "../core/ports/block.ts";
import { AGENT_LOOP } from "./agent-loop.ts";
import {
  APPROVAL_SCHEMA,
  askingTool,
  type AgentOptions,
  CONTEXT_SCHEMA,
  type Equipment,
  findUnknown,
  readOptions,
  type Task,
} from "./agent-options.ts";
import { agentTurn } from "./agent-turn.ts";
import { answerOfRun } from "./answer-of-run.ts";
import { agentApproval, agentDispatch } from "./approval.ts";
import { graphBlocks } from "./graph.ts";
import { linearBlocks } from "./linear.ts";
import { checkAsked, FILES_SCHEMA, llmBlock, MESSAGES_SCHEMA, MODELS_SCHEMA } from "./llm.ts";
import { LIMITS_SCHEMA, USED_SCHEMA } from "./spending.ts";

const NAMES = { type: "array", items: { type: "string", minLength: 1 } } as const;

/**
 * The blocks `LLM`, `Agent`, `Linear` and `Graph`, and those that agents are made of, for `createExecutor({ blocks })`. Throws `KEY_UNKNOWN`, and `ID_INVALID`, `ID_DUPLICATE` and `SCHEMA_INVALID` for
 * tools and agents that cannot be.
 */
export function agentBlocks(options: AgentOptions = {}): readonly BlockType[] {
  const equipment = readOptions(options);
  const agent = agentBlock(equipment);
  for (const [name, profile] of Object.entries(equipment.agents)) equipment.tools.set(name, askingTool(name, profile, agent));
  const tools = [...equipment.tools.values()].map(({ type }) => type);
  const turns = [agentTurn(equipment), agentApproval(equipment), agentDispatch(equipment)];
  return [llmBlock, agent, ...linearBlocks(equipment, agent), ...graphBlocks(equipment, agent), ...turns, ...tools];
}

function agentBlock(equipment: Equipment): BlockType {
  const types = [...equipment.tools.values()].map(({ type }) => type);
  const run = (context: BlockContext<Task>): Promise<BlockResult<Values>> => {
    const { models = [], ...task } = context.inputs;
    return answerOfRun(context, AGENT_LOOP, { ...task, models } as unknown as Values);
  };
  return defineBlock({
    type: "Agent",
    description: "Lets a language model work with tools until it has an answer.",
    needs: [...new Set(["models" as const, ...types.flatMap((type) => neededBy(type))])],
    effect: "repeatable",
    channels: {},
    calls: [AGENT_LOOP, ...types.flatMap(({ calls = [] }) => calls)],
    inputs: {
      jsonSchema: {
        type: "object",
        properties: {
          prompt: { type: "string", minLength: 1, description: "What it is to do. After `messages`, where both are given." },
          messages: MESSAGES_SCHEMA,
          files: FILES_SCHEMA,
          agent: { type: "string", description: "An agent of the host, with its instructions and its tools." },
          models: { ...MODELS_SCHEMA, minItems: 0 },
          instructions: { type: "string", description: "What it is to keep to." },
          tools: { ...NAMES, description: "Tools and agents of the host that it may use. Default: those of `agent`, else none." },
          approval: APPROVAL_SCHEMA,
          hand_over: { ...NAMES, description: "Agents of the host to which it may hand the work over." },
          max_iterations: { type: "integer", minimum: 1, maximum: 200, default: 25, description: "How often a model is asked at most." },
          temperature: { type: "number", minimum: 0, description: "How much chance is in what it says." },
          max_tokens: { type: "integer", minimum: 1, description: "How many tokens each reply may have." },
          limits: LIMITS_SCHEMA,
          context: CONTEXT_SCHEMA,
        },
        additionalProperties: false,
      },
    },
    outputs: {
      jsonSchema: {
        type: "object",
        properties: {
          text: { type: "string", description: "The answer." },
          model: { type: "string", description: "The name of the model that gave it." },
          agent: { type: "string", description: "The agent that gave it, where the work was handed over." },
          turns: { type: "integer", description: "How often a model was asked." },
          used: USED_SCHEMA,
        },
        required: ["text", "model", "turns", "used"],
      },
    },
    checkInputs: (given, written) => [...checkAsked(written), ...checkNames(equipment, given, written)],
    execute: (context) => run(context as unknown as BlockContext<Task>),
    resume: (context) => run(context as unknown as BlockContext<Task>),
  } as Parameters<typeof defineBlock>[0]);
}

/** What is wrong with the names in the inputs of an agent. */
function checkNames({ tools, agents }: Equipment, given: Values, written: Values): InputProblem[] {
  const problems = [
    ...findUnknown("tools", given["tools"], [...tools.keys()]),
    ...findUnknown("approval", given["approval"], [...tools.keys()]),
    ...findUnknown("hand_over", given["hand_over"], Object.keys(agents)),
    ...findUnknown("agent", [given["agent"]], Object.keys(agents)),
  ];
  if (written["models"] === undefined && written["agent"] === undefined) {
    problems.push({
      input: "models",
      code: "BLOCK_INPUT_INVALID",
      message: "There is no model to ask. Give models, or an agent of the host that has some.",
    });
  }
  return problems;
}

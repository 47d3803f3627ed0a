import { defineBlock } from "../core/blocks/define-block.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { isRecord, type Values } from "../core/model/value.ts";
import type { Block, Workflow } from "../core/model/workflow.ts";
import { type BlockContext, type BlockType, type InputProblem, success } from "../core/ports/block.ts";
import { MAX_AGENTS } from "./agent-loop.ts";
import { type Equipment, findUnknown } from "./agent-options.ts";
import { askModels, loadModels } from "./ask-models.ts";
import { type Limits, NOTHING_USED, type Used, USED_SCHEMA } from "./spending.ts";
import { teamBlock } from "./team-block.ts";

/** Where a graph ends, among the states that may follow one. */
const END = "end";

/** The run of `Graph`: a step chooses a state, and adds the agent that is at work in it and the next step. */
const GRAPH_RUN: Workflow = {
  name: "wavepoint-graph",
  description: "The states of a graph of agents.",
  inputs: { task: { type: "object" } },
  channels: {
    messages: { type: "array", reduce: "append", description: "What was said in the states so far." },
    answer: { description: "What the last state came to." },
  },
  blocks: [{ id: "step_1", type: "GraphStep", inputs: { task: "${inputs.task}", step: 1, path: [] } }],
  outputs: { answer: "${channels.answer}" },
};

interface State {
  readonly agent: string;
  readonly prompt?: string;
  readonly next?: readonly string[];
}

interface GraphTask {
  readonly prompt: string;
  readonly models: readonly string[];
  readonly limits: Limits;
  readonly states: { readonly [name: string]: State };
  readonly start: string;
  readonly max_steps: number;
}

/** Agents as states, with ways between them that may lead back. */
export function graphBlocks(equipment: Equipment, agent: BlockType): readonly BlockType[] {
  const graph = teamBlock(agent, {
    type: "Graph",
    description: "Lets agents work in states, from one to the next.",
    run: GRAPH_RUN,
    models: "Models that choose between ways, and those of agents that have none of their own.",
    inputs: {
      states: {
        type: "object",
        description:
          "By name: the `agent` of the host that is at work, its `prompt`, and in `next` the states that may follow, `end` among them. Of several a model chooses. None: the graph ends.",
      },
      start: { type: "string", description: "The first state." },
      max_steps: { type: "integer", minimum: 1, maximum: 200, default: 25, description: "How many states are passed at most." },
    },
    required: ["states", "start"],
    outputs: {
      type: "object",
      properties: {
        text: { type: "string", description: "What the last state came to." },
        path: { type: "array", items: { type: "string" }, description: "The states that were passed, in order." },
        used: { ...USED_SCHEMA, description: "What choosing used. Each agent has its own." },
      },
      required: ["text", "path", "used"],
    },
    checkInputs: (given) => checkStates(equipment, given),
  });
  return [graph, graphStep()];
}

interface StepInputs {
  readonly task: GraphTask;
  readonly step: number;
  readonly path: readonly string[];
  /** What the state before came to. */
  readonly text?: string;
  readonly used?: Used;
}

function graphStep(): BlockType {
  return defineBlock({
    type: "GraphStep",
    within: GRAPH_RUN.name,
    description: "Chooses the state that follows, and adds its agent.",
    needs: ["models"],
    load: loadModels,
    channels: { reads: ["messages"], writes: ["messages", "answer"] },
    async execute(context) {
      const { task, step, path, text, used = NOTHING_USED } = context.inputs as unknown as StepInputs;
      if (text !== undefined) context.channels.write("messages", { role: "assistant", content: text });
      const state = path.at(-1);
      const ways = state === undefined ? [task.start] : (task.states[state]?.next ?? []);
      const chosen = ways.length > 1 ? await choose(context, { task, used, text: text ?? "", ways }) : { to: ways[0] ?? END, used };
      const passed = [...path, chosen.to];
      if (chosen.to === END) context.channels.write("answer", { text: text ?? "", path, used: chosen.used });
      else if (step > task.max_steps) throw endless(task.max_steps, path);
      else context.add(stateBlocks(task, step, chosen.to));
      return success({ ...chosen, path: passed });
    },
  });
}

async function choose(
  context: BlockContext<unknown>,
  { task, used, text, ways }: { readonly task: GraphTask; readonly used: Used; readonly text: string; readonly ways: readonly string[] },
): Promise<{ readonly to: string; readonly used: Used }> {
  const reply = await askModels(context, {
    models: task.models,
    system: "Choose what follows.",
    messages: [
      { role: "user", content: task.prompt },
      { role: "assistant", content: text },
      { role: "user", content: `What follows: ${ways.join(", ")}?` },
    ],
    schema: { type: "object", properties: { next: { type: "string", enum: ways } }, required: ["next"], additionalProperties: false },
    limits: task.limits,
    used,
  });
  return { to: (reply.value as { readonly next: string }).next, used: reply.used };
}

/** The agent of a state, which knows what is asked and what was said so far, and the step after it. */
function stateBlocks({ states }: GraphTask, step: number, state: string): readonly Block[] {
  const id = `step_${step}_${state}`;
  const { agent, prompt } = states[state]!;
  const before = `blocks.step_${step}.outputs`;
  return [
    {
      id,
      type: "Agent",
      inputs: {
        agent,
        models: "${inputs.task.models}",
        approval: "${inputs.task.approval}",
        limits: "${inputs.task.limits}",
        context: "${inputs.task.context}",
        messages: step === 1 ? [] : "${channels.messages}",
        prompt: prompt === undefined ? "${inputs.task.prompt}" : `\${inputs.task.states[${JSON.stringify(state)}].prompt}`,
      },
      maxDepth: MAX_AGENTS,
    },
    {
      id: `step_${step + 1}`,
      type: "GraphStep",
      dependsOn: [id],
      inputs: {
        task: "${inputs.task}",
        step: step + 1,
        path: `\${${before}.path}`,
        used: `\${${before}.used}`,
        text: `\${blocks.${id}.outputs.text}`,
      },
    },
  ];
}

function endless(limit: number, path: readonly string[]): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `The graph passed ${limit} states and has not ended. Raise max_steps, or let its states lead to ${END}.`,
    {
      details: { limit, path: path.slice(-10) },
    },
  );
}

/** What is wrong with the states of a graph, where they are written without references. */
function checkStates({ agents }: Equipment, given: Values): InputProblem[] {
  const { states, start } = given;
  if (!isRecord(states)) return [];
  const names = Object.keys(states);
  const problems = start === undefined ? [] : findUnknown("start", [start], names);
  for (const [name, state] of Object.entries(states)) {
    if (!isRecord(state) || typeof state["agent"] !== "string" || !/^[\w-]+$/.test(name) || name === END) {
      const message = `State ${JSON.stringify(name)} is none: its name has letters, digits, "_" and "-" and is not ${END}, and it has an agent.`;
      problems.push({ input: "states", keys: [name], code: "BLOCK_INPUT_INVALID", message });
      continue;
    }
    problems.push(
      ...findUnknown("states", [state["agent"]], Object.keys(agents)),
      ...findUnknown("states", state["next"], [...names, END]),
    );
  }
  return problems;
}

import { defineBlock } from "../core/blocks/define-block.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import type { Block, Workflow } from "../core/model/workflow.ts";
import { type BlockType, success } from "../core/ports/block.ts";
import { MAX_AGENTS } from "./agent-loop.ts";
import { type Equipment, findUnknown } from "./agent-options.ts";
import { askModels, loadModels } from "./ask-models.ts";
import { type Limits, NOTHING_USED, USED_SCHEMA } from "./spending.ts";
import { teamBlock } from "./team-block.ts";

/** Tasks that one plan may have. */
const MAX_TASKS = 20;

/** The run of `Linear`: a plan, which adds its tasks, one after another, and what puts their results together. */
const LINEAR_RUN: Workflow = {
  name: "wavepoint-linear",
  description: "A plan and its tasks.",
  inputs: { task: { type: "object" } },
  channels: { answer: { description: "What the tasks came to." } },
  blocks: [{ id: "plan", type: "LinearPlan", inputs: { task: "${inputs.task}" } }],
  outputs: { answer: "${channels.answer}" },
};

interface LinearTask {
  readonly prompt: string;
  readonly models: readonly string[];
  readonly limits: Limits;
  readonly agents: readonly string[];
}

interface Planned {
  readonly agent: string;
  readonly prompt: string;
}

/** Lets a model plan tasks and agents do them in order. */
export function linearBlocks(equipment: Equipment, agent: BlockType): readonly BlockType[] {
  const linear = teamBlock(agent, {
    type: "Linear",
    description: "Lets a language model plan tasks, and agents do them one after another.",
    run: LINEAR_RUN,
    models: "Models that plan and put results together, and those of agents that have none of their own.",
    inputs: {
      agents: { type: "array", items: { type: "string" }, minItems: 1, description: "Agents of the host that may be given tasks." },
    },
    required: ["agents"],
    outputs: {
      type: "object",
      properties: {
        text: { type: "string", description: "The answer." },
        tasks: { type: "array", description: "The plan: the `agent` and `prompt` of each task." },
        results: { type: "array", description: "What came of each task." },
        used: { ...USED_SCHEMA, description: "What planning and putting together used. Each task has its own." },
      },
      required: ["text", "tasks", "results", "used"],
    },
    checkInputs: (given) => findUnknown("agents", given["agents"], Object.keys(equipment.agents)),
  });
  return [linear, linearPlan(equipment), linearAnswer()];
}

function linearPlan({ agents }: Equipment): BlockType {
  return defineBlock({
    type: "LinearPlan",
    within: LINEAR_RUN.name,
    description: "Asks a model for a plan, and adds its tasks.",
    needs: ["models"],
    load: loadModels,
    channels: {},
    async execute(context) {
      const { task } = context.inputs as unknown as { readonly task: LinearTask };
      const known = task.agents.map((name) => `${name}: ${agents[name]?.description ?? ""}`).join("\n");
      const { value, used, model } = await askModels(context, {
        models: task.models,
        system: `Plan what is asked as a list of tasks, in order, for these agents:\n${known}`,
        messages: [{ role: "user", content: task.prompt }],
        schema: planSchema(task.agents),
        limits: task.limits,
        used: NOTHING_USED,
      });
      const { tasks } = value as unknown as { readonly tasks: readonly Planned[] };
      context.add([...tasks.map(taskBlock), answerBlock(tasks.length)]);
      return success({ tasks, model, used });
    },
  });
}

function planSchema(agents: readonly string[]): JsonSchema {
  const task: JsonSchema = {
    type: "object",
    properties: { agent: { type: "string", enum: agents }, prompt: { type: "string", minLength: 1 } },
    required: ["agent", "prompt"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: { tasks: { type: "array", items: task, minItems: 1, maxItems: MAX_TASKS } },
    required: ["tasks"],
    additionalProperties: false,
  };
}

const taskId = (i: number): string => `task_${i + 1}`;
const textOf = (i: number): string => `\${blocks.${taskId(i)}.outputs.text}`;

/** An agent that knows what is asked in all, and what came of the tasks before its own. */
function taskBlock({ agent }: Planned, i: number): Block {
  const before = Array.from({ length: i }, (_, j) => ({ role: "assistant", content: textOf(j) }));
  return {
    id: taskId(i),
    type: "Agent",
    dependsOn: i === 0 ? [] : [taskId(i - 1)],
    inputs: {
      agent,
      models: "${inputs.task.models}",
      approval: "${inputs.task.approval}",
      limits: "${inputs.task.limits}",
      context: "${inputs.task.context}",
      messages: [{ role: "user", content: "${inputs.task.prompt}" }, ...before],
      prompt: `\${blocks.plan.outputs.tasks[${i}].prompt}`,
    },
    maxDepth: MAX_AGENTS,
  };
}

function answerBlock(tasks: number): Block {
  return {
    id: "answer",
    type: "LinearAnswer",
    dependsOn: [taskId(tasks - 1)],
    inputs: {
      task: "${inputs.task}",
      plan: "${blocks.plan.outputs}",
      results: Array.from({ length: tasks }, (_, i) => textOf(i)),
    },
  };
}

function linearAnswer(): BlockType {
  return defineBlock({
    type: "LinearAnswer",
    within: LINEAR_RUN.name,
    description: "Asks a model to put the results of tasks together.",
    needs: ["models"],
    load: loadModels,
    channels: { writes: ["answer"] },
    async execute(context) {
      const { task, plan, results } = context.inputs as unknown as {
        readonly task: LinearTask;
        readonly plan: { readonly tasks: readonly Planned[]; readonly used: typeof NOTHING_USED };
        readonly results: readonly string[];
      };
      const done = plan.tasks.map(({ prompt }, i) => `${prompt}\n${results[i] ?? ""}`).join("\n\n");
      const { text, used } = await askModels(context, {
        models: task.models,
        system: "Answer what was asked, from the results of these tasks.",
        messages: [
          { role: "user", content: task.prompt },
          { role: "user", content: done },
        ],
        limits: task.limits,
        used: plan.used,
      });
      context.channels.write("answer", { text, tasks: plan.tasks, results, used });
      return success({});
    },
  });
}

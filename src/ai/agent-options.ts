import { assertOptions } from "../core/model/assert-options.ts";
import { isName } from "../core/model/ids.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { adviseName } from "../core/model/suggestions.ts";
import type { BlockType, InputProblem } from "../core/ports/block.ts";
import { asTool, type AgentTool, readTool, type ReadyTool } from "./tools.ts";
import type { Limits } from "./spending.ts";

/** An agent that the host knows by name: one that others hand work to. */
export interface AgentProfile {
  /** What it is for, as other agents read it. */
  readonly description: string;
  readonly instructions?: string;
  /** Default: those of the agent that hands over or asks. */
  readonly models?: readonly string[];
  readonly tools?: readonly string[];
  readonly handOver?: readonly string[];
}

/** What agents may use. */
export interface AgentOptions {
  /** Tools by the names that models and workflows give them. Default: none. */
  readonly tools?: { readonly [name: string]: AgentTool };
  /** Agents by name. Each is a tool too, which other agents ask. Default: none. */
  readonly agents?: { readonly [name: string]: AgentProfile };
}

/** What an `Agent` block was given, as it stands in its run. */
export interface Task {
  readonly agent?: string;
  readonly models?: readonly string[];
  readonly prompt?: string;
  readonly messages?: readonly unknown[];
  readonly files?: readonly unknown[];
  readonly instructions?: string;
  readonly tools?: readonly string[];
  readonly approval?: readonly string[];
  readonly hand_over?: readonly string[];
  readonly max_iterations: number;
  readonly limits: Limits;
  readonly temperature?: number;
  readonly max_tokens?: number;
}

/** Who is at work in an agent: what the block says, or since the work was handed over a profile of the host. */
export interface Worker {
  readonly models: readonly string[];
  readonly instructions: string | undefined;
  readonly tools: readonly string[];
  readonly handOver: readonly string[];
  /** Tools that ask first, beside those of which the host says so. */
  readonly approval: readonly string[];
}

/** The tools and agents of a host, ready to use. */
export interface Equipment {
  readonly tools: Map<string, ReadyTool>;
  readonly agents: { readonly [name: string]: AgentProfile };
}

/** What tools refer to, wherever agents use them. Each agent has some, so that a reference to it holds. */
export const CONTEXT_SCHEMA = {
  type: "object",
  default: {},
  description: "What tools of the host may refer to, and no model sees: whose account it is, for example.",
} as const;

/** Tools that ask first, wherever agents work for one another. Each agent has a list, so that a reference to it holds. */
export const APPROVAL_SCHEMA = {
  type: "array",
  items: { type: "string", minLength: 1 },
  default: [],
  description:
    "Tools that ask a person before each call, beside those of which the host says so, also where an agent that is asked calls them.",
} as const;

const ASKED: JsonSchema = {
  type: "object",
  properties: { prompt: { type: "string", minLength: 1, description: "What it is to do, with all that it needs to know." } },
  required: ["prompt"],
  additionalProperties: false,
};

/** The tools and agents of a host. Agents are no tools yet. Throws `KEY_UNKNOWN`, `ID_INVALID`, `ID_DUPLICATE` and `SCHEMA_INVALID`. */
export function readOptions(options: AgentOptions): Equipment {
  assertOptions("agentBlocks", options, { tools: true, agents: true });
  const { agents = {}, tools = {} } = options;
  for (const name of Object.keys(agents)) {
    if (!isName(name))
      throw new WorkflowError("ID_INVALID", `An agent cannot be named ${JSON.stringify(name)}. Use letters, digits, "_" and "-".`);
    if (Object.hasOwn(tools, name)) throw new WorkflowError("ID_DUPLICATE", `There are a tool and an agent "${name}". Rename one of them.`);
  }
  return { tools: new Map(Object.entries(tools).map(([name, tool]) => [name, readTool(name, tool)])), agents };
}

/** The tool that asks an agent. What that one does needs no leave here: it asks for it itself. */
export function askingTool(name: string, { description }: AgentProfile, agent: BlockType): ReadyTool {
  const inputsOf: ReadyTool["inputsOf"] = (given, turn) => ({
    ...given,
    agent: name,
    models: "${inputs.task.models}",
    // Or a model would get around the question by having another agent call the tool.
    approval: "${inputs.task.approval}",
    context: "${inputs.task.context}",
    limits: `\${blocks.turn_${turn}.outputs.left}`,
  });
  return { name, description, schema: ASKED, approval: false, cache: false, type: asTool(name, agent), inputsOf };
}

/** Who is at work: `agent` is the one to which the work was handed over. */
export function workerOf({ agents }: Equipment, task: Task, agent: string | null): Worker {
  const name = agent ?? task.agent;
  const profile = name !== undefined && Object.hasOwn(agents, name) ? agents[name] : undefined;
  const own: Pick<Task, "instructions" | "tools" | "hand_over"> = agent === null ? task : {};
  return {
    models: profile?.models ?? task.models ?? [],
    instructions: own.instructions ?? profile?.instructions,
    tools: own.tools ?? profile?.tools ?? [],
    handOver: own.hand_over ?? profile?.handOver ?? [],
    approval: task.approval ?? [],
  };
}

/** What is wrong with names that an input gives, where they are written without references. */
export function findUnknown(input: string, names: unknown, known: readonly string[]): InputProblem[] {
  if (!Array.isArray(names)) return [];
  return (names as readonly unknown[]).flatMap((name): InputProblem[] => {
    if (typeof name !== "string" || name.includes("${") || known.includes(name)) return [];
    const message = `There is no ${JSON.stringify(name)}.${adviseName(name, known).sentence} See agentBlocks.`;
    return [{ input, code: "BLOCK_INPUT_INVALID", message }];
  });
}

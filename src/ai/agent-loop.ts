import type { Values } from "../core/model/value.ts";
import type { Block, Workflow } from "../core/model/workflow.ts";
import { AGENT_RUN, type ReadyTool } from "./tools.ts";

/**
 * The run of an agent. It begins with one turn: a call of a model. A turn adds the blocks that call the tools which the model wants, and the next turn, which depends on them. So each
 * call is a step of its own, with a record, an idempotency key, questions and retries as every block has them, and a tool that a person has to allow is no part of the run before.
 * What a model said and what tools gave joins a channel: each turn stores what is new.
 */
export const AGENT_LOOP: Workflow = {
  name: AGENT_RUN,
  description: "The turns of an agent.",
  inputs: { task: { type: "object" } },
  channels: {
    messages: { type: "array", reduce: "append", description: "What was said since the task." },
    results: { type: "array", reduce: "append", description: "Which calls the cache of tools has, by what they were given." },
    answer: { description: "What the agent came to." },
  },
  blocks: [{ id: "turn_1", type: "AgentTurn", inputs: { task: "${inputs.task}", turn: 1, agent: null, place: 0 } }],
  outputs: { answer: "${channels.answer}" },
};

/** A call that a model wants, as the turn that it stands in records it. */
export interface RecordedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Values;
  /** Why it is not made. */
  readonly refused?: string;
  /** The block whose outputs answer it: its own, or that of an earlier call with the same arguments. */
  readonly block?: string;
  /** The block that asks whether it may be made. */
  readonly ask?: string;
  readonly handOver?: string;
}

export const callId = (turn: number, call: number): string => `turn_${turn}_call_${call + 1}`;
export const askId = (turn: number, call: number): string => `turn_${turn}_ask_${call + 1}`;

/** The block that calls a tool. Its inputs refer to the arguments: no text of a model is ever a template. */
export function toolBlock(
  { type, inputsOf }: ReadyTool,
  at: { readonly id: string; readonly turn: number; readonly path: string; readonly input: Values },
): Block {
  const given = Object.keys(at.input).map((name) => [name, `\${${at.path}[${JSON.stringify(name)}]}`]);
  return {
    id: at.id,
    type: type.type,
    inputs: inputsOf(Object.fromEntries(given) as Values, at.turn),
    continueOnError: true,
    maxDepth: MAX_AGENTS,
  };
}

/** How deep agents may ask agents. */
export const MAX_AGENTS = 8;

/** The block that asks whether a call may be made. */
export function askBlock(turn: number, call: number): Block {
  return {
    id: askId(turn, call),
    type: "AgentApproval",
    // Leave was given for what the agent was to do then, of which the question shows the arguments alone.
    onRevise: "ask_again",
    inputs: {
      call: `\${blocks.turn_${turn}.outputs.calls[${call}]}`,
      agent: `\${blocks.turn_${turn}.outputs.agent}`,
      task: "${inputs.task}",
    },
  };
}

/** The turn that follows this one, once its calls are settled. `denied` are those that a person did not allow. */
export function nextTurn(turn: number, calls: readonly RecordedCall[], denied: ReadonlySet<number> = new Set()): Block {
  const made = calls.map(({ block, ask }, i) =>
    denied.has(i)
      ? { denied: true, reason: `\${blocks.${ask!}.outputs.reason}` }
      : block === undefined
        ? {}
        : { status: `\${blocks.${block}.metadata.status}`, outputs: `\${blocks.${block}.outputs}` },
  );
  const waited = calls.flatMap(({ block }, i) => (block === undefined || denied.has(i) ? [] : [{ block, required: false }]));
  const before = `blocks.turn_${turn}.outputs`;
  return {
    id: `turn_${turn + 1}`,
    type: "AgentTurn",
    dependsOn: waited,
    inputs: {
      task: "${inputs.task}",
      turn: turn + 1,
      agent: `\${${before}.agent}`,
      place: `\${${before}.place}`,
      used: `\${${before}.used}`,
      calls: `\${${before}.calls}`,
      results: made,
    },
  };
}

/** What decides once a person has answered for all calls of a turn that need it. */
export function dispatchBlock(turn: number, calls: readonly RecordedCall[]): Block {
  return {
    id: `turn_${turn}_go`,
    type: "AgentDispatch",
    dependsOn: calls.flatMap(({ ask }) => (ask === undefined ? [] : [ask])),
    inputs: {
      turn,
      calls: `\${blocks.turn_${turn}.outputs.calls}`,
      decisions: calls.map(({ ask }) => (ask === undefined ? null : `\${blocks.${ask}.outputs}`)),
    },
  };
}

import type { ModelMessage } from "ai";
import { defineBlock } from "../core/blocks/define-block.ts";
import { readySchema } from "../core/expression/ready-schema.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { canonicalText } from "../core/model/fingerprint.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import { isRecord, type Values } from "../core/model/value.ts";
import { type BlockType, success } from "../core/ports/block.ts";
import type { Block } from "../core/model/workflow.ts";
import { askBlock, askId, callId, dispatchBlock, nextTurn, type RecordedCall, toolBlock } from "./agent-loop.ts";
import { type Equipment, type Task, type Worker, workerOf } from "./agent-options.ts";
import { askModels, loadModels, messagesOf, type ShownTool, type ToolCall } from "./ask-models.ts";
import { addUsed, limitsLeft, NOTHING_USED, type Used } from "./spending.ts";
import { type CallResult, resultsMessage } from "./tool-results.ts";
import { AGENT_RUN } from "./tools.ts";

/** How a call of a model that hands the work over begins. */
const HAND_OVER = "hand_over_to_";

const REASON: JsonSchema = {
  type: "object",
  properties: { reason: { type: "string", description: "Why, and what is left to do." } },
  additionalProperties: false,
};

interface TurnInputs {
  readonly task: Task;
  readonly turn: number;
  /** The agent to which the work was handed over; null before. */
  readonly agent: string | null;
  /** The model that the fallback has reached, by its place. */
  readonly place: number;
  readonly used?: Used;
  /** The calls of the turn before, and how they went. */
  readonly calls?: readonly RecordedCall[];
  readonly results?: readonly CallResult[];
}

/** A call that a tool with a cache has answered. */
interface CachedCall {
  readonly key: string;
  readonly block: string;
}

/** One call of a model, and what follows from what it said. */
export function agentTurn(equipment: Equipment): BlockType {
  return defineBlock({
    type: "AgentTurn",
    within: AGENT_RUN,
    description: "Asks a model what is next, and adds the blocks that do it.",
    needs: ["models"],
    channels: { reads: ["messages", "results"], writes: ["messages", "results", "answer"] },
    load: () => Promise.all([loadModels(), ...[...equipment.tools.values()].map(({ type }) => type.load?.())]),
    async execute(context) {
      const { task, turn, agent, place, used: before = NOTHING_USED, calls = [], results = [] } = context.inputs as unknown as TurnInputs;
      const used = usedByAgents(equipment, calls, results).reduce(addUsed, before);
      const { channels } = context;
      const worker = workerOf(equipment, task, agent);
      const told = calls.length > 0 ? [await resultsMessage(context, calls, results)] : [];
      const said = channels.get("messages") as readonly ModelMessage[];
      const reply = await askModels(context, {
        models: worker.models,
        from: place,
        system: worker.instructions,
        messages: [...messagesOf(task), ...said, ...told],
        tools: shownTools(equipment, worker),
        temperature: task.temperature,
        maxOutputTokens: task.max_tokens,
        limits: task.limits,
        used,
      });
      for (const message of [...told, ...reply.messages]) channels.write("messages", message);
      const made = calls.flatMap((call, i) => cachedCall(equipment, call, results[i]));
      for (const one of made) channels.write("results", one);
      const known = new Map([...(channels.get("results") as readonly CachedCall[])].map(({ key, block }) => [key, block]));
      const next = await Promise.all(reply.calls.map((call) => judge(equipment, worker, call)));
      const wanted = next.map((call, i) => placeCall(call, { equipment, worker, known, turn, i }));
      const handedOver = wanted.find(({ handOver }) => handOver !== undefined)?.handOver;
      if (wanted.length === 0) {
        channels.write("answer", {
          text: reply.text,
          model: reply.model,
          turns: turn,
          used: reply.used,
          ...(agent === null ? {} : { agent }),
        });
      } else if (turn >= task.max_iterations) {
        throw new WorkflowError(
          "LIMIT_EXCEEDED",
          `The agent asked a model ${turn} times and has no answer. Raise max_iterations, or give it less to do.`,
          { details: { limit: task.max_iterations } },
        );
      } else {
        context.add(followUp(equipment, turn, wanted));
      }
      return success({
        model: reply.model,
        failed: reply.failed.map(({ model, message }) => ({ model, message })),
        used: reply.used,
        left: limitsLeft(task.limits, reply.used),
        calls: wanted,
        agent: handedOver ?? agent,
        place: handedOver === undefined ? reply.place : 0,
      });
    },
  });
}

/** What agents used that were asked and have answered. */
function usedByAgents({ agents }: Equipment, calls: readonly RecordedCall[], results: readonly CallResult[]): readonly Used[] {
  return calls.flatMap(({ tool: name }, i) => {
    const { status, outputs } = results[i]!;
    return Object.hasOwn(agents, name) && status === "completed" ? [(outputs as { readonly used: Used }).used] : [];
  });
}

/** What the model may call. */
function shownTools({ tools, agents }: Equipment, { tools: names, handOver }: Worker): { readonly [name: string]: ShownTool } {
  const own = names.flatMap((name) => {
    const found = tools.get(name);
    return found ? [[name, found] as const] : [];
  });
  const others = handOver.map((name) => {
    const description = `Hands the work over to ${name}: ${agents[name]?.description ?? ""}`;
    return [`${HAND_OVER}${name}`, { description, schema: REASON }] as const;
  });
  return Object.fromEntries([...own, ...others]);
}

/** What becomes of a call that a model wants: it is made, it hands over, or it is refused, and the model reads why. */
async function judge({ tools }: Equipment, worker: Worker, { id, tool: name, input }: ToolCall): Promise<RecordedCall> {
  const call = { id, tool: name, input: isRecord(input) ? (input as Values) : {} };
  if (name.startsWith(HAND_OVER) && worker.handOver.includes(name.slice(HAND_OVER.length))) {
    return { ...call, handOver: name.slice(HAND_OVER.length) };
  }
  const found = worker.tools.includes(name) ? tools.get(name) : undefined;
  if (!found) return { ...call, refused: `There is no tool ${JSON.stringify(name)}.` };
  const problem = await problemOf(found.schema, input);
  return problem === undefined ? call : { ...call, input: {}, refused: `The arguments do not fit: ${problem}` };
}

/** Why arguments do not fit a tool; nothing where they do. */
export async function problemOf(schema: JsonSchema, input: unknown): Promise<string | undefined> {
  if (!isRecord(input)) return "they are no object.";
  const [first] = (await readySchema(schema)).check(input).problems;
  return first && `${first.path ? `${first.path} ` : "it "}${first.message}.`;
}

/** Where a call stands. */
interface Place {
  readonly equipment: Equipment;
  readonly worker: Worker;
  /** Blocks by the calls that they have answered. */
  readonly known: Map<string, string>;
  readonly turn: number;
  readonly i: number;
}

/** Gives a call its block: that of an earlier call that was the same, or its own, and one that asks first. */
function placeCall(call: RecordedCall, { equipment: { tools }, worker, known, turn, i }: Place): RecordedCall {
  if (call.refused !== undefined || call.handOver !== undefined) return call;
  const { cache, approval } = tools.get(call.tool)!;
  const block = callId(turn, i);
  if (approval || worker.approval.includes(call.tool)) return { ...call, block, ask: askId(turn, i) };
  if (!cache) return { ...call, block };
  const key = keyOf(call);
  const before = known.get(key);
  known.set(key, before ?? block);
  return { ...call, block: before ?? block };
}

function cachedCall({ tools }: Equipment, call: RecordedCall, result: CallResult | undefined): CachedCall[] {
  const { cache = false } = tools.get(call.tool) ?? {};
  if (!cache || call.ask !== undefined || call.block === undefined || result?.status !== "completed") return [];
  return [{ key: keyOf(call), block: call.block }];
}

const keyOf = ({ tool: name, input }: RecordedCall): string => `${name} ${canonicalText(input)}`;

/** The blocks that a turn adds: calls that need no one, questions about the others, and what goes on then. */
function followUp({ tools }: Equipment, turn: number, calls: readonly RecordedCall[]): readonly Block[] {
  const own = calls.flatMap((call, i) => {
    if (call.ask !== undefined) return [askBlock(turn, i)];
    if (call.block !== callId(turn, i)) return [];
    const path = `blocks.turn_${turn}.outputs.calls[${i}].input`;
    return [toolBlock(tools.get(call.tool)!, { id: call.block, turn, path, input: call.input })];
  });
  const asks = calls.some(({ ask }) => ask !== undefined);
  return [...own, asks ? dispatchBlock(turn, calls) : nextTurn(turn, calls)];
}

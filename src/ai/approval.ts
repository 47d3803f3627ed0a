import { defineBlock } from "../core/blocks/define-block.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { canonicalText, fingerprint } from "../core/model/fingerprint.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import { plainJson } from "../core/model/plain-json.ts";
import type { Values } from "../core/model/value.ts";
import { type BlockType, failure, pause, success } from "../core/ports/block.ts";
import { nextTurn, type RecordedCall, toolBlock } from "./agent-loop.ts";
import type { Equipment } from "./agent-options.ts";
import { problemOf } from "./agent-turn.ts";
import { AGENT_RUN, type ReadyTool } from "./tools.ts";

/** Characters of the arguments that a question shows; all of them are in its metadata. */
const MAX_SHOWN = 2_000;
/** Characters that each of them has at least. */
const LEAST_SHOWN = 100;

/** What came of the question about a call. */
interface Decision {
  readonly approved: boolean;
  /** With what it is made. */
  readonly input: Values;
  readonly reason: string | null;
}

/** The call that a question is about. */
interface Asked {
  readonly call: RecordedCall;
  readonly agent: string | null;
  readonly task: Values;
}

/** Asks a person about one call: whether it is made, with these arguments or with others. */
export function agentApproval({ tools }: Equipment): BlockType {
  const toolOf = (call: RecordedCall): ReadyTool => {
    const found = tools.get(call.tool);
    if (found) return found;
    throw new WorkflowError("BLOCK_FAILED", `The host has no tool "${call.tool}" any more. Give it to agentBlocks, and resume the run.`);
  };
  return defineBlock({
    type: "AgentApproval",
    within: AGENT_RUN,
    description: "Asks a person whether an agent may call a tool.",
    takesDecline: true,
    channels: {},
    execute({ inputs }) {
      const { call, agent, task } = inputs as unknown as Asked;
      return pause({
        prompt: `May the agent call ${call.tool}?\n\n${showInput(call.input)}`.trimEnd(),
        schema: decisionSchema(withDefaults(toolOf(call).schema, call.input)),
        metadata: {
          kind: "tool_call",
          call: call.id,
          tool: call.tool,
          input: call.input,
          // A model that wants the same for another task asks another question: the host may give the tool more than the model does.
          task: fingerprint(task),
          ...(agent === null ? {} : { agent }),
        },
      });
    },
    resume({ inputs, response, action, pause: { metadata } }) {
      const { call } = inputs as unknown as { readonly call: RecordedCall };
      if (metadata["tool"] !== call.tool || canonicalText(metadata["input"] as Values) !== canonicalText(call.input)) {
        return failure(`The question was about another call than the one of ${call.tool} that is recorded. It is not made.`);
      }
      if (action === "decline") return success({ approved: false, input: {}, reason: null } satisfies Decision);
      const { decision, input, reason = null } = response as { decision: string; input?: Values; reason?: string };
      return success({
        approved: decision === "approve" || decision === "edit",
        input: decision === "edit" ? input! : call.input,
        reason,
      } satisfies Decision);
    },
  });
}

/**
 * Arguments as a person reads them. Their values are JSON, so that no text among them looks like another argument; each is cut by itself, so that a long one does
 * not push the next out of sight; and what would not be seen, or turn the text around, is written as its code.
 */
function showInput(input: Values): string {
  const given = Object.entries(input);
  const room = Math.max(LEAST_SHOWN, Math.floor(MAX_SHOWN / given.length));
  return given
    .map(([name, value]) => {
      const text = JSON.stringify(plainJson(value)).replaceAll(UNSEEN, (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`);
      return `${name}: ${text.length > room ? `${text.slice(0, room)} … (${text.length} characters)` : text}`;
    })
    .join("\n");
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function decisionSchema(input: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: {
      decision: {
        title: "Decision",
        type: "string",
        oneOf: [
          { const: "approve", title: "Allow" },
          { const: "deny", title: "Do not allow" },
          { const: "edit", title: "Allow with other arguments" },
        ],
      },
      reason: { title: "Reason, which the model reads", type: "string", showIf: '${fields.decision} == "deny"' },
      input: { ...input, title: "Other arguments", showIf: '${fields.decision} == "edit"' },
    },
    required: ["decision", "input"],
    additionalProperties: false,
  };
}

/** The arguments that the model wants stand in the form that changes them. */
function withDefaults({ properties = {}, ...schema }: JsonSchema, input: Values): JsonSchema {
  const filled = Object.entries(properties).map(([name, property]) => [
    name,
    Object.hasOwn(input, name) ? { ...property, default: input[name]! } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(filled) as NonNullable<JsonSchema["properties"]> };
}

/** Adds the calls that were allowed, each with the arguments that were, and the next turn. */
export function agentDispatch({ tools }: Equipment): BlockType {
  return defineBlock({
    type: "AgentDispatch",
    within: AGENT_RUN,
    description: "Lets an agent make the calls that a person allowed.",
    channels: {},
    async execute({ inputs, add }) {
      const { turn, calls, decisions } = inputs as unknown as {
        readonly turn: number;
        readonly calls: readonly RecordedCall[];
        readonly decisions: readonly (Decision | null)[];
      };
      const denied = new Set<number>();
      const allowed = [];
      for (const [i, call] of calls.entries()) {
        if (call.ask === undefined) continue;
        const decision = decisions[i];
        const found = tools.get(call.tool);
        if (decision?.approved !== true || !found) {
          denied.add(i);
          continue;
        }
        const { input } = decision;
        const problem = await problemOf(found.schema, input);
        if (problem !== undefined) return failure(`What was allowed for ${call.tool} does not fit: ${problem}`);
        allowed.push(toolBlock(found, { id: call.block!, turn, path: `blocks.${call.ask}.outputs.input`, input }));
      }
      add([...allowed, nextTurn(turn, calls, denied)]);
      return success({});
    },
  });
}

import type { CallToolResult } from "@modelcontextprotocol/client";
import { assertOptions } from "../../core/model/assert-options.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import { adviseName } from "../../core/model/suggestions.ts";
import { sameValue } from "../../core/model/fingerprint.ts";
import type { Value, Values } from "../../core/model/value.ts";
import { defineBlock } from "../../core/blocks/define-block.ts";
import { failure, success, type BlockContext, type BlockResult, type BlockType, type InputProblem } from "../../core/ports/block.ts";
import { Connections } from "./connections.ts";
import { grantedServer, grantedTools, type GrantedServers, type KnownTool } from "./granted-servers.ts";
import { askNext, withAnswer, type Asked, type Round } from "./server-questions.ts";
import { checkWritten, describeMisfit } from "./tool-arguments.ts";
import type { McpToolBlock } from "./tool-types.ts";

/** What a host grants to `McpTool` blocks. */
export interface McpToolOptions<Servers extends GrantedServers = GrantedServers> {
  readonly servers: Servers;
}

interface Inputs {
  readonly server: string;
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, Value>>;
}

interface Outputs {
  readonly result: Value;
  readonly content: readonly Value[];
}

interface Resources {
  readonly connections: Connections;
}

type Context = BlockContext<Inputs, never, Resources>;

/**
 * Makes the block type `McpTool`, which calls a tool of a server that the host grants here. Its inputs are `server`, `tool` and `arguments`; its outputs `result`, what
 * the tool gave, and `content`, as the server wrote it. What a server asks in a call becomes a question of the run. Whether a call has effects is not known,
 * so none is made twice unasked. Throws `KEY_UNKNOWN`.
 */
export function mcpTool<const Servers extends GrantedServers>(options: McpToolOptions<Servers>): McpToolBlock<Servers> {
  assertOptions("mcpTool", options, { servers: true });
  const { servers } = options;
  return defineBlock({
    type: "McpTool",
    description: "Calls a tool of an MCP server that the host grants.",
    effect: "once",
    secretInputs: ["arguments"],
    takesDecline: true,
    resources: {
      connections: {
        open: () => ({ live: new Connections(servers), reference: {} }),
        reconnect: () => new Connections(servers),
        disconnect: (live: Connections) => live.close(),
        close: async (_reference: never, live: Connections | undefined) => live?.close(),
      },
    },
    inputs: {
      jsonSchema: {
        type: "object",
        properties: {
          server: { type: "string", minLength: 1, description: "The name of a server that the host grants." },
          tool: { type: "string", minLength: 1, description: "The name of a tool of that server." },
          arguments: { type: "object", description: "What the tool is given." },
        },
        required: ["server", "tool"],
        additionalProperties: false,
      },
    },
    outputs: {
      jsonSchema: {
        type: "object",
        properties: {
          result: { description: "What the tool gave: its data where there is some, else its text." },
          content: { type: "array", description: "The answer as the server wrote it." },
        },
        required: ["result", "content"],
      },
    },
    checkInputs: (given, written) => checkInputs(servers, given, written),
    execute: (context) => turn(servers, context as unknown as Context),
    resume(context) {
      const asked = context.pause.metadata as unknown as Asked;
      const answer =
        context.action === "decline"
          ? { action: "decline" }
          : { action: "accept", content: context.response as { readonly [name: string]: Value } };
      const round = withAnswer(asked, answer);
      return askNext(round, context.inputs.server) ?? turn(servers, context as unknown as Context, round);
    },
  }) as BlockType as McpToolBlock<Servers>;
}

async function checkInputs(servers: GrantedServers, given: Values, written: Values): Promise<InputProblem[]> {
  const { server, tool } = given;
  if (typeof server !== "string") return [];
  const granted = Object.hasOwn(servers, server) ? servers[server]! : undefined;
  if (!granted) {
    const { sentence } = adviseName(server, Object.keys(servers));
    return [{ input: "server", code: "CAPABILITY_MISSING", message: `The host grants no MCP server "${server}".${sentence}` }];
  }
  const names = grantedTools(granted);
  if (typeof tool !== "string" || !names) return [];
  if (!names.includes(tool)) {
    const { sentence } = adviseName(tool, names);
    return [{ input: "tool", code: "CAPABILITY_MISSING", message: `The host grants no tool "${tool}" of server "${server}".${sentence}` }];
  }
  const known = granted.tools?.find((one) => typeof one !== "string" && one.name === tool);
  if (typeof known !== "object") return [];
  const problems = await checkWritten(known, written["arguments"]);
  return problems.map((problem) => ({ ...problem, message: `Tool "${tool}" of server "${server}": ${problem.message}` }));
}

/** One round of a call: to its result, or to what the server asks. */
async function turn(servers: GrantedServers, context: Context, round?: Round): Promise<BlockResult<Outputs>> {
  const { server, tool: name, arguments: given = {} } = context.inputs;
  const granted = grantedTools(grantedServer(servers, server));
  if (granted && !granted.includes(name)) throw notOffered(server, name, granted);
  const connections = await context.resource("connections");
  const called = await connections.with(server, async ({ connection, tools }) => {
    await assertCallable(context, tools);
    return connection.call({ name, arguments: given }, round, context.signal as AbortSignal);
  });
  if ("result" in called) return conclude(called.result);
  return askNext(called.asked, server) ?? failure(`Server "${server}" wants to go on and asks for nothing.`);
}

/**
 * Makes sure that the server has the tool still and that it takes the arguments. The server may be another one than when the run first called it: what it had then is
 * kept with the run, and what has changed is named. Throws `CAPABILITY_MISSING`, and `BLOCK_INPUT_INVALID`.
 */
async function assertCallable(context: Context, tools: readonly KnownTool[]): Promise<void> {
  const { server, tool: name, arguments: given = {} } = context.inputs;
  const tool = tools.find((one) => one.name === name);
  const first = await context.once<FirstSeen>("tools", () => ({ names: tools.map((one) => one.name), tool: tool ?? null }));
  const known = first.tool;
  if (!tool) {
    if (!known)
      throw notOffered(
        server,
        name,
        tools.map((one) => one.name),
      );
    const gone = first.names.filter((one) => !tools.some((now) => now.name === one));
    const message = `Server "${server}" has no tool "${name}" any more, which it had when this run first called it. Gone since: ${gone.join(", ")}. ${WAYS_OUT}`;
    throw new WorkflowError("CAPABILITY_MISSING", message, { details: { server, tool: name } });
  }
  const misfit = await describeMisfit(tool, given);
  if (misfit === undefined) return;
  const hasChanged = known !== null && !sameValue(known.inputSchema, tool.inputSchema);
  const message = hasChanged
    ? `Tool "${name}" of server "${server}" has changed since this run first called it, and does not take what it took then: ${misfit} ${WAYS_OUT}`
    : `Tool "${name}" of server "${server}" does not take this: ${misfit}`;
  throw new WorkflowError("BLOCK_INPUT_INVALID", message, { details: { server, tool: name } });
}

/** What the server had when the run first called it. */
interface FirstSeen {
  readonly names: readonly string[];
  readonly tool: KnownTool | null;
}

const WAYS_OUT = 'Bring it back and resume the run, or resume it with `definition: "latest"` and a workflow that calls what there is now.';

function conclude({ structuredContent, content, isError }: CallToolResult): BlockResult<Outputs> {
  const written = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const outputs: Outputs = {
    result: (structuredContent as Value | undefined) ?? written,
    content: content as readonly object[] as readonly Value[],
  };
  return isError ? failure({ code: "BLOCK_FAILED", message: written || "The tool failed and gave no reason." }, outputs) : success(outputs);
}

function notOffered(server: string, tool: string, names: readonly string[]): WorkflowError {
  const { sentence } = adviseName(tool, names);
  return new WorkflowError("CAPABILITY_MISSING", `Server "${server}" offers no tool "${tool}".${sentence}`, { details: { server, tool } });
}

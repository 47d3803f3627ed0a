import { type CallToolResult, Client, ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { WorkflowError } from "../../core/model/errors.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import type { GrantedServer, KnownTool } from "./granted-servers.ts";
import { HeldCall } from "./held-call.ts";
import { NOTHING_ASKED, type Round } from "./server-questions.ts";

/** How long one round of a call may take. `timeout_ms` of the block ends it earlier. */
const LONGEST_ROUND_MS = 3_600_000;
/** Pages of a list of tools that are read at most. */
const MAX_PAGES = 100;

/** A call of a tool. */
export interface ToolRequest {
  readonly name: string;
  readonly arguments: { readonly [name: string]: Value };
}

/** What came of one round of a call: its result, or what the server asks. */
export type Called = { readonly result: CallToolResult } | { readonly asked: Round };

/** A connection to one server. */
export interface ServerConnection {
  /** Whether it asks while it holds a call open, as servers of 2025 do: there must be one call at a time. */
  readonly asksInCalls: boolean;
  /** The tools that the server has now. */
  tools(): Promise<readonly KnownTool[]>;
  /**
   * Makes one round of a call; `round` holds what was asked and answered before. Rejects with `CONNECTION_LOST` where the connection broke while the tool may have
   * been at work, and with what the server says.
   */
  call(request: ToolRequest, round: Round | undefined, signal: AbortSignal): Promise<Called>;
  close(): Promise<void>;
}

/** Connects to a server; `onClose` is called once the connection is gone. */
export async function connectTo(server: Pick<GrantedServer, "transport">, onClose: () => void): Promise<ServerConnection> {
  const client = new Client(
    { name: "wavepoint", version: "1" },
    // A server's questions become questions of the run: it may wait for its answer for a week.
    { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {} } }, inputRequired: { autoFulfill: false } },
  );
  let held: HeldCall | undefined;
  client.setRequestHandler("elicitation/create", (request) => held?.ask(request) ?? { action: "cancel" });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- clients have no other
  client.onclose = onClose;
  await client.connect(await server.transport());

  const asksInCalls = client.getProtocolEra() === "legacy";
  return {
    asksInCalls,
    tools: () => listTools(client),
    call: asksInCalls ? callAgain : callOnce,
    close: () => client.close(),
  };

  async function callOnce(request: ToolRequest, round: Round | undefined, signal: AbortSignal): Promise<Called> {
    const { state: requestState, answered: inputResponses } = round ?? {};
    const more = { ...(inputResponses && { inputResponses }), ...(requestState === undefined ? {} : { requestState }) };
    const result = await callThrough({ ...request, ...more }, signal);
    const { resultType, inputRequests, requestState: state } = result as unknown as Readonly<Record<string, unknown>>;
    if (resultType !== "input_required") return { result };
    const asked = isRecord(inputRequests) ? inputRequests : {};
    return { asked: { asked, answered: {}, ...(typeof state === "string" ? { state } : {}) } };
  }

  /** The server holds the call open while it asks. It is given up then, and made again with the answer. */
  async function callAgain(request: ToolRequest, round: Round = NOTHING_ASKED, signal: AbortSignal): Promise<Called> {
    const call = (held = new HeldCall(round, signal));
    try {
      return await Promise.race([callThrough(request, call.signal).then((result) => ({ result })), call.interrupted]);
    } finally {
      held = undefined;
      // The server may still wait for its answer: closing says that none will come.
      if (call.isInterrupted) await client.close();
    }
  }

  async function callThrough(request: ToolRequest, signal: AbortSignal): Promise<CallToolResult> {
    try {
      const params = request as Parameters<Client["callTool"]>[0];
      return (await client.callTool(params, { allowInputRequired: true, signal, timeout: LONGEST_ROUND_MS })) as CallToolResult;
    } catch (error) {
      if (signal.aborted || isAnswer(error)) throw error;
      throw new WorkflowError(
        "CONNECTION_LOST",
        `The connection to the server broke while its tool "${request.name}" may have been at work: ${error instanceof Error ? error.message : String(error)}. What became of it is not known.`,
        { details: { tool: request.name }, cause: error },
      );
    }
  }
}

/** Whether an error is the server's word on a call: what it did then is known. */
function isAnswer(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status !== undefined && error.status < 500;
  return error instanceof ProtocolError || (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult);
}

/** By requests of its own: `listTools` would have the client hold questions against the schema of the tool's outputs. */
async function listTools(client: Client): Promise<readonly KnownTool[]> {
  const found: KnownTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { tools, nextCursor } = await client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } });
    for (const { name, description, inputSchema, outputSchema } of tools)
      found.push({ name, ...(description === undefined ? {} : { description }), inputSchema, ...(outputSchema && { outputSchema }) });
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return found;
}

/** Asks a server for its tools: data to keep in a file, and to give as `tools` of a {@link GrantedServer}. Throws what connecting throws. */
export async function readTools(server: Pick<GrantedServer, "transport">): Promise<readonly KnownTool[]> {
  const connection = await connectTo(server, () => {});
  try {
    return await connection.tools();
  } finally {
    await connection.close();
  }
}

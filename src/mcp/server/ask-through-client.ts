import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isWorkflowError } from "../../core/model/errors.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { Run, WaitOptions } from "../../core/run/run.ts";
import { allows } from "../tools/access.ts";
import { admitAnswer, moveRun, openRun, type HeldRun } from "../tools/held-run.ts";
import type { RunReport } from "../tools/run-report.ts";
import type { ToolCall, ToolHost } from "../tools/tool.ts";
import { answerFrom, formFor, isFormContent } from "./form-for-client.ts";

/** How often one call asks before it answers `paused` and leaves the rest to resume_workflow: clients end a call after ten rounds. */
const MAX_ROUNDS = 8;

/** What a call goes on with after its client has asked: bound to the run by a keyed hash. */
export interface AskedState {
  readonly tool: string;
  readonly run: string;
  readonly asked: readonly string[];
  readonly round: number;
}

/** What a server needs to ask through its client. */
export interface Asking {
  readonly host: ToolHost;
  readonly server: McpServer;
  readonly codec: RequestStateCodec<AskedState>;
}

/** The call's own state, where it is a further round of one that asked; nothing at the first round. */
export function stateOf(tool: string, ctx: ServerContext): AskedState | undefined {
  const state = ctx.mcpReq.requestState<AskedState>();
  return state?.tool === tool ? state : undefined;
}

/**
 * The open questions of a run as requests to the client, all in one round, each under the id of its pause; `notes` say why one is asked again. Nothing where
 * the client cannot ask, may not answer, or has been asked often enough.
 */
export async function askThroughClient(
  { host, server, codec }: Asking,
  tool: string,
  run: Run,
  ctx: ServerContext,
  { round = 0, notes = new Map() }: { readonly round?: number; readonly notes?: ReadonlyMap<string, string> } = {},
): Promise<InputRequiredResult | undefined> {
  const { workflow, pauses } = run.getSnapshot();
  if (round >= MAX_ROUNDS || !canAsk(server, ctx) || !allows(host.access, "answer", host.workflows.get(workflow))) return undefined;
  const forms = pauses.flatMap((pause) => {
    const form = formFor(pause);
    return form ? [{ id: pause.id, form }] : [];
  });
  if (forms.length === 0) return undefined;
  return inputRequired({
    inputRequests: Object.fromEntries(
      forms.map(({ id, form }) => {
        const note = notes.get(id);
        return [id, inputRequired.elicit({ ...form, message: note === undefined ? form.message : `${note}\n\n${form.message}` })];
      }),
    ),
    requestState: await codec.mint({ tool, run: run.id, asked: forms.map(({ id }) => id), round: round + 1 }, ctx),
  });
}

/** Whether the client draws forms: each request of 2026 says so, and the handshake of 2025. */
function canAsk(server: McpServer, { mcpReq }: ServerContext): boolean {
  const said: ClientCapabilities | undefined = mcpReq.envelope
    ? (mcpReq.envelope as Envelope)[CLIENT_CAPABILITIES_META_KEY]
    : server.server.getClientCapabilities();
  const { elicitation } = said ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

/** What a further round of a call came to. */
export interface Round {
  readonly report: RunReport;
  readonly run: Run;
  /** Why answers were refused, by the ids of their pauses. */
  readonly notes: ReadonlyMap<string, string>;
  /** Whether a person put a question off: it is not asked again in this call. */
  readonly isPutOff: boolean;
}

/** Takes what the client brought, in any order. What was refused is asked again; what a person put off stays open. */
export async function takeAnswers({ host }: Asking, { run, asked }: AskedState, ctx: ServerContext, call: ToolCall): Promise<Round> {
  const held = await openRun(host, run, "answer");
  const notes = new Map<string, string>();
  const responses = asked.map((pause) => [pause, inputResponse(ctx.mcpReq.inputResponses, pause)] as const);
  const report = await moveRun(held, call, async (options) => {
    let result: RunResult | undefined;
    for (const [pause, response] of responses) {
      if (response.kind !== "elicit") continue;
      if (response.action === "decline") result = await held.run.decline(pause, options);
      else if (response.action === "accept") result = await takeAnswer(held, pause, response.content, options);
      if (result?.status === "failure" && result.error.code === "RESPONSE_INVALID") notes.set(pause, result.error.message);
    }
    return notes.size > 0 || !result ? held.run.settled(options) : result;
  });
  return {
    report,
    run: held.run,
    notes,
    isPutOff: responses.some(([, response]) => response.kind === "elicit" && response.action === "cancel"),
  };
}

async function takeAnswer(held: HeldRun, pause: string, content: unknown, options: WaitOptions): Promise<RunResult> {
  const open = held.run.getSnapshot().pauses.find(({ id }) => id === pause);
  const given = isFormContent(content) ? (open ? answerFrom(content, open) : content) : content;
  return held.run.answer<string>(pause, await admitAnswer(held, pause, given), options);
}

/** Whether the person, not the network, ended a call. */
export function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && (typeof reason === "string" || (reason instanceof DOMException && reason.name === "AbortError"));
}

/** Stops a run whose call was cancelled, for now: it goes on when it is resumed. One that has ended already stays as it is. */
export async function stopRun(run: Run): Promise<void> {
  try {
    await run.stop();
  } catch (error) {
    if (!isWorkflowError(error) || error.code !== "RUN_ENDED") throw error;
  }
}

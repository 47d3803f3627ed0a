import type { ToolModelMessage } from "ai";
import { plainJson } from "../core/model/plain-json.ts";
import type { BlockContext } from "../core/ports/block.ts";
import type { RecordedCall } from "./agent-loop.ts";

/** Characters of what a tool gives that a model reads; the rest is in a file of the run. */
const MAX_RESULT_LENGTH = 10_000;

/** How a call went, as the turn after it is given it. */
export interface CallResult {
  readonly denied?: boolean;
  readonly reason?: string | null;
  readonly status?: string;
  readonly outputs?: unknown;
}

type Output = ToolModelMessage["content"][number] extends infer Part ? (Part extends { output: infer O } ? O : never) : never;

/** What tools gave, as the model reads it. All of it is data: a result may ask for something, but no person did. */
export async function resultsMessage(
  context: Pick<BlockContext<unknown>, "files">,
  calls: readonly RecordedCall[],
  results: readonly CallResult[],
): Promise<ToolModelMessage> {
  const content = calls.map(async (call, i): Promise<ToolModelMessage["content"][number]> => ({
    type: "tool-result",
    toolCallId: call.id,
    toolName: call.tool,
    output: await outputOf(context, call, results[i] ?? {}),
  }));
  return { role: "tool", content: await Promise.all(content) };
}

async function outputOf({ files }: Pick<BlockContext<unknown>, "files">, call: RecordedCall, result: CallResult): Promise<Output> {
  if (call.refused !== undefined) return { type: "error-text", value: call.refused };
  if (call.handOver !== undefined) return { type: "text", value: `Handed over to ${call.handOver}.` };
  if (result.denied) return { type: "execution-denied", ...(result.reason ? { reason: result.reason } : {}) };
  const isError = result.status !== "completed";
  const { outputs } = result;
  const text = JSON.stringify(plainJson(outputs ?? { error: "It failed." }));
  if (text.length <= MAX_RESULT_LENGTH) {
    return { type: isError ? "error-json" : "json", value: JSON.parse(text) as never };
  }
  const name = `${call.block}.json`;
  await files.write(name, new TextEncoder().encode(text), { type: "application/json" });
  const note = `\n[Cut: ${MAX_RESULT_LENGTH} of ${text.length} characters. The whole is in the file ${name}.]`;
  return { type: isError ? "error-text" : "text", value: text.slice(0, MAX_RESULT_LENGTH) + note };
}

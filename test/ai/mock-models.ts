import { MockLanguageModelV3, simulateReadableStream } from "ai/test";

type StreamResult = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>;
type Part = StreamResult["stream"] extends ReadableStream<infer P> ? P : never;

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** A turn that ends with a text, in pieces. */
export function say(...pieces: readonly string[]): readonly Part[] {
  return [
    { type: "text-start", id: "1" },
    ...pieces.map((delta): Part => ({ type: "text-delta", id: "1", delta })),
    { type: "text-end", id: "1" },
    { type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: "stop" } },
  ];
}

/** A turn that wants tools called. The id of each call is its place in the conversation, which the caller gives. */
export function use(...calls: readonly (readonly [id: string, tool: string, input: unknown])[]): readonly Part[] {
  return [
    ...calls.map(([toolCallId, toolName, input]): Part => ({
      type: "tool-call",
      toolCallId,
      toolName,
      input: typeof input === "string" ? input : JSON.stringify(input),
    })),
    { type: "finish", usage: USAGE, finishReason: { unified: "tool-calls", raw: "tool_calls" } },
  ];
}

export type Prompt = Parameters<MockLanguageModelV3["doStream"]>[0]["prompt"];

/** A model that says turn n where the conversation has n replies, as one that has no memory of its own. `onCall` gets each call. */
export function scripted(
  turns: readonly (readonly Part[])[],
  onCall: (turn: number, prompt: Prompt) => void = () => {},
): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const turn = prompt.filter(({ role }) => role === "assistant").length;
      onCall(turn, prompt);
      const parts = turns[turn];
      if (!parts) throw new Error(`The script has no turn ${turn}.`);
      return { stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...parts], chunkDelayInMs: null }) };
    },
  });
}

/** A model that answers nothing. */
export function broken(message = "503", onCall: () => void = () => {}): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async () => {
      onCall();
      throw new Error(message);
    },
  });
}

/** A model that says one thing after another and ignores what it is asked. */
export function inTurn(replies: readonly (readonly Part[])[], onCall: (prompt: Prompt) => void = () => {}): MockLanguageModelV3 {
  let calls = 0;
  return new MockLanguageModelV3({
    doStream: async (options) => {
      onCall(options.prompt);
      const parts = replies[calls++];
      if (!parts) throw new Error(`There are only ${replies.length} replies.`);
      return { stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...parts], chunkDelayInMs: null }) };
    },
  });
}

import { MockLanguageModelV3, simulateReadableStream } from "ai/test";

type Asked = Parameters<MockLanguageModelV3["doStream"]>[0];
type Streamed = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>;
type Part = Streamed["stream"] extends ReadableStream<infer P> ? P : never;
type Given = { readonly [name: string]: unknown };

/** What the model says next: a text, and the tools that it wants called. */
interface Turn {
  readonly text: string;
  readonly calls?: readonly (readonly [tool: string, input: Given])[];
}

/** How long the model takes for each word, in milliseconds: slow enough to be killed in the middle of a sentence. */
const WORD_MS = 60;
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven"];

/** A model that is always busy, so that the next one is asked. */
export function busyModel(): MockLanguageModelV3 {
  return new MockLanguageModelV3({ doStream: () => Promise.reject(new Error("Too many ships at once.")) });
}

/** A language model that needs no network: a script, which reads the whole conversation at each turn, as a real one does. */
export function harbourModel(): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async (asked) => ({ stream: simulateReadableStream({ chunks: partsOf(next(asked), asked), chunkDelayInMs: WORD_MS }) }),
  });
}

function next({ prompt, tools = [] }: Asked): Turn {
  const asked = prompt.findLast(({ role }) => role === "user");
  const wish = asked?.role === "user" ? asked.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ") : "";
  return tools.length === 0 ? { text: confirmation(wish) } : deskTurn(wish, resultsIn(prompt));
}

/** The desk: looks, asks to book, has it confirmed. */
function deskTurn(wish: string, results: ReadonlyMap<string, Result>): Turn {
  const stay = readWish(wish);
  const berths = results.get("free_berths");
  const booked = results.get("book_berth");
  const confirmed = results.get("clerk");
  if (confirmed) return { text: `All done. The clerk writes:\n\n${String(confirmed.value?.["text"] ?? "nothing")}` };
  if (booked?.value) {
    const { boat, berth, day, nights } = booked.value;
    return {
      text: "It is booked. The clerk writes the confirmation.",
      calls: [["clerk", { prompt: `Confirm: ${boat} has berth ${berth} for ${nights} nights from ${day}.` }]],
    };
  }
  if (booked)
    return {
      text: `Then I have booked nothing.${booked.reason ? ` You said: “${booked.reason}”` : ""} Tell me when you want another berth.`,
    };
  if (berths) {
    const [first] = (berths.value?.["free"] ?? []) as readonly Given[];
    if (!first) return { text: `There is no berth for a boat of ${stay.metres} metres. Ask at the container port.` };
    return {
      text: `The tide lets you in at ${String(results.get("tide_table")?.value?.["high"])}. Berth ${String(first["berth"])} is free and long enough. May I book it?`,
      calls: [["book_berth", { boat: stay.boat, berth: first["berth"], day: stay.day, nights: stay.nights }]],
    };
  }
  return {
    text: `Good day! ${stay.boat}, ${stay.metres} metres, ${stay.nights} nights from ${stay.day}. Let me look at the tide and at the free berths.`,
    calls: [
      ["tide_table", { day: stay.day }],
      ["free_berths", { day: stay.day, metres: stay.metres }],
    ],
  };
}

function confirmation(wish: string): string {
  return `${wish.replace(/^Confirm: /, "")} Please keep the fairway clear, and report on channel 12. The harbour desk.`;
}

/** What the wish says, as far as a script can read it. */
function readWish(wish: string): { readonly boat: string; readonly metres: number; readonly nights: number; readonly day: string } {
  const nights = /(\w+) nights?\b/i.exec(wish)?.[1]?.toLowerCase() ?? "one";
  return {
    boat: /\bboat (?:called |is |named )?([A-Z]\w*)/.exec(wish)?.[1] ?? "Your boat",
    metres: Number(/(\d+(?:\.\d+)?) ?m/i.exec(wish)?.[1] ?? 9),
    nights: Math.max(1, Number(nights) || NUMBERS.indexOf(nights)),
    day: /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/i.exec(wish)?.[0] ?? "today",
  };
}

/** What came of a call. */
interface Result {
  /** What the tool gave; absent where it was not allowed, or failed. */
  readonly value?: Given;
  readonly reason?: string | undefined;
}

/** The last result of each tool. */
function resultsIn(prompt: Asked["prompt"]): ReadonlyMap<string, Result> {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return new Map(
    parts.flatMap((part): [string, Result][] => {
      if (part.type !== "tool-result") return [];
      const { output } = part;
      if (output.type === "json") return [[part.toolName, { value: output.value as Given }]];
      return [[part.toolName, output.type === "execution-denied" ? { reason: output.reason } : {}]];
    }),
  );
}

function partsOf({ text, calls = [] }: Turn, { prompt }: Asked): Part[] {
  const turn = prompt.filter(({ role }) => role === "assistant").length + 1;
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "said" },
    ...(text.match(/\S+\s*/g) ?? []).map((delta): Part => ({ type: "text-delta", id: "said", delta })),
    { type: "text-end", id: "said" },
    ...calls.map(([toolName, input], i): Part => {
      return { type: "tool-call", toolCallId: `call_${turn}_${i + 1}`, toolName, input: JSON.stringify(input) };
    }),
    {
      type: "finish",
      usage: {
        inputTokens: { total: JSON.stringify(prompt).length >> 2, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: text.length >> 2, text: undefined, reasoning: undefined },
      },
      finishReason: calls.length > 0 ? { unified: "tool-calls", raw: undefined } : { unified: "stop", raw: undefined },
    },
  ];
}

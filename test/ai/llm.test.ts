import { createExecutor, type Grants, type RunEvent, type Values, type Workflow } from "wavepoint";
import { llmBlock } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { describe, expect, test } from "vitest";
import { MockLanguageModelV3 } from "ai/test";
import { broken, scripted, say, type Prompt } from "./mock-models.ts";

const flow = (inputs: Values): Workflow => ({
  name: "ask",
  blocks: [{ id: "llm", type: "LLM", inputs }],
  outputs: { llm: "${blocks.llm.outputs}" },
});

async function ask(inputs: Values, models: Grants["models"], onEvent?: (event: RunEvent) => void) {
  const executor = createExecutor({
    store: memoryStore(),
    blocks: [llmBlock],
    grants: models ? { models } : {},
    ...(onEvent ? { onEvent } : {}),
  });
  const run = await executor.start(flow(inputs));
  const result = await run.settled();
  return { result, llm: result.outputs?.["llm"] as { [name: string]: unknown } | undefined };
}

describe("one answer", () => {
  test("is text, with the model that gave it and what it used", async () => {
    const { llm } = await ask({ models: ["good"], prompt: "Hello?" }, { good: scripted([say("Good ", "day.")]) });
    expect(llm).toMatchObject({
      text: "Good day.",
      model: "good",
      finish_reason: "stop",
      used: { input_tokens: 10, output_tokens: 5, cost: 0 },
      failed: [],
    });
  });

  test("streams as events, piece by piece, and is recorded once, whole", async () => {
    const written: string[] = [];
    const recorded: string[] = [];
    await ask({ models: ["good"], prompt: "Hello?" }, { good: scripted([say("Good ", "day.")]) }, (event) => {
      if (event.type === "output") written.push(event.text);
      if (event.type === "recorded" && event.entry.type === "completed") recorded.push(JSON.stringify(event.entry));
    });
    expect(written).toEqual(["Good ", "day."]);
    expect(recorded.filter((entry) => entry.includes("Good day."))).toHaveLength(1);
  });

  test("system, messages and prompt reach the model in this order", async () => {
    let seen: Prompt = [];
    const messages = [
      { role: "user", content: "Where is the boat?" },
      { role: "assistant", content: "At sea." },
    ];
    const good = scripted([say("unused"), say("Tomorrow.")], (_, prompt) => (seen = prompt));
    const { llm } = await ask({ models: ["good"], system: "Be short.", messages, prompt: "When is it back?" }, { good });
    expect(llm?.["text"]).toBe("Tomorrow.");
    expect(seen.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(JSON.stringify(seen.at(-1))).toContain("When is it back?");
  });

  test("costs what the host says", async () => {
    const priced = { model: scripted([say("Hi")]), inputPrice: 1_000, outputPrice: 4_000 };
    const { llm } = await ask({ models: ["priced"], prompt: "Hello?" }, { priced });
    expect(llm?.["used"]).toMatchObject({ cost: 0.03 });
  });

  test("with a schema is a value that fits it", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const { llm } = await ask({ models: ["good"], prompt: "Where?", schema }, { good: scripted([say('{"city":', '"Oslo"}')]) });
    expect(llm?.["value"]).toEqual({ city: "Oslo" });
  });
});

describe("where a model fails", () => {
  test("the next one answers, and the record says which failed, and why", async () => {
    const { llm } = await ask({ models: ["broken", "good"], prompt: "Hello?" }, { broken: broken(), good: scripted([say("Hi")]) });
    expect(llm).toMatchObject({ text: "Hi", model: "good", failed: [{ model: "broken", message: "503" }] });
  });

  test("so does one whose answer does not fit, and what it used counts", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const models = { vague: scripted([say("Oslo, I think.")]), wrong: scripted([say("{}")]), good: scripted([say('{"city":"Oslo"}')]) };
    const { llm } = await ask({ models: ["vague", "wrong", "good"], prompt: "Where?", schema }, models);
    expect(llm).toMatchObject({ value: { city: "Oslo" }, model: "good", used: { input_tokens: 30, output_tokens: 15 } });
    expect(llm?.["failed"]).toMatchObject([{ model: "vague" }, { model: "wrong" }]);
  });

  test("and none answers, the block fails and names them", async () => {
    const { result } = await ask({ models: ["one", "two"], prompt: "Hello?" }, { one: broken("503"), two: broken("504") });
    expect(result.error).toMatchObject({ code: "BLOCK_FAILED" });
    expect(result.error?.message).toContain("No model answered. two: 504");
  });

  test("the run goes on with the one that was reached, after a crash and when the block is tried again", async () => {
    const calls: string[] = [];
    let up = false;
    const late = new MockLanguageModelV3({
      doStream: async (options) => {
        calls.push("late");
        if (!up) throw new Error("504");
        return scripted([say("Hi")]).doStream(options);
      },
    });
    const models = { broken: broken("503", () => calls.push("broken")), late };
    const workflow: Workflow = {
      name: "ask",
      blocks: [{ id: "llm", type: "LLM", inputs: { models: ["broken", "late"], prompt: "Hello?" }, retry: { maxAttempts: 2 } }],
    };
    const host = fakeHost({ autoAdvance: true });
    const run = await createExecutor({ store: memoryStore(), blocks: [llmBlock], grants: { models }, host }).start(workflow);
    expect((await run.settled()).status).toBe("failure");
    expect(calls).toEqual(["broken", "late", "late"]);
    up = true;
    expect((await run.resume()).status).toBe("success");
    expect(calls).toEqual(["broken", "late", "late", "late"]);
  });
});

describe("what reaches out", () => {
  const image = "https://files.example.com/a.png";
  const messages = [{ role: "user", content: [{ type: "image", image }] }];

  test("is the model's service alone: nothing is fetched for a model, also where a message names it", async () => {
    const before = globalThis.fetch;
    const fetched: unknown[] = [];
    globalThis.fetch = async (address) => {
      fetched.push(address);
      return new Response(new Uint8Array([1]), { headers: { "content-type": "image/png" } });
    };
    try {
      const { result } = await ask({ models: ["good"], messages }, { good: scripted([say("A boat.")]) });
      expect(result.error?.message).toContain("The model cannot read https://files.example.com by itself");
      expect(fetched).toEqual([]);
    } finally {
      globalThis.fetch = before;
    }
  });

  test("is left to a service that reads addresses by itself", async () => {
    let seen: Prompt = [];
    const said = scripted([say("A boat.")], (_, prompt) => (seen = prompt));
    const reads = new MockLanguageModelV3({ supportedUrls: { "image/*": [/^https:/] }, doStream: (call) => said.doStream(call) });
    const { llm } = await ask({ models: ["reads"], messages }, { reads });
    expect(llm?.["text"]).toBe("A boat.");
    expect(JSON.stringify(seen)).toContain(image);
  });
});

describe("a model that does not end", () => {
  test("is ended where it wrote more than a step can record, its service hears so, and the next one is asked", async () => {
    let isEnded = false;
    const endless = new MockLanguageModelV3({
      doStream: async ({ abortSignal }) => {
        abortSignal!.addEventListener("abort", () => (isEnded = true), { once: true });
        const stream = new ReadableStream({
          start(controller) {
            controller.enqueue({ type: "text-start", id: "1" });
          },
          pull(controller) {
            if (isEnded) controller.close();
            else controller.enqueue({ type: "text-delta", id: "1", delta: "x".repeat(50_000) });
          },
        });
        return { stream } as never;
      },
    });
    const { llm } = await ask({ models: ["endless", "good"], prompt: "Hello?" }, { endless, good: scripted([say("Good day.")]) });
    expect(llm).toMatchObject({ text: "Good day.", failed: [{ message: expect.stringContaining("1048576 characters") as string }] });
    expect(isEnded).toBe(true);
  });
});

describe("limits", () => {
  test("bound what a model may write", async () => {
    const good = scripted([say("Hi")]);
    const inputs = { models: ["good"], prompt: "Hello?", max_tokens: 500, limits: { tokens: 300, cost: 1 } };
    await ask(inputs, { good: { model: good, inputPrice: 1_000, outputPrice: 4_000 } });
    expect(good.doStreamCalls[0]?.maxOutputTokens).toBe(250);
  });

  test("let no other model be asked once they are reached", async () => {
    const calls: number[] = [];
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const models = { vague: scripted([say("Oslo")]), other: scripted([say("{}")], (turn) => calls.push(turn)) };
    const { result } = await ask({ models: ["vague", "other"], prompt: "Where?", schema, limits: { tokens: 12 } }, models);
    expect(result.error).toMatchObject({ code: "LIMIT_EXCEEDED" });
    expect(result.error?.message).toContain("Models used 15 tokens; 12 are allowed.");
    expect(calls).toEqual([]);
  });

  test("end a model that takes too long", async () => {
    const slow = new MockLanguageModelV3({
      doStream: ({ abortSignal }) =>
        new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason as Error))),
    });
    const host = fakeHost({ autoAdvance: true });
    const executor = createExecutor({ store: memoryStore(), blocks: [llmBlock], grants: { models: { slow } }, host });
    const run = await executor.start(flow({ models: ["slow"], prompt: "Hello?", limits: { seconds: 20 } }));
    expect((await run.settled()).error).toMatchObject({ code: "LIMIT_EXCEEDED", details: { limit: "seconds" } });
  });
});

describe("what is wrong is said", () => {
  test("before anything runs where no models are granted", async () => {
    await expect(ask({ models: ["good"], prompt: "Hello?" }, undefined)).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });

  test("with what there is where a model has another name", async () => {
    const { result } = await ask({ models: ["god"], prompt: "Hello?" }, { good: scripted([say("Hi")]) });
    expect(result.error).toMatchObject({ code: "CAPABILITY_MISSING" });
    expect(result.error?.message).toContain('Did you mean "good"?');
  });

  test("at load where nothing is asked", async () => {
    await expect(ask({ models: ["good"] }, { good: scripted([say("Hi")]) })).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
  });
});

import { createExecutor, WorkflowError, type Executor, type Run, type Values, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { afterEach, describe, expect, test } from "vitest";
import type { Example } from "../../demo/examples.ts";
import { createStartQuestions } from "../../demo/start-questions.ts";

const workflow: Workflow = {
  name: "book-berth",
  inputs: {
    boat: { type: "string", description: "As it stands on the hull" },
    berth: { type: "string", enum: ["North", "South"], default: "South" },
    takes_ms: { type: "integer", default: 2 },
    pass: { type: "string", secret: true },
    remark: { type: "string", required: false },
  },
  blocks: [{ id: "book", type: "EchoBlock", inputs: { message: "${inputs.boat}" } }],
};
const executors: Executor[] = [];

afterEach(async () => {
  for (const executor of executors.splice(0)) await executor.close();
});

function opened(rest: Partial<Example> = {}) {
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  executors.push(executor);
  const started: Run[] = [];
  const example: Example = { workflow, readSource: () => Promise.resolve(""), shelf: "watch", called: [], ...rest };
  const questions = createStartQuestions({ executor, onStarted: (run) => started.push(run) });
  return { form: questions.of(example), started, again: () => questions.of(example) };
}

describe("the question that starts a workflow", () => {
  test("asks for each input, in their order, with its default", () => {
    const { pause } = opened().form.getSnapshot();
    expect(pause?.metadata["fields"]).toEqual(Object.keys(workflow.inputs!));
    expect(pause?.schema.required).toEqual(["boat", "pass"]);
    expect(pause?.schema.properties).toMatchObject({
      boat: { type: "string", title: "Boat", description: "As it stands on the hull" },
      berth: { enum: ["North", "South"], default: "South" },
      takes_ms: { title: "Takes (ms)" },
      pass: { format: "password" },
    });
  });

  test("takes what the page knows for a default", () => {
    const { pause } = opened({ presets: { boat: "Heron" } }).form.getSnapshot();
    expect(pause?.schema.properties?.["boat"]?.default).toBe("Heron");
  });

  test("is the same one however often it is asked for", () => {
    const { form, again } = opened();
    expect(again()).toBe(form);
  });

  test("starts a run with what it was answered", async () => {
    const { form, started } = opened();
    await form.answer({ boat: "Heron", berth: "North", pass: "open-sesame" });
    expect(started).toHaveLength(1);
    expect(started[0]!.getSnapshot().inputs).toMatchObject({ boat: "Heron", berth: "North", takes_ms: 2 });
    expect(form.getSnapshot()).toMatchObject({ isSending: false, error: undefined });
  });

  test("says for each input what is wrong with it, an empty text counted as missing", async () => {
    const { form, started } = opened();
    const result = await form.answer({ boat: "", berth: "West", pass: "open-sesame" });
    expect(result.status).toBe("failure");
    expect(started).toEqual([]);
    const { error, fieldErrors } = form.getSnapshot();
    expect(error?.code).toBe("INPUT_INVALID");
    expect(Object.fromEntries(fieldErrors.map(({ instancePath, code, message }) => [instancePath, [code, message.slice(0, 12)]]))).toEqual({
      "/berth": ["invalid", "must be one "],
      "/boat": ["required", "is required"],
    });
  });

  test("tells its listeners of each change", async () => {
    const { form } = opened();
    const seen: boolean[] = [];
    form.subscribe(() => seen.push(form.getSnapshot().isSending));
    await form.answer({});
    expect([seen[0], seen.at(-1)]).toEqual([true, false]);
  });

  test("rejects with what is no fault of the inputs", async () => {
    const failing = { start: () => Promise.reject(new WorkflowError("STORE_FAILED", "The store is gone.")) } as unknown as Executor;
    const form = createStartQuestions({ executor: failing, onStarted: () => {} }).of({
      workflow,
      readSource: () => Promise.resolve(""),
      shelf: "watch",
      called: [],
    });
    await expect(form.answer({ boat: "Heron" } satisfies Values)).rejects.toThrow("The store is gone.");
    expect(form.getSnapshot().isSending).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, type Block, type Values, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

async function outputsOf(workflow: Workflow, inputs: Values = {}): Promise<Values | undefined> {
  const service = defineBlock({ type: "Service", execute: () => success({ status: 204, outcome: "ours", succeeded: "our own" }) });
  const give = defineBlock({ type: "Give", execute: ({ inputs: given }) => success(given as Values) });
  const run = await createExecutor({ store: memoryStore(), blocks: [service, give] }).start(workflow, inputs);
  return (await run.settled()).outputs;
}

test("outputs of a block come before what the engine knows by the same name", async () => {
  const outputs = await outputsOf({
    name: "w",
    blocks: [
      { id: "a", type: "Service" },
      { id: "b", type: "Give", inputs: { status: null } },
    ],
    outputs: {
      own: [
        "${blocks.a.status}",
        "${blocks.a.outcome}",
        "${blocks.a.succeeded}",
        "${blocks.a.outputs.status}",
        "${blocks.b.status}",
      ].reduce((all, one) => `${all} ${one}`),
      ours: "${blocks.a.metadata.status} ${blocks.a.metadata.outcome} ${blocks.a.metadata.succeeded} ${blocks.b.outcome}",
    },
  });
  expect(outputs).toEqual({ own: "204 ours our own 204 ", ours: "completed success true success" });
});

test("attempts are counted, those of a retry too", async () => {
  let tries = 0;
  const flaky = defineBlock({ type: "Flaky", execute: () => (++tries < 3 ? failure("not yet") : success({})) });
  const workflow: Workflow = {
    name: "w",
    blocks: [
      { id: "a", type: "Flaky", retry: { maxAttempts: 5, delayMs: 0 } },
      { id: "b", type: "Flaky", condition: false },
    ],
    outputs: { tried: "${blocks.a.metadata.attempts}", skipped: "${blocks.b.metadata.attempts}" },
  };
  const run = await createExecutor({ store: memoryStore(), blocks: [flaky] }).start(workflow);
  expect(await run.settled()).toMatchObject({ outputs: { tried: 3, skipped: 0 } });
});

describe("inputs of blocks", () => {
  test("can be referred to after the block has run", async () => {
    const outputs = await outputsOf(
      {
        name: "w",
        inputs: { who: { type: "string" } },
        blocks: [{ id: "a", type: "Give", inputs: { deep: [{ text: "hello ${inputs.who}" }] } }],
        outputs: { text: "${blocks.a.inputs.deep[0].text}" },
      },
      { who: "Ada" },
    );
    expect(outputs).toEqual({ text: "hello Ada" });
  });

  test("are resolved once, however many blocks refer to each other's", async () => {
    const blocks = Array.from({ length: 60 }, (_, i): Block => {
      const before = `\${blocks.b${i - 1}.inputs.text}`;
      return i === 0
        ? { id: "b0", type: "Give", inputs: { text: "" } }
        : { id: `b${i}`, type: "Give", dependsOn: [`b${i - 1}`], inputs: { text: `${before}${before}` } };
    });
    expect(await outputsOf({ name: "w", blocks, outputs: { text: "[${blocks.b59.inputs.text}]" } })).toEqual({ text: "[]" });
  });
});

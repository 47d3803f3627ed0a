import { describe, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import type { Block, Store, Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { loadWorkflow } from "wavepoint/yaml";

const WIZARD = loadWorkflow(`
name: trip
label: |
  Trip to \${blocks.where.outputs.input_value}
  for \${inputs.people}
inputs:
  people: { type: integer, default: 2 }
blocks:
  - { id: where, type: GetInput, inputs: { prompt: "Where?" } }
  - { id: how, type: GetInput, depends_on: [where], inputs: { prompt: "How?" } }
`);

function executorFor(store: Store, workflow: Workflow = WIZARD) {
  return createExecutor({ store, workflows: [workflow], host: fakeHost({ seed: 7, autoAdvance: true }) });
}

describe("lists show a run by its label", () => {
  test("which follows the answers, and leaves out what is not known yet", async () => {
    const store = memoryStore();
    const executor = executorFor(store);
    const run = await executor.start("trip", { people: 3 });
    const label = async (): Promise<string | undefined> => (await executor.runs.list({ limit: 1 })).items[0]?.label;
    const { pauses } = await run.settled();
    expect(await label()).toBe("Trip to for 3");
    const { pauses: next } = await run.answer(pauses![0]!.id, "Rome");
    expect(await label()).toBe("Trip to Rome for 3");
    await run.answer(next![0]!.id, "by train");
    expect((await executor.runs.list({ status: "completed" })).items[0]?.label).toBe("Trip to Rome for 3");
    await executor.close();
  });

  test("cut to one line of 200 characters, and never a reason to fail", async () => {
    const executor = executorFor(memoryStore(), { ...WIZARD, label: "${inputs.people[7].name} ${blocks.where.outputs.input_value}" });
    const run = await executor.start("trip");
    const { pauses } = await run.settled();
    expect((await executor.runs.list()).items[0]).not.toHaveProperty("label");
    await run.answer(pauses![0]!.id, "far\naway ".repeat(100));
    expect((await executor.runs.list()).items[0]?.label).toBe("far away ".repeat(100).slice(0, 200));
    await executor.close();
  });

  test("which an encrypted store keeps sealed", async () => {
    const inner = memoryStore();
    const executor = executorFor(await encryptedStore(inner, { key: new Uint8Array(32) }));
    const run = await executor.start("trip");
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "Canary-Islands");
    expect((await executor.runs.list()).items[0]?.label).toBe("Trip to Canary-Islands for 2");
    expect(JSON.stringify((await inner.runs()).items)).not.toContain("Canary");
    await executor.close();
  });
});

describe("a label is checked at load", () => {
  const ask = (id: string, inputs: Block["inputs"] = {}): Block => ({ id, type: "GetInput", inputs: { prompt: "?", ...inputs } });

  test.each<[what: string, code: string, workflow: Workflow]>([
    ["an input that is not declared", "REFERENCE_UNKNOWN", { name: "w", label: "${inputs.missing}", blocks: [ask("a")] }],
    ["a block that is not there", "REFERENCE_UNKNOWN", { name: "w", label: "${blocks.b.outputs.x}", blocks: [ask("a")] }],
    ["a reference that does not end", "EXPRESSION_SYNTAX", { name: "w", label: "${inputs.", blocks: [ask("a")] }],
    [
      "a secret input",
      "SECRET_MISPLACED",
      { name: "w", label: "${inputs.pin}", inputs: { pin: { type: "string", secret: true } }, blocks: [ask("a")] },
    ],
    [
      "a private answer",
      "SECRET_MISPLACED",
      { name: "w", label: "${blocks.a.outputs.input_value}", blocks: [ask("a", { sensitive: true })] },
    ],
  ])("%s", async (_, code, workflow) => {
    const executor = executorFor(memoryStore());
    await expect(executor.load(workflow)).rejects.toMatchObject({ code, place: { path: "label" } });
    await executor.close();
  });

  test("one without a mistake loads, and what stands under a secret key is a marker in it", async () => {
    const executor = executorFor(memoryStore(), {
      name: "trip",
      label: "Login ${inputs.password}",
      inputs: { password: { type: "string" } },
      blocks: [ask("a")],
    });
    const run = await executor.start("trip", { password: "open sesame" });
    await run.settled();
    const [head] = (await executor.runs.list()).items;
    expect(head?.label).toMatch(/^Login \*\*\*/);
    expect(JSON.stringify(head)).not.toContain("sesame");
    await executor.close();
  });
});

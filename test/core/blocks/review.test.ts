import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const workflow: Workflow = {
  name: "sign-up",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Your name?" } },
    { id: "look", type: "Review", dependsOn: ["name"], inputs: { prompt: "Is all of this right?", declaration: "All of this is true." } },
    { id: "colour", type: "GetInput", dependsOn: ["look"], inputs: { prompt: "Your colour?" } },
  ],
  outputs: { sure: "${blocks.look.confirmed}", name: "${blocks.name.input_value}" },
};

async function reviewed() {
  const run = await createExecutor({ store: memoryStore(), workflows: [workflow] }).start("sign-up");
  const asked = () => run.getSnapshot().pauses[0]!;
  await run.settled();
  const first = asked().id;
  await run.answer(first, "Ada");
  return { run, asked, first };
}

test("what is declared has to be ticked", async () => {
  const { run, asked } = await reviewed();
  expect(asked()).toMatchObject({ prompt: "Is all of this right?", metadata: { kind: "review" } });
  expect((await run.answer(asked().id, {})).error?.details?.["fields"]).toEqual({ declared: "Enter an answer." });
  expect((await run.answer(asked().id, { declared: false })).error?.details?.["fields"]).toEqual({ declared: "Agree to this." });
  await run.answer(asked().id, { declared: true });
  await run.answer(asked().id, "blue");
  expect(run.getSnapshot().outputs).toEqual({ sure: true, name: "Ada" });
});

test("an answer that is changed while it waits, or after it, has to be looked over", async () => {
  const { run, asked, first } = await reviewed();
  await run.revise(first, "Grace");
  expect(asked().path).toEqual(["look"]);
  await run.answer(asked().id, { declared: true });
  expect(asked().path).toEqual(["colour"]);
  expect(await run.previewRevise(first, "Edith")).toMatchObject({ asked: ["look"] });
  await run.revise(first, "Edith");
  expect(asked().path).toEqual(["look"]);
  // What was ticked for other answers is not ticked for these.
  expect([asked().prefill, asked().earlier]).toEqual([undefined, undefined]);
});

test("the same answer again needs no other look", async () => {
  const { run, asked, first } = await reviewed();
  await run.answer(asked().id, { declared: true });
  await run.revise(first, "Ada");
  expect(asked().path).toEqual(["colour"]);
});

test("without a declaration it asks for nothing but to go on", async () => {
  const plain: Workflow = { name: "plain", blocks: [{ id: "look", type: "Review", inputs: { prompt: "Right?" } }] };
  const run = await createExecutor({ store: memoryStore(), workflows: [plain] }).start("plain");
  await run.settled();
  const [pause] = run.getSnapshot().pauses;
  expect(pause!.schema).toEqual({ type: "object", properties: {}, required: [], additionalProperties: false });
  expect((await run.answer(pause!.id, {})).status).toBe("success");
});

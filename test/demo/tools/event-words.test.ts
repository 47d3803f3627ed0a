import { createExecutor, type RunEvent } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { eventText, kindOf, runOf } from "../../../demo/tools/event-words.ts";

async function eventsOfRun(): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const executor = createExecutor({ store: memoryStore(), onEvent: (event) => events.push(event) });
  const run = await executor.start({
    name: "greeting",
    blocks: [
      { id: "name", type: "GetInput", inputs: { prompt: "What is your name?" } },
      { id: "hello", type: "EchoBlock", dependsOn: [{ block: "name" }], inputs: { message: "Hello, ${blocks.name.outputs.input_value}!" } },
    ],
  });
  const { pauses } = await run.settled().then(() => run.getSnapshot());
  await run.answer(pauses[0]!.id, "Ada");
  return events;
}

test("every event of a run has a kind, a run and a line", async () => {
  const events = await eventsOfRun();
  const recorded = events.filter(({ type }) => type === "recorded");
  expect(recorded.map(kindOf)).toEqual(["paused", "answered", "completed", "completed", "finished"]);
  expect(recorded.map((event) => eventText(event).replace(/ after \d+ ms$/, ""))).toEqual([
    "name asks: What is your name?",
    "Question 1 has its answer",
    "name is done",
    "hello is done",
    "The run is completed",
  ]);
  expect(new Set(events.map(runOf)).size).toBe(1);
});

test("a long prompt is cut", () => {
  const text = eventText({
    type: "recorded",
    run: "run_a",
    workflow: "a",
    entry: { type: "paused", block: "b", pause: 0, prompt: "x".repeat(500), schema: {}, at: 0 },
  });
  expect(text).toBe(`b asks: ${"x".repeat(120)}…`);
});

import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Executor, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { bytesOf, inShort } from "./give-value.ts";
import { conclude, leftOpen } from "../../../support/left-open.ts";

const seen: unknown[] = [];
const asks = defineBlock({
  type: "Asks",
  execute: async () => pause({ prompt: "A file?", schema: {} }),
  async resume({ response }) {
    seen.push(response);
    return success({ response });
  },
});

const FLOW = { name: "asks", blocks: [{ id: "ask", type: "Asks" }] };
const CALLS = { name: "calls", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "asks" } }] };

const open = (store: Store): Executor => createExecutor({ store, blocks: [asks], workflows: [FLOW, CALLS] });

async function ask(workflow: string = "asks"): Promise<{ readonly store: Store; readonly id: string; readonly pause: string }> {
  const store = memoryStore();
  const run = await open(store).start(workflow);
  const { pauses } = await run.settled();
  return { store, id: run.id, pause: pauses![0]!.id };
}

describe("an answer", () => {
  test.each<readonly [what: string, answer: unknown]>([
    ["plain", { a: [1, "ä"] }],
    ["with a date and a map", { when: new Date(1), map: new Map([["a", 1n]]) }],
    ["that is no JSON at all", 5n],
    ["with bytes", { name: "photo", bytes: bytesOf(100_000) }],
    ["with a file", { name: "film", bytes: bytesOf(3_000_000) }],
  ])("%s reaches the block as it was given, and is read again so", async (_what, answer) => {
    const { store, id, pause: question } = await ask();
    seen.length = 0;
    const result = await open(store).answer(question, answer as never);
    expect(result.status).toBe("success");
    expect(inShort(seen)).toEqual(inShort([answer]));
    const again = await open(store).open(id);
    expect(inShort((await again.steps())[0]!.outputs)).toEqual(inShort({ response: answer }));
    expect((await again.answer(question, structuredClone(answer) as never)).status).toBe("success");
    expect(await again.answer(question, [structuredClone(answer)] as never)).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED" } });
  });

  test("with a file goes to the run that asks, through the one that called it", async () => {
    const { store, id, pause: question } = await ask("calls");
    const file = bytesOf(2_000_000);
    expect((await open(store).answer(question, file as never)).status).toBe("success");
    const child = await open(store).open(`${id}/call`);
    expect(inShort((await child.steps())[0]!.outputs)).toEqual(inShort({ response: file }));
    for (const run of [id, child.id]) expect((await store.head(run))!.blobs).toHaveLength(1);
  });

  test("with a file that reached the called run alone is noted by its caller too", async () => {
    const { store, id } = await ask("calls");
    const child = await open(store).open(`${id}/call`);
    const file = bytesOf(2_000_000);
    const result = await child.answer(child.getSnapshot().pauses[0]!.id, file as never);
    expect(result.status).toBe("success");
    const caller = await open(store).open(id);
    expect((await caller.resume()).status).toBe("success");
    expect((await store.head(id))!.blobs).toHaveLength(1);
    expect((await (await open(store).open(id)).settled()).status).toBe("success");
  });

  test("is no longer the object that was given", async () => {
    const { store, pause: question } = await ask();
    seen.length = 0;
    const answer = { list: [1] };
    const answering = open(store).answer(question, answer);
    answer.list.push(2);
    await answering;
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  test("counts without its bytes", async () => {
    const fits = await ask();
    expect((await open(fits.store).answer(fits.pause, { bytes: bytesOf(400_000), text: "x".repeat(60_000) } as never)).status).toBe(
      "success",
    );
    const text = { bytes: bytesOf(10), text: "x".repeat(70_000) };
    const large = await ask();
    expect(await open(large.store).answer(large.pause, text as never)).toMatchObject({
      error: { code: "RESPONSE_INVALID", details: { limit: 65_536 } },
    });
  });

  const circle: unknown[] = [];
  circle.push(circle);
  test.each<readonly [what: string, answer: unknown, message: string]>([
    ["a function", { fn: () => {} }, '"fn"'],
    ["a circle", circle, '"[0]"'],
    ["an instance of a class", { url: new URL("https://example.com") }, '"url"'],
    ["more bytes than a value may hold", new Uint8Array(70_000_000), "67108864"],
    ["a list that is mostly holes", Object.assign([], { length: 4_000_000_000 }), "1048576"],
  ])("that holds %s is refused, and the question stays open", async (_what, answer, message) => {
    const { store, id, pause: question } = await ask();
    const before = await store.read(id);
    const result = await open(store).answer(question, answer as never);
    expect(result).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID", message: expect.stringContaining(message) } });
    expect(await store.read(id)).toEqual(before);
    expect((await open(store).answer(question, "fine")).status).toBe("success");
  });
});

describe("a run that revises another one", () => {
  const TWO = {
    name: "two",
    blocks: [
      { id: "first", type: "Asks" },
      { id: "second", type: "Asks", dependsOn: ["first"] },
      { id: "third", type: "Asks", dependsOn: ["second"] },
    ],
    outputs: {
      first: "${blocks.first.outputs.response}",
      second: "${blocks.second.outputs.response}",
      third: "${blocks.third.outputs.response}",
    },
  };
  const film = { name: "film", bytes: bytesOf(1_500_000), when: new Date(7) };
  const other = { name: "other", bytes: bytesOf(1_500_000, 2) };

  test("keeps answers with bytes, takes a new one with bytes, and offers earlier ones with bytes", async () => {
    const store = memoryStore();
    const run = await open(store).start(leftOpen(TWO));
    const questions: string[] = [];
    for (const answer of [film, 5n, film]) {
      const { pauses } = await run.settled();
      questions.push(pauses![0]!.id);
      await run.answer(pauses![0]!.id, answer as never);
    }
    await (await open(store).open(run.id)).revise(questions[1]!, other as never);
    await (await open(store).open(run.id)).back();
    const waiting = await open(store).open(run.id);
    const [third] = waiting.getSnapshot().pauses;
    expect(inShort(third!.earlier?.response)).toEqual(inShort(film));
    await waiting.answer(third!.id, film as never);
    expect(inShort((await conclude(waiting)).outputs)).toEqual(inShort({ first: film, second: other, third: film }));
    const again = await open(store).open(run.id);
    expect(inShort((await again.settled()).outputs)).toEqual(inShort({ first: film, second: other, third: film }));
    expect((await store.head(run.id))!.blobs).toHaveLength(2);
    expect((await store.read(run.id)).join("").length).toBeLessThan(10_000);
  });

  test("is offered earlier answers that have no place in JSON", async () => {
    const store = memoryStore();
    const run = await open(store).start(TWO);
    for (const answer of [1n, new Map([["a", -0]])]) await run.answer((await run.settled()).pauses![0]!.id, answer as never);
    await (await open(store).open(run.id)).back();
    const waiting = await open(store).open(run.id);
    const [question] = waiting.getSnapshot().pauses;
    expect(question!.earlier?.response).toStrictEqual(new Map([["a", -0]]));
    await waiting.answer(question!.id, new Map([["a", -0]]) as never);
    const { pauses } = await waiting.settled();
    await waiting.answer(pauses![0]!.id, "end");
    expect((await waiting.settled()).outputs).toStrictEqual({ first: 1n, second: new Map([["a", -0]]), third: "end" });
  });
});

import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Block, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { loadWorkflow } from "wavepoint/yaml";
import { fillIn } from "../../../support/fill-in.ts";
import { ANSWERS, JOURNEY } from "../../../support/journey.ts";
import { pauseOf } from "../../../support/pause-of.ts";
import { workshop } from "../../../support/workshop.ts";

const journey = loadWorkflow(JOURNEY);

function setUp(...workflows: Workflow[]) {
  const shop = workshop();
  const store = memoryStore();
  const parts = { store, host: fakeHost({ autoAdvance: true }), workflows, blocks: shop.blocks };
  return { store, shop, parts, executor: createExecutor(parts) };
}

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const work = (id: string, value: string, more: Partial<Block> = {}): Block => ({ id, type: "Work", inputs: { value }, ...more });

describe("a questionnaire of thirty questions", () => {
  test("asks again only what depends on a changed answer, as the preview said", async () => {
    const { executor, store } = setUp(journey);
    const run = await executor.start("journey");
    expect(await fillIn(run, ANSWERS)).toHaveLength(24);
    const before = await store.read(run.id);
    const transport = await pauseOf(run, "transport");
    const preview = await run.previewRevise(transport, "plane");
    const byPlane = ["arrival", "book", "luggage", "meal", "passport", "seat"];
    expect(preview.asked.toSorted()).toEqual(byPlane);
    expect(preview).toMatchObject({ skipped: ["railcard", "bicycle"], uncertain: [], effects: [], once: [] });
    expect(preview.rerun.toSorted()).toEqual([...byPlane, "summary", "transport"].toSorted());
    const revised = await run.revise(transport, "plane");
    expect((await fillIn(revised, { ...ANSWERS, transport: undefined })).toSorted()).toEqual(byPlane);
    expect(await revised.settled()).toMatchObject({ outputs: { booked: true, summary: "Ada goes by plane: a quiet room" } });
    expect(await store.read(run.id)).toEqual(before);
    expect(await run.settled()).toMatchObject({ outputs: { summary: "Ada goes by train: a quiet room" } });
    const completed = (await revised.steps()).filter(({ status }) => status === "completed").map(({ block }) => block);
    expect([...preview.kept, ...preview.rerun].toSorted()).toEqual(completed.toSorted());
  });

  test("asks nothing where the answer stays the same", async () => {
    const { executor } = setUp(journey);
    const run = await executor.start("journey");
    await fillIn(run, ANSWERS);
    const transport = await pauseOf(run, "transport");
    expect(await run.previewRevise(transport, "train")).toMatchObject({ asked: [], rerun: [], skipped: [], uncertain: [] });
    expect((await (await run.revise(transport, "train")).settled()).status).toBe("success");
  });

  test("finds the old answers again when a changed answer is changed back", async () => {
    const { executor } = setUp(journey);
    const run = await executor.start("journey");
    await fillIn(run, ANSWERS);
    const byPlane = await run.revise(await pauseOf(run, "transport"), "plane");
    await fillIn(byPlane, ANSWERS);
    const byTrain = await byPlane.revise(await pauseOf(byPlane, "transport"), "train");
    expect(await byTrain.settled()).toEqual({ ...(await run.settled()), run: byTrain.id });
  });
});

describe("a revision", () => {
  const plain: Workflow = {
    name: "plain",
    blocks: [
      ask("first"),
      ask("second", { dependsOn: ["first"] }),
      work("other", "${blocks.second.input_value}", { dependsOn: ["second"] }),
      work("own", "${blocks.first.input_value}", { dependsOn: ["second"] }),
      ask("third", { dependsOn: ["other", "own"] }),
    ],
    outputs: { own: "${blocks.own.value}", other: "${blocks.other.value}", third: "${blocks.third.input_value}" },
  };

  test("takes finished steps over with what they gave, how long they took, and their answers", async () => {
    const { executor, shop, store } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, { first: "a", second: "b", third: "c" });
    const revised = await run.revise(await pauseOf(run, "first"), "A");
    expect(await revised.settled()).toMatchObject({ outputs: { own: "A", other: "b", third: "c" } });
    expect(shop.began).toEqual(["other", "own", "own"]);
    const kept = (await store.read(revised.id)).map((text) => JSON.parse(text)).filter((entry) => entry.kept);
    expect(kept.map(({ block }) => block)).toEqual(["second", "other", "third"]);
    expect(await revised.answers()).toMatchObject([
      { block: "first", answer: "A", status: "answered" },
      { block: "second", answer: "b", status: "answered" },
      { block: "third", answer: "c", status: "answered" },
    ]);
    expect(revised.getSnapshot().fork).toEqual({ run: run.id, checkpoint: await pauseOf(run, "first"), revises: true });
  });

  test("refuses a wrong answer before anything is made", async () => {
    const { executor, store } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, { first: "a", second: "b", third: "c" });
    const pause = await pauseOf(run, "first");
    await expect(run.revise(pause, "")).rejects.toMatchObject({ code: "RESPONSE_INVALID" });
    await expect(run.previewRevise(pause, 7)).rejects.toMatchObject({ code: "RESPONSE_INVALID" });
    await expect(run.revise("pause_nowhere.0", "x")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    await expect(run.revise("chk_nowhere.0", "x")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    expect((await store.runs()).items).toHaveLength(1);
  });

  test("of an open question answers it in the new run alone", async () => {
    const { executor } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, { first: "a" }, { until: "second" });
    const revised = await run.revise(run.getSnapshot().pauses[0]!.id, "b");
    expect(await revised.settled()).toMatchObject({ pauses: [{ path: ["third"] }] });
    expect(await run.settled()).toMatchObject({ pauses: [{ path: ["second"] }] });
  });

  test("takes the answers over of questions that were open beside the changed one", async () => {
    const beside: Workflow = { name: "beside", blocks: [ask("a"), ask("b"), ask("c"), ask("d", { dependsOn: ["a", "b", "c"] })] };
    const { executor } = setUp(beside);
    const run = await executor.start("beside");
    await fillIn(run, { a: "1", b: "2", c: "3", d: "4" });
    const revised = await run.revise(await pauseOf(run, "a"), "one");
    expect(await revised.settled()).toMatchObject({ status: "success" });
    expect((await revised.answers()).map(({ answer }) => answer)).toEqual(["one", "2", "3", "4"]);
  });

  test("offers an answer that no longer fits, and one whose question has changed", async () => {
    const colours: Workflow = {
      name: "colours",
      blocks: [
        ask("thing"),
        {
          id: "colour",
          type: "AskChoice",
          dependsOn: ["thing"],
          inputs: { question: "Which?", choices: ["red ${blocks.thing.input_value}", "blue"] },
        },
        ask("why", { dependsOn: ["colour"], inputs: { prompt: "Why ${blocks.thing.input_value}?" } }),
      ],
    };
    const { executor } = setUp(colours);
    const run = await executor.start("colours");
    await fillIn(run, { thing: "car", colour: "red car", why: "fast" });
    const revised = await run.revise(await pauseOf(run, "thing"), "hat");
    const asked = await revised.settled();
    expect(asked).toMatchObject({ pauses: [{ path: ["colour"], earlier: { response: "red car", state: "invalid" } }] });
    const next = await revised.answer(asked.pauses![0]!.id, "blue");
    expect(next).toMatchObject({ pauses: [{ path: ["why"], earlier: { response: "fast", state: "needs_review" } }] });
  });

  test("lets a block have its question looked at, or asked anew, where something before it changed", async () => {
    const rules: Workflow = {
      name: "rules",
      blocks: [
        ask("age"),
        ask("name"),
        ask("consent", { dependsOn: ["age"], onRevise: "ask_again" }),
        ask("address", { dependsOn: ["age"], onRevise: "review" }),
        ask("mail", { dependsOn: ["age"] }),
        ask("nickname", { dependsOn: ["name"], onRevise: "ask_again" }),
      ],
    };
    const { executor } = setUp(rules);
    const run = await executor.start("rules");
    await fillIn(run, { age: "17", name: "Ada", consent: "yes", address: "here", mail: "a@b", nickname: "A" });
    const age = await pauseOf(run, "age");
    const asked = ["consent", "address"];
    expect(await run.previewRevise(age, "18")).toMatchObject({ asked, uncertain: [], kept: ["name", "mail", "nickname"] });
    const revised = await run.revise(age, "18");
    const { pauses } = await revised.settled();
    expect(pauses!.map(({ path, earlier }) => [path[0], earlier])).toEqual([
      ["consent", undefined],
      ["address", { response: "here", state: "needs_review" }],
    ]);
  });

  test("names in its preview what may come out either way", async () => {
    const doubtful: Workflow = {
      name: "doubtful",
      blocks: [
        ask("a"),
        work("made", "${blocks.a.input_value}", { dependsOn: ["a"] }),
        ask("if_made", { dependsOn: ["made"], condition: "${blocks.made.value} == 'x'" }),
        ask("afterwards", { dependsOn: ["if_made"] }),
        work("anyway", "y", { dependsOn: [{ block: "if_made", required: false }] }),
      ],
    };
    const { executor } = setUp(doubtful);
    const run = await executor.start("doubtful");
    await fillIn(run, { a: "x", if_made: "1", afterwards: "2" });
    expect(await run.previewRevise(await pauseOf(run, "a"), "z")).toEqual({
      kept: ["anyway"],
      asked: ["if_made", "afterwards"],
      rerun: ["a", "made", "if_made", "afterwards"],
      effects: [],
      once: [],
      skipped: [],
      uncertain: ["if_made", "afterwards"],
    });
  });

  test("does not take over what failed", async () => {
    const failing: Workflow = { name: "failing", blocks: [ask("a"), work("w", "x", { dependsOn: ["a"], inputs: { fails: 1 } })] };
    const { executor, shop } = setUp(failing);
    const run = await executor.start("failing");
    await run.answer((await run.settled()).pauses![0]!.id, "1");
    expect(run.getSnapshot().status).toBe("failed");
    shop.mend();
    const revised = await run.revise(await pauseOf(run, "a"), "2");
    expect((await revised.settled()).status).toBe("success");
  });

  test("of a run that still waits lets the new one wait at the same question", async () => {
    const { executor } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, { first: "a", second: "b" }, { until: "third" });
    const revised = await run.revise(await pauseOf(run, "first"), "A");
    expect(await revised.settled()).toMatchObject({ pauses: [{ path: ["third"] }] });
    expect(await fillIn(revised, { third: "c" })).toEqual(["third"]);
  });

  test("goes on where its source was deleted: what is missing runs and is asked", async () => {
    const { executor, parts, shop } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, { first: "a", second: "b" }, { until: "third" });
    const back = await run.back();
    await executor.runs.delete(run.id);
    const later = await createExecutor(parts).open(back.id);
    expect(await fillIn(later, { second: "b", third: "c" })).toEqual(["second", "third"]);
    expect(shop.began).toEqual(["other", "own", "other", "own"]);
  });

  test("compares dates, bytes and the like by what they are", async () => {
    const ran: unknown[] = [];
    const dates = defineBlock({
      type: "Dates",
      execute: () => success({ on: new Date(86_400_000), set: new Set([1]), bytes: new Uint8Array([1, 2]) }),
    });
    const use = defineBlock({
      type: "Use",
      execute: ({ inputs }) => {
        ran.push(inputs);
        return success({ seen: inputs });
      },
    });
    const rich: Workflow = {
      name: "rich",
      blocks: [
        ask("a"),
        { id: "dates", type: "Dates", dependsOn: ["a"], inputs: { of: "${blocks.a.input_value}" } },
        { id: "use", type: "Use", dependsOn: ["dates"], inputs: { given: "${blocks.dates.outputs}" } },
      ],
      outputs: { seen: "${blocks.use.seen}" },
    };
    const executor = createExecutor({ store: memoryStore(), workflows: [rich], blocks: [dates, use] });
    const run = await executor.start("rich");
    await fillIn(run, { a: "1" });
    const revised = await run.revise(await pauseOf(run, "a"), "2");
    expect(await revised.settled()).toEqual({ ...(await run.settled()), run: revised.id });
    expect(ran).toHaveLength(1);
  });
});

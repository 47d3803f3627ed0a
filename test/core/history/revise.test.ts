import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type Commit, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { loadWorkflow } from "wavepoint/yaml";
import { conclude, leftOpen } from "../../support/left-open.ts";
import { fillIn } from "../../support/fill-in.ts";
import { ANSWERS, TRAVEL_SURVEY } from "../../support/travel-survey.ts";
import { pauseOf } from "../../support/pause-of.ts";
import { workshop } from "../../support/workshop.ts";

const travel = leftOpen(loadWorkflow(TRAVEL_SURVEY));
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const UNTIL = { until: "sure" };

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
    const { executor } = setUp(travel);
    const run = await executor.start("travel");
    expect(await fillIn(run, ANSWERS, UNTIL)).toHaveLength(24);
    const transport = await pauseOf(run, "transport");
    const preview = await run.previewRevise(transport, "plane");
    const byPlane = ["arrival", "book", "luggage", "meal", "passport", "seat"];
    expect(preview.asked.toSorted()).toEqual(byPlane);
    expect(preview).toMatchObject({ skipped: ["railcard", "bicycle"], leftDone: [], uncertain: [], effects: [], once: [] });
    expect(preview.rerun.toSorted()).toEqual([...byPlane, "summary", "transport"].toSorted());
    await run.revise(transport, "plane");
    expect((await fillIn(run, { ...ANSWERS, transport: undefined }, UNTIL)).toSorted()).toEqual(byPlane);
    expect(await conclude(run)).toMatchObject({ run: run.id, outputs: { booked: true, summary: "Ada goes by plane: a quiet room" } });
    expect((await executor.runs.list()).items).toHaveLength(1);
  });

  test("asks nothing where the answer stays the same, and records nothing", async () => {
    const { executor, store } = setUp(travel);
    const run = await executor.start("travel");
    await fillIn(run, ANSWERS, UNTIL);
    const transport = await pauseOf(run, "transport");
    const before = await store.read(run.id);
    expect(await run.previewRevise(transport, "train")).toMatchObject({ asked: [], skipped: [], uncertain: [] });
    expect(await run.revise(transport, "train")).toMatchObject({ status: "paused", pauses: [{ path: ["sure"] }] });
    expect(await store.read(run.id)).toEqual(before);
  });

  test("is refused of a run that another tab cancelled in the middle of a preview", async () => {
    const { store, parts, executor } = setUp(travel);
    const { id } = await executor.start("travel");
    const heads = { left: Infinity };
    const head = async (run: string): ReturnType<typeof store.head> => {
      heads.left -= 1;
      if (heads.left === 0) await (await executor.open(id)).cancel();
      return store.head(run);
    };
    const slow = createExecutor({ ...parts, store: Object.assign(Object.create(store) as typeof store, { head }) });
    const run = await slow.open(id);
    const [first] = (await run.settled()).pauses!;
    await run.answer(first!.id, "Ada");
    // The first look is whether there is anything new, the second one at what is stored.
    heads.left = 2;
    await expect(run.previewRevise(first!.id, "Bob")).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  test("offers the old answers again when a changed answer is changed back", async () => {
    const { executor } = setUp(travel);
    const run = await executor.start("travel");
    await fillIn(run, ANSWERS, UNTIL);
    const transport = await pauseOf(run, "transport");
    await run.revise(transport, "plane");
    await fillIn(run, ANSWERS, UNTIL);
    // Any asking of the question will do.
    await run.revise(transport, "train");
    await fillIn(run, ANSWERS, UNTIL);
    expect(await conclude(run)).toMatchObject({ outputs: { summary: "Ada goes by train: a quiet room" } });
  });
});

describe("a revision", () => {
  const plain = leftOpen({
    name: "plain",
    blocks: [
      ask("first"),
      ask("second", { dependsOn: ["first"] }),
      work("other", "${blocks.second.input_value}", { dependsOn: ["second"] }),
      work("own", "${blocks.first.input_value}", { dependsOn: ["second"] }),
      ask("third", { dependsOn: ["other", "own"] }),
    ],
    outputs: { own: "${blocks.own.value}", other: "${blocks.other.value}", third: "${blocks.third.input_value}" },
  });
  const GIVEN = { first: "a", second: "b", third: "c" };

  test("keeps finished steps with what they gave, how long they took, and their answers", async () => {
    const { executor, shop } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, GIVEN, UNTIL);
    const kept = ["second", "other", "third"];
    const before = (await run.steps()).filter(({ block }) => kept.includes(block));
    const { id: sure } = run.getSnapshot().pauses[0]!;
    expect(await run.revise(await pauseOf(run, "first"), "A")).toMatchObject({ status: "paused", run: run.id, pauses: [{ id: sure }] });
    expect((await run.steps()).filter(({ block }) => kept.includes(block))).toEqual(before);
    expect(shop.began).toEqual(["other", "own", "own"]);
    expect((await run.answers()).map(({ answer }) => answer)).toEqual(["A", "b", "c", undefined]);
    expect(await conclude(run)).toMatchObject({ outputs: { own: "A", other: "b", third: "c" } });
  });

  test("refuses a wrong answer and records nothing", async () => {
    const { executor, store } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, GIVEN, UNTIL);
    const asked = await pauseOf(run, "first");
    const before = await store.read(run.id);
    expect(await run.revise(asked, "")).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    await expect(run.previewRevise(asked, 7)).rejects.toMatchObject({ code: "RESPONSE_INVALID" });
    await expect(run.revise("pause_nowhere.0", "x")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    await expect(run.revise("chk_nowhere.0", "x")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    expect(await store.read(run.id)).toEqual(before);
  });

  test("of an open question answers it", async () => {
    const { executor } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, { first: "a" }, { until: "second" });
    expect(await run.revise(run.getSnapshot().pauses[0]!.id, "b")).toMatchObject({ pauses: [{ path: ["third"] }] });
  });

  test("is refused once the run has ended, and made in a fork of its last checkpoint", async () => {
    const { executor, store } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, GIVEN, UNTIL);
    await conclude(run);
    const before = await store.read(run.id);
    const first = await pauseOf(run, "first");
    expect(await run.revise(first, "A")).toMatchObject({ status: "failure", error: { code: "RUN_ENDED" } });
    expect(await run.back()).toMatchObject({ status: "failure", error: { code: "RUN_ENDED" } });
    const [last] = (await executor.checkpoints.list({ run: run.id })).items;
    const fork = await executor.fork(last!.id, { revise: { [first]: "A" } });
    expect(await fork.settled()).toMatchObject({ status: "success", outputs: { own: "A", other: "b", third: "c" } });
    await expect(executor.fork(last!.id, { revise: { [first]: "" } })).rejects.toMatchObject({ code: "RESPONSE_INVALID" });
    expect(await store.read(run.id)).toEqual(before);
  });

  test("is refused where no answer came in time, as there is none to change; a resumed run asks again", async () => {
    const { executor, parts } = setUp(leftOpen({ name: "timed", blocks: [ask("first"), ask("late", { answerTimeoutMs: 1_000 })] }));
    const run = await executor.start("timed");
    await run.settled();
    const late = await pauseOf(run, "late");
    await parts.host.advance(2_000);
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "PAUSE_TIMEOUT" } });
    const expired = { code: "PAUSE_EXPIRED", details: { pause: late } };
    expect(await run.revise(late, "x")).toMatchObject({ status: "failure", error: expired });
    await expect(run.previewRevise(late, "x")).rejects.toMatchObject(expired);
    expect(await run.resume()).toMatchObject({ status: "paused", pauses: [{ path: ["first"] }, { path: ["late"] }] });
  });

  test("is refused after 10,000 of them", async () => {
    const { store, parts, executor } = setUp(leftOpen({ name: "one", blocks: [ask("a")] }));
    const run = await executor.start("one");
    await fillIn(run, { a: "0" }, UNTIL);
    await executor.close();
    const head = (await store.head(run.id))!;
    // Each takes the place of the one before: question 0 has the answer, and question 1 is the last one.
    const changes = Array.from({ length: 10_000 }, (_, i) => ({
      type: "revised",
      pause: i === 0 ? 0 : i + 1,
      as: i + 2,
      response: `${i}`,
      at: 9,
    }));
    const entries = changes.map((change) => JSON.stringify(change));
    await store.commit({
      run: run.id,
      expected: { revision: head.revision, epoch: head.epoch },
      head: { ...head, revision: head.revision + 1, entries: head.entries + entries.length },
      entries,
      checkpoints: [],
      durability: "strict",
    });
    const later = await createExecutor(parts).open(run.id);
    expect(await later.revise(await pauseOf(later, "a"), "x")).toMatchObject({
      error: { code: "LIMIT_EXCEEDED", details: { limit: 10_000 } },
    });
    expect((await store.head(run.id))!.revision).toBe(head.revision + 1);
  });

  test("leaves questions as they are that were open beside the changed one", async () => {
    const beside: Workflow = { name: "beside", blocks: [ask("a"), ask("b"), ask("c"), ask("d", { dependsOn: ["a", "b"] })] };
    const { executor } = setUp(beside);
    const run = await executor.start("beside");
    const { pauses } = await run.settled();
    const [a, b, c] = pauses!.map(({ id }) => id);
    await run.saveDraft(c!, "half");
    await run.answer({ [a!]: "1", [b!]: "2" });
    await run.revise(a!, "one");
    expect(run.getSnapshot().pauses).toMatchObject([{ id: c, draft: "half" }]);
    expect(await run.answer(c!, "3")).toMatchObject({ pauses: [{ path: ["d"] }] });
    expect((await run.answers()).map(({ answer }) => answer)).toEqual(["one", "2", "3", undefined]);
  });

  test("offers an answer that no longer fits, and one whose question has changed", async () => {
    const colours = leftOpen({
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
    });
    const { executor } = setUp(colours);
    const run = await executor.start("colours");
    await fillIn(run, { thing: "car", colour: "red car", why: "fast" }, UNTIL);
    const asked = await run.revise(await pauseOf(run, "thing"), "hat");
    expect(asked).toMatchObject({ pauses: [{ path: ["colour"], earlier: { response: "red car", state: "invalid" } }] });
    const next = await run.answer(asked.pauses![0]!.id, "blue");
    expect(next).toMatchObject({ pauses: [{ path: ["why"], earlier: { response: "fast", state: "needs_review" } }] });
  });

  test("lets a block have its question looked at, or asked anew, where something before it changed", async () => {
    const rules = leftOpen({
      name: "rules",
      blocks: [
        ask("age"),
        ask("name"),
        ask("consent", { dependsOn: ["age"], onRevise: "ask_again" }),
        ask("address", { dependsOn: ["age"], onRevise: "review" }),
        ask("mail", { dependsOn: ["age"] }),
        ask("nickname", { dependsOn: ["name"], onRevise: "ask_again" }),
      ],
    });
    const { executor } = setUp(rules);
    const run = await executor.start("rules");
    await fillIn(run, { age: "17", name: "Ada", consent: "yes", address: "here", mail: "a@b", nickname: "A" }, UNTIL);
    const age = await pauseOf(run, "age");
    const asked = ["consent", "address"];
    expect(await run.previewRevise(age, "18")).toMatchObject({ asked, kept: ["name", "mail", "nickname", "sure"] });
    const { pauses } = await run.revise(age, "18");
    expect(pauses!.map(({ path, earlier }) => [path[0], earlier])).toEqual([
      ["consent", undefined],
      ["address", { response: "here", state: "needs_review" }],
    ]);
  });

  test("has a signature given anew where what it stands for was changed twice before it was asked again", async () => {
    const pair = defineBlock({
      type: "Pair",
      execute: () => pause({ prompt: "first?" }),
      resume: ({ response, pause: { prompt } }) =>
        prompt === "first?" ? pause({ prompt: `second of ${String(response)}?` }) : success({ all: `${prompt} ${String(response)}` }),
    });
    const blocks: Block[] = [{ id: "pair", type: "Pair" }, ask("sign", { dependsOn: ["pair"], onRevise: "ask_again" })];
    const executor = createExecutor({ store: memoryStore(), workflows: [leftOpen({ name: "signed", blocks })], blocks: [pair] });
    const run = await executor.start("signed");
    const first = (await run.settled()).pauses![0]!.id;
    await run.answer(first, "a");
    await run.answer(run.getSnapshot().pauses[0]!.id, "x");
    await run.answer(run.getSnapshot().pauses[0]!.id, "signed");
    await run.revise(first, "b");
    await run.revise(first, "c");
    expect(await run.answer(run.getSnapshot().pauses[0]!.id, "y")).toMatchObject({ pauses: [{ path: ["sign"] }] });
  });

  test("is not sure of what is skipped with a block that may be skipped", async () => {
    const { executor } = setUp(
      leftOpen({
        name: "doubtful",
        blocks: [
          ask("a"),
          work("made", "${blocks.a.input_value}", { dependsOn: ["a"] }),
          ask("if_made", { dependsOn: ["made"], condition: "${blocks.made.value} == 'x'" }),
          ask("with_it", { dependsOn: ["if_made"] }),
          ask("with_that", { dependsOn: ["with_it"] }),
          ask("either", { dependsOn: ["with_it", "if_made"], join: "any" }),
          ask("one_of", { dependsOn: ["if_made", "a"], join: "any" }),
          ask("anyway", { dependsOn: [{ block: "if_made", required: false }] }),
        ],
      }),
    );
    const run = await executor.start("doubtful");
    await fillIn(run, { a: "y", one_of: "1", anyway: "2" }, UNTIL);
    const { asked, uncertain, kept } = await run.previewRevise(await pauseOf(run, "a"), "z");
    expect(asked).toEqual(["if_made", "with_it", "with_that", "either"]);
    expect(uncertain).toEqual(asked);
    expect(kept).toEqual(["one_of", "anyway", "sure"]);
  });

  test("names in its preview what may come out either way, and runs nothing", async () => {
    const doubtful = leftOpen({
      name: "doubtful",
      blocks: [
        ask("a"),
        work("made", "${blocks.a.input_value}", { dependsOn: ["a"] }),
        ask("if_made", { dependsOn: ["made"], condition: "${blocks.made.value} == 'x'" }),
        ask("afterwards", { dependsOn: ["if_made"] }),
        work("anyway", "y", { dependsOn: [{ block: "if_made", required: false }] }),
      ],
    });
    const { executor, shop, store } = setUp(doubtful);
    const run = await executor.start("doubtful");
    await fillIn(run, { a: "x", if_made: "1", afterwards: "2" }, UNTIL);
    const before = [await store.read(run.id), [...shop.began]];
    const preview = await run.previewRevise(await pauseOf(run, "a"), "z");
    expect(preview).toMatchObject({
      rerun: ["a", "made", "if_made"],
      asked: ["if_made"],
      uncertain: ["if_made"],
      effects: [],
      skipped: [],
    });
    expect(preview.kept).toContain("anyway");
    expect([await store.read(run.id), [...shop.began]]).toEqual(before);
  });

  test("of a failed run lets it go on, and does not keep what failed", async () => {
    const failing: Workflow = { name: "failing", blocks: [ask("a"), work("w", "x", { dependsOn: ["a"], inputs: { fails: 1 } })] };
    const { executor, shop } = setUp(failing);
    const run = await executor.start("failing");
    await run.answer((await run.settled()).pauses![0]!.id, "1");
    expect(run.getSnapshot().status).toBe("failed");
    shop.mend();
    expect(await run.revise(await pauseOf(run, "a"), "2")).toMatchObject({ status: "success", run: run.id });
  });

  test("takes the id of an asking that another tab has replaced meanwhile", async () => {
    const { executor, parts } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, GIVEN, UNTIL);
    const first = await pauseOf(run, "first");
    const other = await createExecutor(parts).open(run.id);
    await other.revise(first, "A");
    // The one who asks sees the newest answer when he names any of its askings.
    expect(await run.revise(first, "AA")).toMatchObject({ status: "paused" });
    expect((await run.answers())[0]).toMatchObject({ answer: "AA" });
  });

  test("in another tab, while a block that is tried again fails: it is executed anew, and what is recorded then can be read", async () => {
    const host = fakeHost();
    const store = memoryStore();
    const shop = workshop();
    const shaky = work("shaky", "s", { dependsOn: ["a"], inputs: { value: "s", fails: 1, ms: 1_000 }, retry: { maxAttempts: 3 } });
    const parts = { store, host, blocks: shop.blocks, workflows: [leftOpen({ name: "shaky", blocks: [ask("a"), shaky] })] };
    const [tab, other] = [createExecutor(parts), createExecutor(parts)];
    const run = await tab.start("shaky");
    const a = (await run.settled()).pauses![0]!.id;
    const answered = run.answer(a, "1");
    await expect.poll(() => shop.began).toEqual(["shaky"]);
    const revised = (await other.open(run.id)).revise(a, "2");
    await expect.poll(async () => (await store.read(run.id)).at(-1)).toContain('"revised"');
    host.advance(1_000);
    await Promise.all([answered, revised, host.advance(60_000)]);
    const later = await createExecutor(parts).open(run.id);
    expect(await conclude(later)).toMatchObject({ status: "success" });
    expect(shop.began).toEqual(["shaky", "shaky", "shaky#2"]);
  });

  test.each([
    ["asks the next question", ask("next", { dependsOn: ["pay"] })],
    ["goes through a list", work("next", "${each.value}", { dependsOn: ["pay"], forEach: ["x", "y"] })],
    ["pays once more", { id: "next", type: "Pay", dependsOn: ["pay"] } as Block],
  ])(
    "in another tab, just before a payment ends here and the run %s: the payment is kept, and no question about it is asked",
    async (_, next) => {
      const paid: string[] = [];
      let release = (): void => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const pay = defineBlock({
        type: "Pay",
        effect: "once",
        async execute({ block }) {
          paid.push(block);
          await released;
          return success({});
        },
      });
      const blocks = [ask("note"), ask("amount"), { id: "pay", type: "Pay", dependsOn: ["amount"] }, next];
      const store = memoryStore();
      const { commit } = store;
      // As long as a disk takes: what comes after the payment is recorded meanwhile.
      const slow = { ...store, commit: (given: Commit) => turn().then(() => commit(given)) };
      const parts = { store: slow, blocks: [...workshop().blocks, pay], workflows: [leftOpen({ name: "order", blocks })] };
      const [tab, other] = [createExecutor(parts), createExecutor(parts)];
      const run = await tab.start("order");
      const [note, amount] = (await run.settled()).pauses!;
      await run.answer(note!.id, "hello");
      const answered = run.answer(amount!.id, "5");
      await expect.poll(() => paid).toEqual(["pay"]);
      const revised = (await other.open(run.id)).revise(note!.id, "other words");
      await expect.poll(async () => (await parts.store.read(run.id)).at(-1)).toContain('"revised"');
      release();
      await Promise.all([answered, revised]);
      expect((await run.settled()).pauses!.filter(({ path }) => path.at(-1) === "pay")).toEqual([]);
      expect(paid).toEqual([...new Set(paid)]);
      await fillIn(run, { next: "x" }, UNTIL);
      expect(await conclude(run)).toMatchObject({ status: "success" });
    },
  );

  test("survives another process: a later one goes on where it was cut off", async () => {
    const { executor, parts, shop } = setUp(plain);
    const run = await executor.start("plain");
    await fillIn(run, GIVEN, UNTIL);
    await run.revise(await pauseOf(run, "second"), "B");
    await executor.close();
    const later = await createExecutor(parts).open(run.id);
    expect(await conclude(later)).toMatchObject({ outputs: { own: "a", other: "B", third: "c" } });
    expect(shop.began).toEqual(["other", "own", "other"]);
  });

  test("of a question that a block asked in a later execution goes on with what the ones before carried over", async () => {
    const list = defineBlock({
      type: "List",
      execute: ({ iteration }) => pause({ prompt: `${iteration}?` }),
      resume: ({ response, iteration, carried, nextIteration }) => {
        const known = [...((carried as string[] | undefined) ?? []), `${iteration}${String(response)}`];
        return iteration === 3 ? success({ known }) : nextIteration(known);
      },
    });
    const sign = ask("sign", { dependsOn: ["list"], onRevise: "ask_again" });
    const looped = leftOpen({ name: "looped", blocks: [{ id: "list", type: "List" }, sign], outputs: { known: "${blocks.list.known}" } });
    const executor = createExecutor({ store: memoryStore(), workflows: [looped], blocks: [list] });
    const run = await executor.start("looped");
    const ids: string[] = [];
    for (const answer of ["a", "b", "c", "signed"]) {
      const [pause] = (await run.settled()).pauses!;
      ids.push(pause!.id);
      await run.answer(pause!.id, answer);
    }
    const { pauses } = await run.revise(ids[1]!, "B");
    expect(pauses).toMatchObject([{ path: ["sign"] }]);
    expect((await run.state()).values["list"]).toEqual({ known: ["1a", "2B", "3c"] });
    await run.answer(pauses![0]!.id, "signed");
    await run.revise(ids[0]!, "A");
    await run.answer(run.getSnapshot().pauses[0]!.id, "signed");
    expect(await conclude(run)).toMatchObject({ outputs: { known: ["1A", "2B", "3c"] } });
  });

  test("stops what executes for the former answer, unless it has an effect, and never executes a block twice at once", async () => {
    const reasons: unknown[] = [];
    const began: string[] = [];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow = (type: string, effect?: "repeatable") =>
      defineBlock({
        type,
        ...(effect ? { effect } : {}),
        execute: async ({ inputs, signal, block }) => {
          const { of } = inputs;
          began.push(`${block} ${String(of)}`);
          if (of !== "1") return success({ of });
          await new Promise<void>((resolve, reject) => {
            void released.then(resolve);
            signal.addEventListener("abort", () => {
              reasons.push(`${block}: ${(signal.reason as { code: string }).code}`);
              reject(signal.reason as Error);
            });
          });
          return success({ of });
        },
      });
    const shop = workshop();
    const host = fakeHost();
    const later = (id: string, type: string, more: Partial<Block> = {}): Block => ({
      id,
      type,
      dependsOn: ["a"],
      inputs: { of: "${blocks.a.input_value}" },
      ...more,
    });
    const executor = createExecutor({ store: memoryStore(), host, blocks: [...shop.blocks, slow("Free"), slow("Told", "repeatable")] });
    const run = await executor.start({
      name: "slow",
      blocks: [
        ask("a"),
        later("free", "Free"),
        later("timed", "Free", { timeoutMs: 60_000 }),
        later("told", "Told"),
        later("each", "Free", { forEach: ["x"] }),
        work("end", "${blocks.free.of}${blocks.timed.of}${blocks.told.of}${blocks.each.results}", {
          dependsOn: ["free", "timed", "told", "each"],
        }),
      ],
      outputs: { end: "${blocks.end.value}" },
    });
    const [a] = (await run.settled()).pauses!;
    void run.answer(a!.id, "1");
    await expect.poll(() => began).toHaveLength(4);
    const revised = run.revise(a!.id, "2");
    await expect.poll(() => reasons).toEqual(["free: ABORTED", "timed: ABORTED", "each: ABORTED"]);
    // Each message is handled before the next one is sent.
    expect(began).toHaveLength(4);
    release();
    expect(await revised).toMatchObject({ status: "success", outputs: { end: '222[{"of":"2"}]' } });
    expect((await run.steps()).flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(shop.began).toEqual(["end"]);
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
    const rich = leftOpen({
      name: "rich",
      blocks: [
        ask("a"),
        { id: "dates", type: "Dates", dependsOn: ["a"], inputs: { of: "${blocks.a.input_value}" } },
        { id: "use", type: "Use", dependsOn: ["dates"], inputs: { given: "${blocks.dates.outputs}" } },
      ],
    });
    const parts = { store: memoryStore(), workflows: [rich], blocks: [dates, use] };
    const run = await createExecutor(parts).start("rich");
    await fillIn(run, { a: "1" }, UNTIL);
    // Read again from the store, they are the same too.
    const later = await createExecutor(parts).open(run.id);
    await later.revise(await pauseOf(later, "a"), "2");
    expect(await conclude(later)).toMatchObject({ status: "success" });
    expect(ran).toHaveLength(1);
  });

  test("keeps steps where another executor, whose blocks of the same names ask nothing, ran the same workflow before", async () => {
    const shared = { ...plain };
    const { executor, shop } = setUp(shared);
    const askless = defineBlock({ type: "GetInput", execute: () => success({ input_value: "given" }) });
    const other = createExecutor({ store: memoryStore(), workflows: [shared], blocks: [...workshop().blocks, askless] });
    expect(await (await other.start("plain")).settled()).toMatchObject({ status: "success" });
    const run = await executor.start("plain");
    await fillIn(run, GIVEN, UNTIL);
    await run.revise(await pauseOf(run, "first"), "A");
    await conclude(run);
    expect(shop.began.filter((unit) => unit === "other")).toHaveLength(1);
  });
});

import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type Pause, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { conclude, leftOpen } from "../../support/left-open.ts";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";
import { workshop } from "../../support/workshop.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const call = (id: string, inputs: Block["inputs"] = {}, more: Partial<Block> = {}): Block => ({
  id,
  type: "ExecuteWorkflow",
  inputs: { workflow: "section", inputs },
  ...more,
});

const section: Workflow = {
  name: "section",
  inputs: { about: { type: "string", default: "it" } },
  blocks: [
    ask("one"),
    ask("two", { dependsOn: ["one"], inputs: { prompt: "two of ${inputs.about}?" } }),
    { id: "work", type: "Work", dependsOn: ["two"], inputs: { value: "${blocks.two.input_value}" } },
    ask("three", { dependsOn: ["work"] }),
  ],
  outputs: { all: "${blocks.one.input_value}-${blocks.work.value}-${blocks.three.input_value}" },
};

const outer = leftOpen({
  name: "outer",
  blocks: [
    ask("name"),
    call("part", { about: "${blocks.name.input_value}" }, { dependsOn: ["name"] }),
    ask("end", { dependsOn: ["part"] }),
  ],
  outputs: { all: "${blocks.part.all}", end: "${blocks.end.input_value}" },
});
const UNTIL = { until: "sure" };

const ANSWERS = { name: "N", one: "1", two: "2", three: "3", end: "4" };

function setUp(...workflows: Workflow[]) {
  const shop = workshop();
  const store = memoryStore();
  const parts = { store, host: fakeHost({ autoAdvance: true }), workflows: [section, ...workflows], blocks: shop.blocks };
  return { store, shop, parts, executor: createExecutor(parts) };
}

const open = (run: Run) => run.getSnapshot().pauses.map(({ path }) => path.join("/"));

describe("a revision of what a called workflow asked", () => {
  test("is made in the called run itself, and keeps the rest", async () => {
    const { executor, shop } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS, UNTIL);
    const one = await pauseOf(run, "part/one");
    const preview = await run.previewRevise(one, "I");
    expect(preview).toMatchObject({ asked: [], rerun: ["part/one", "part"], uncertain: [] });
    expect(preview.kept).toEqual(expect.arrayContaining(["name", "part/two", "part/work", "part/three", "end"]));
    expect(await run.revise(one, "I")).toMatchObject({ status: "paused", pauses: [{ path: ["sure"] }] });
    expect(await conclude(run)).toMatchObject({ outputs: { all: "I-2-3", end: "4" } });
    expect(shop.began).toEqual(["work"]);
    expect((await executor.runs.list()).items).toHaveLength(2);
  });

  test("takes the id that the question has in the called run, and begins at the caller from its handle too", async () => {
    const { executor } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS, UNTIL);
    const called = await executor.open(`${run.id}/part`);
    await run.revise(await pauseOf(called, "two"), "II");
    await called.revise(await pauseOf(called, "three"), "III");
    expect(await conclude(run)).toMatchObject({ outputs: { all: "1-II-III" } });
  });

  test("says to who comes later what the answer was, though a crash kept that from the caller", async () => {
    const { executor, store, parts } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS, { until: "part/one" });
    const { id } = run.getSnapshot().pauses[0]!;
    const dying: Store = {
      ...store,
      commit: (commit) => (commit.run === run.id ? Promise.reject(new Error("It dies.")) : store.commit(commit)),
    };
    const other = await createExecutor({ ...parts, store: dying }).open(run.id);
    await expect(other.answer(id, "1")).rejects.toThrow("It dies.");
    const called = await executor.open(`${run.id}/part`);
    await run.revise(await pauseOf(called, "one"), "I");
    const { error } = await run.answer(id, "i");
    expect(error).toMatchObject({
      code: "PAUSE_ALREADY_ANSWERED",
      message: expect.stringMatching(/already answered with "1"\. To change the answer, revise it/),
    });
    expect(error!.details).not.toHaveProperty("by");
  });

  test("asks in a workflow that is given something else only what comes out otherwise there", async () => {
    const { executor, shop } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS, UNTIL);
    const name = await pauseOf(run, "name");
    expect(await run.previewRevise(name, "M")).toMatchObject({
      asked: ["part/two"],
      kept: expect.arrayContaining(["part/one"]),
      rerun: expect.arrayContaining(["name", "part", "part/two"]),
    });
    await run.revise(name, "M");
    expect(run.getSnapshot().pauses).toMatchObject([{ path: ["part", "two"], earlier: { response: "2", state: "needs_review" } }]);
    expect(await fillIn(run, { two: "2" }, UNTIL)).toEqual(["part/two"]);
    expect(shop.began).toEqual(["work"]);
    await run.revise(await pauseOf(run, "part/one"), "I");
    expect(await conclude(run)).toMatchObject({ outputs: { all: "I-2-3", end: "4" } });
    expect((await executor.runs.list()).items).toHaveLength(2);
  });

  test("goes back through the questions of called workflows in the order of the answers", async () => {
    const { executor } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS, UNTIL);
    await run.revise(await pauseOf(run, "name"), "M");
    await fillIn(run, { two: "2" }, UNTIL);
    for (const question of ["end", "part/three", "part/two", "part/one", "name"]) {
      await run.back();
      expect(open(run)).toEqual([question]);
    }
    await fillIn(run, { ...ANSWERS, name: "M" }, UNTIL);
    expect(await conclude(run)).toMatchObject({ outputs: { all: "1-2-3", end: "4" } });
  });

  test("keeps the answers of a called workflow beside the changed question", async () => {
    const beside = leftOpen({ name: "beside", blocks: [ask("name"), call("part"), ask("end", { dependsOn: ["name", "part"] })] });
    const { executor, shop } = setUp(beside);
    const run = await executor.start("beside");
    await fillIn(run, ANSWERS, UNTIL);
    const name = await pauseOf(run, "name");
    expect(await run.previewRevise(name, "M")).toMatchObject({ asked: [], rerun: ["name"], uncertain: [] });
    await run.revise(name, "M");
    expect(shop.began).toEqual(["work"]);
    await run.revise(await pauseOf(run, "part/two"), "II");
    expect((await run.answers()).map(({ answer }) => answer)).toEqual(["M", "1", "II", "3", "4", undefined]);
    expect((await conclude(run)).status).toBe("success");
  });

  test("reaches a workflow that a called one called", async () => {
    const middle: Workflow = {
      name: "middle",
      inputs: { about: { type: "string" } },
      blocks: [
        ask("own", { inputs: { prompt: "own of ${inputs.about}?" } }),
        { id: "deep", type: "ExecuteWorkflow", inputs: { workflow: "section" } },
      ],
      outputs: { all: "${blocks.own.input_value} ${blocks.deep.all}" },
    };
    const mid: Block = {
      id: "mid",
      type: "ExecuteWorkflow",
      dependsOn: ["name"],
      inputs: { workflow: "middle", inputs: { about: "${blocks.name.input_value}" } },
    };
    const { executor } = setUp(middle, leftOpen({ name: "top", blocks: [ask("name"), mid], outputs: { all: "${blocks.mid.all}" } }));
    const run = await executor.start("top");
    await fillIn(run, { ...ANSWERS, own: "o" }, UNTIL);
    await run.revise(await pauseOf(run, "name"), "M");
    expect(await fillIn(run, { own: "O" }, UNTIL)).toEqual(["mid/own"]);
    await run.revise(await pauseOf(run, "mid/deep/two"), "II");
    expect(await conclude(run)).toMatchObject({ outputs: { all: "O 1-II-3" } });
  });

  test("lets a block call another workflow, and go on with the first one where that is called again", async () => {
    const other: Workflow = { ...section, name: "other", outputs: { all: "other ${blocks.one.input_value}" } };
    const part: Block = { id: "part", type: "ExecuteWorkflow", dependsOn: ["kind"], inputs: { workflow: "${blocks.kind.input_value}" } };
    const chosen = leftOpen({ name: "chosen", blocks: [ask("kind"), part], outputs: { all: "${blocks.part.all}" } });
    const { executor, shop } = setUp(other, chosen);
    const run = await executor.start("chosen");
    await fillIn(run, { ...ANSWERS, kind: "section" }, UNTIL);
    const asked = await pauseOf(run, "part/one");
    await run.revise(await pauseOf(run, "kind"), "other");
    expect(await run.revise(asked, "x")).toMatchObject({ status: "failure", run: run.id, error: { code: "PAUSE_WITHDRAWN" } });
    await expect(run.previewRevise(asked, "x")).rejects.toMatchObject({ code: "PAUSE_WITHDRAWN" });
    expect(await fillIn(run, { one: "I", two: "II", three: "III" }, UNTIL)).toEqual(["part/one", "part/two", "part/three"]);
    expect(shop.began).toEqual(["work", "work"]);
    const fork = await executor.fork(run.getSnapshot().pauses[0]!.id);
    expect(await conclude(fork)).toMatchObject({ outputs: { all: "other I" } });
    const back = await run.previewRevise(await pauseOf(run, "kind"), "section");
    expect(back).toMatchObject({ asked: [], kept: expect.arrayContaining(["part/one", "part/work", "part/three"]) });
    expect(await run.revise(await pauseOf(run, "kind"), "section")).toMatchObject({ pauses: [{ path: ["sure"] }] });
    await run.revise(await pauseOf(run, "part/one"), "i");
    expect(await conclude(run)).toMatchObject({ outputs: { all: "i-2-3" } });
    expect(shop.began).toEqual(["work", "work"]);
  });

  test("in a fork goes on with the runs that a block called, before a revision and since, not with others of these workflows", async () => {
    const other: Workflow = { ...section, name: "other", outputs: { all: "other ${blocks.one.input_value}" } };
    const part: Block = { id: "part", type: "ExecuteWorkflow", dependsOn: ["kind"], inputs: { workflow: "${blocks.kind.input_value}" } };
    const chosen = leftOpen({ name: "chosen", blocks: [ask("kind"), part], outputs: { all: "${blocks.part.all}" } });
    const { executor } = setUp(other, chosen);
    const run = await executor.start("chosen");
    await fillIn(run, { ...ANSWERS, kind: "section" }, UNTIL);
    await run.revise(await pauseOf(run, "kind"), "other");
    await fillIn(run, { one: "I" }, { until: "part/two" });
    const fork = await executor.fork(run.getSnapshot().pauses[0]!.id);
    await fork.settled();
    expect(await fillIn(fork, { two: "II", three: "III" }, UNTIL)).toEqual(["part/two", "part/three"]);
    const called = (await executor.runs.list()).items.filter(({ parent }) => parent?.run === fork.id);
    expect(called.map(({ workflow }) => workflow).toSorted()).toEqual(["other", "section"]);
    expect(await fork.revise(await pauseOf(fork, "kind"), "section")).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(await fork.revise(await pauseOf(fork, "kind"), "other")).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(await conclude(fork)).toMatchObject({ outputs: { all: "other I" } });
  });

  test("leaves what a block called before where it is: it moves with the run, and is deleted with it", async () => {
    const other: Workflow = { ...section, name: "other" };
    const part: Block = { id: "part", type: "ExecuteWorkflow", dependsOn: ["kind"], inputs: { workflow: "${blocks.kind.input_value}" } };
    const chosen = leftOpen({ name: "chosen", blocks: [ask("kind"), part], outputs: { all: "${blocks.part.all}" } });
    const { executor, store } = setUp(other, chosen);
    const run = await executor.start("chosen");
    await fillIn(run, { ...ANSWERS, kind: "section" }, UNTIL);
    await run.revise(await pauseOf(run, "kind"), "other");
    const away = setUp(other, chosen);
    const moved = await away.executor.runs.import(await executor.runs.export(run.id));
    expect(await moved.revise(await pauseOf(moved, "kind"), "section")).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(await conclude(moved)).toMatchObject({ outputs: { all: "1-2-3" } });
    expect(away.shop.began).toEqual([]);
    await executor.runs.delete(run.id);
    expect((await store.runs()).items).toEqual([]);
  });

  test("goes on with what a block called once it is changed back from one that is not there", async () => {
    const part: Block = { id: "part", type: "ExecuteWorkflow", dependsOn: ["kind"], inputs: { workflow: "${blocks.kind.input_value}" } };
    const { executor, shop } = setUp(leftOpen({ name: "chosen", blocks: [ask("kind"), part], outputs: { all: "${blocks.part.all}" } }));
    const run = await executor.start("chosen");
    await fillIn(run, { ...ANSWERS, kind: "section" }, UNTIL);
    const kind = await pauseOf(run, "kind");
    expect(await run.revise(kind, "nowhere")).toMatchObject({ status: "failure", error: { code: "WORKFLOW_NOT_FOUND" } });
    expect(await run.revise(kind, "section")).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(await conclude(run)).toMatchObject({ outputs: { all: "1-2-3" } });
    expect(shop.began).toEqual(["work"]);
    expect((await executor.runs.list()).items).toHaveLength(2);
  });

  test("in a fork leaves the called runs of the source as they are, byte for byte", async () => {
    const { executor, store } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS, UNTIL);
    const called = await executor.open(`${run.id}/part`);
    const before = [await store.read(run.id), await store.read(called.id)];
    const fork = await executor.fork(run.getSnapshot().pauses[0]!.id);
    await fork.settled();
    await fork.revise(await pauseOf(fork, "part/one"), "I");
    expect(await conclude(fork)).toMatchObject({ outputs: { all: "I-2-3" } });
    expect([await store.read(run.id), await store.read(called.id)]).toEqual(before);
    await executor.runs.delete(run.id);
    expect((await fork.answers()).map(({ answer }) => answer)).toEqual(["N", "I", "2", "3", "4", "yes"]);
  });

  test("says nothing in a fork of what was before it, though a question of the called workflow was open then and is now", async () => {
    const about: Workflow = {
      name: "about",
      inputs: { what: { type: "string" } },
      blocks: [ask("open")],
      outputs: { what: "${inputs.what}" },
    };
    const part: Block = {
      id: "part",
      type: "ExecuteWorkflow",
      dependsOn: ["name"],
      inputs: { workflow: "about", inputs: { what: "${blocks.name.input_value}" } },
    };
    const beside: Workflow = {
      name: "beside",
      blocks: [ask("name"), ask("other", { dependsOn: ["name"] }), part],
      outputs: { what: "${blocks.part.what}" },
    };
    const { executor } = setUp(about, beside);
    const run = await executor.start("beside");
    await fillIn(run, { name: "N", other: "O" }, { until: "part/open" });
    await run.revise(await pauseOf(run, "name"), "M");
    const fork = await executor.fork(await pauseOf(run, "other"));
    const answers = { other: "O", open: "yes" };
    await fillIn(fork, answers);
    await fillIn(run, answers);
    expect([(await fork.settled()).outputs, (await run.settled()).outputs]).toEqual([{ what: "N" }, { what: "M" }]);
  });
});

/** Calls a workflow of one question again and again, until the answer is "stop". */
const many: Workflow = {
  name: "many",
  channels: { log: { type: "array", default: [], reduce: "append" } },
  blocks: [
    {
      id: "part",
      type: "ExecuteWorkflow",
      inputs: { workflow: "single" },
      writes: { log: "${blocks.part.outputs.said}" },
      repeatWhile: "${blocks.part.outputs.said} != 'stop'",
    },
    ask("end", { dependsOn: ["part"] }),
  ],
  outputs: { log: "${channels.log}" },
};
const single: Workflow = { name: "single", blocks: [ask("one")], outputs: { said: "${blocks.one.input_value}" } };

describe("a preview of a block that calls a workflow again and again", () => {
  const sum: Block = { id: "sum", type: "EchoBlock", inputs: { message: "${channels.log}" }, dependsOn: ["part"] };

  async function previews(repeats: boolean) {
    const { id, repeatWhile, ...part } = many.blocks[0]!;
    const blocks = [{ id, ...part, ...(repeats && { repeatWhile: repeatWhile! }) }, sum, ask("end", { dependsOn: ["sum"] })];
    const { executor } = setUp({ ...many, name: "summed", blocks }, single);
    const run = await executor.start("summed");
    for (const answer of repeats ? ["a", "b", "stop"] : ["a"]) await run.answer((await run.settled()).pauses![0]!.id, answer);
    await run.settled();
    const asked = await pauseOf(await executor.open(`${run.id}/part~`), "one");
    return Promise.all(["a again", "stop"].map((answer) => run.previewRevise(asked, answer)));
  }

  test("knows what follows where the new answer ends the loop, and doubts it where it does not", async () => {
    const [goesOn, ends] = await previews(true);
    expect(goesOn).toMatchObject({ rerun: expect.arrayContaining(["part/one", "part", "sum"]), uncertain: ["sum"] });
    expect(ends).toMatchObject({ rerun: expect.arrayContaining(["part/one", "part", "sum"]), uncertain: [] });
  });

  test("knows what a block writes to channels that does not repeat", async () => {
    for (const preview of await previews(false)) {
      expect(preview).toMatchObject({ rerun: expect.arrayContaining(["part/one", "part", "sum"]), uncertain: [] });
    }
  });
});

describe("the steps of a block that calls a workflow again and again", () => {
  /** What the steps of the calling block say of the runs and the questions of each execution. */
  async function stepsOf(run: Run) {
    return (await run.steps())
      .filter(({ block }) => block === "part")
      .map(({ iteration = 1, child, pauses = [], outputs }) => ({ iteration, child, pauses, outputs }));
  }

  test("name the run that each execution called, and what it asked, while it goes on and after a changed answer", async () => {
    const { executor } = setUp(many, single);
    const run = await executor.start("many");
    const asked: string[] = [];
    const answer = async (text: string): Promise<void> => {
      const { id } = (await run.settled()).pauses![0]!;
      asked.push(id);
      await run.answer(id, text);
    };
    await answer("a");
    await answer("b");
    await run.settled();
    const open = run.getSnapshot().pauses[0]!.id;
    const before = await stepsOf(run);
    expect(before.map(({ iteration, pauses }) => ({ iteration, pauses }))).toEqual([
      { iteration: 1, pauses: [asked[0]] },
      { iteration: 2, pauses: [asked[1]] },
      { iteration: 3, pauses: [open] },
    ]);
    await answer("stop");
    await run.settled();
    const steps = await stepsOf(run);
    expect(new Set(steps.map(({ child }) => child)).size).toBe(3);
    expect(steps.map(({ child }) => child)).toEqual(before.map(({ child }) => child));
    const said = await Promise.all(steps.map(async ({ child }) => (await executor.open(child!))!.getSnapshot().outputs));
    expect(said).toEqual([{ said: "a" }, { said: "b" }, { said: "stop" }]);

    await run.revise(asked[1]!, "stop");
    await run.settled();
    const ended = await stepsOf(run);
    expect(ended.map(({ child }) => child)).toEqual(steps.slice(0, 2).map(({ child }) => child));
    const now = (await executor.open(ended[1]!.child!))!;
    expect(now.getSnapshot().outputs).toEqual({ said: "stop" });
  });
});

describe("a fork of a run in which a block called a workflow several times", () => {
  async function played() {
    const { executor, store } = setUp(many, single);
    const run = await executor.start("many");
    const ids: string[] = [];
    for (const answer of ["a", "b", "stop"]) {
      const asked = await firstOf(run);
      ids.push(asked.id);
      await run.answer(asked.id, answer);
    }
    return { executor, store, run, ids, end: (await firstOf(run)).id };
  }

  const firstOf = async (run: Run): Promise<Pause> => (await run.settled()).pauses![0]!;

  const logOf = async (run: Run): Promise<unknown> => {
    const end = await firstOf(run);
    expect(end).toMatchObject({ path: ["end"] });
    return ((await run.answer(end.id, "x")).outputs as { log: unknown }).log;
  };

  test.each([
    [0, ["A", "b", "stop"]],
    [1, ["a", "A", "stop"]],
  ])("changes the answer that call %i had, and keeps those of the others", async (index, log) => {
    const { executor, store, ids, end } = await played();
    const journals = async (): Promise<unknown> =>
      Promise.all((await store.runs()).items.filter(({ fork }) => !fork).map(async ({ id }) => [id, await store.read(id)]));
    const before = await journals();
    expect(await logOf(await executor.fork(end, { revise: { [ids[index]!]: "A" } }))).toEqual(log);
    expect(await journals()).toEqual(before);
  });

  test("changes several of them, by the ids that they have in the runs that asked", async () => {
    const { executor, run, end } = await played();
    const asked = async (call: string): Promise<string> => pauseOf(await executor.open(`${run.id}/${call}`), "one");
    const revise = { [await asked("part~")]: "A", [await asked("part~#2")]: "B" };
    expect(await logOf(await executor.fork(end, { revise }))).toEqual(["A", "B", "stop"]);
  });

  test("goes back through all of them, and asks each again with the answer that it had", async () => {
    const { executor, end } = await played();
    const fork = await executor.fork(end);
    for (const _ of [1, 2, 3]) await fork.back();
    await expect(fork.back()).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    for (const [before, answer] of [
      ["a", "A"],
      ["b", "b"],
      ["stop", "stop"],
    ] as const) {
      const asked = await firstOf(fork);
      expect(asked).toMatchObject({ path: ["part", "one"], earlier: { response: before } });
      await fork.answer(asked.id, answer);
    }
    expect(await logOf(fork)).toEqual(["A", "b", "stop"]);
  });

  test("changes one answer after the other, in any order", async () => {
    const { executor, run, end } = await played();
    for (const any of [run, await executor.fork(end)]) {
      const revise = async (call: string, answer: string): Promise<unknown> =>
        any.revise(await pauseOf(await executor.open(`${any.id}/${call}`), "one"), answer);
      await revise("part~", "A");
      await revise("part~#2", "B");
      await revise("part~", "C");
      await any.back();
      await any.answer((await firstOf(any)).id, "stop");
      await revise("part~#2", "D");
      expect(await logOf(any)).toEqual(["C", "D", "stop"]);
    }
  });

  test("begins where an earlier call was opened again, and has what the later ones were told", async () => {
    const { executor, run } = await played();
    for (const _ of [1, 2]) await run.back();
    const { id } = await firstOf(run);
    const fork = await executor.fork(id);
    await run.answer(id, "elsewhere");
    await run.settled();
    await fork.answer((await firstOf(fork)).id, "B");
    expect(await firstOf(fork)).toMatchObject({ path: ["part", "one"], earlier: { response: "stop" } });
    await fork.answer((await firstOf(fork)).id, "stop");
    expect(await logOf(fork)).toEqual(["a", "B", "stop"]);
  });

  test("knows no answer of a call that came later", async () => {
    const { executor, ids } = await played();
    await expect(executor.fork(ids[1]!, { revise: { [ids[2]!]: "A" } })).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    const fork = await executor.fork(ids[1]!, { revise: { [ids[0]!]: "A" } });
    expect(await fork.settled()).toMatchObject({ pauses: [{ path: ["part", "one"] }] });
    for (const answer of ["B", "stop"]) await fork.answer((await firstOf(fork)).id, answer);
    expect(await logOf(fork)).toEqual(["A", "B", "stop"]);
  });
});

describe("a revision of items", () => {
  const seats = leftOpen({
    name: "seats",
    blocks: [
      { id: "who", type: "Form", inputs: { prompt: "Who?", fields: [{ name: "names", type: "array" }] } },
      ask("seat", { dependsOn: ["who"], forEach: "${blocks.who.names}", inputs: { prompt: "Seat of ${each.value}?" } }),
      {
        id: "print",
        type: "Work",
        dependsOn: ["seat"],
        forEach: "${blocks.seat.results}",
        inputs: { value: "${each.value.input_value}" },
      },
    ],
    outputs: { printed: "${blocks.print.results}" },
  });
  const names = (...given: string[]) => ({ names: given });

  test("runs the items again that come out otherwise, and no others", async () => {
    const { executor, shop } = setUp(seats);
    const run = await executor.start("seats");
    await fillIn(run, { who: names("Ada", "Bob", "Cy"), "seat[0]": "A", "seat[1]": "B", "seat[2]": "C" }, UNTIL);
    const second = await pauseOf(run, "seat[1]");
    const preview = await run.previewRevise(second, "BB");
    expect(preview).toMatchObject({ asked: [], rerun: ["seat[1]", "print[1]"] });
    expect(preview.kept).toEqual(expect.arrayContaining(["who", "seat[0]", "seat[2]", "print[0]", "print[2]"]));
    await run.revise(second, "BB");
    expect(await conclude(run)).toMatchObject({ outputs: { printed: [{ value: "A" }, { value: "BB" }, { value: "C" }] } });
    expect(shop.began).toEqual(["print[0]", "print[1]", "print[2]", "print[1]"]);
  });

  test("asks for the items that are new, and for no other", async () => {
    const { executor, shop } = setUp(seats);
    const run = await executor.start("seats");
    await fillIn(run, { who: names("Ada", "Bob"), "seat[0]": "A", "seat[1]": "B" }, UNTIL);
    await run.revise(await pauseOf(run, "who"), names("Bob", "Cy", "Di"));
    expect(await fillIn(run, { "seat[1]": "C", "seat[2]": "D" }, UNTIL)).toEqual(["seat[1]", "seat[2]"]);
    expect(await conclude(run)).toMatchObject({ outputs: { printed: [{ value: "B" }, { value: "C" }, { value: "D" }] } });
    expect(shop.began).toEqual(["print[0]", "print[1]", "print[1]", "print[2]"]);
  });

  test("knows the members of an object by their keys", async () => {
    const menu = leftOpen({
      name: "menu",
      blocks: [
        { id: "menu", type: "Form", inputs: { prompt: "?", schema: { type: "object", properties: { dishes: { type: "object" } } } } },
        ask("how", { dependsOn: ["menu"], forEach: "${blocks.menu.dishes}", inputs: { prompt: "How about ${each.value}?" } }),
      ],
      outputs: { how: "${blocks.how.results}" },
    });
    const { executor } = setUp(menu);
    const run = await executor.start("menu");
    await fillIn(run, { menu: { dishes: { soup: "soup", fish: "cod" } }, "how[0]": "hot", "how[1]": "fried" }, UNTIL);
    await run.revise(await pauseOf(run, "menu"), { dishes: { salad: "salad", fish: "cod", soup: "soup" } });
    expect(await fillIn(run, { "how[0]": "green" }, UNTIL)).toEqual(["how[0]"]);
    expect(await conclude(run)).toMatchObject({
      outputs: { how: [{ input_value: "green" }, { input_value: "fried" }, { input_value: "hot" }] },
    });
  });
});

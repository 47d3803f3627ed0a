import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { fillIn } from "../../../support/fill-in.ts";
import { pauseOf } from "../../../support/pause-of.ts";
import { workshop } from "../../../support/workshop.ts";

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

const outer: Workflow = {
  name: "outer",
  blocks: [
    ask("name"),
    call("part", { about: "${blocks.name.input_value}" }, { dependsOn: ["name"] }),
    ask("end", { dependsOn: ["part"] }),
  ],
  outputs: { all: "${blocks.part.all}", end: "${blocks.end.input_value}" },
};

const ANSWERS = { name: "N", one: "1", two: "2", three: "3", end: "4" };

function setUp(...workflows: Workflow[]) {
  const shop = workshop();
  const store = memoryStore();
  const parts = { store, host: fakeHost({ autoAdvance: true }), workflows: [section, ...workflows], blocks: shop.blocks };
  return { store, shop, parts, executor: createExecutor(parts) };
}

const open = (run: Run) => run.getSnapshot().pauses.map(({ path }) => path.join("/"));

describe("a revision of what a called workflow asked", () => {
  test("copies the called run up to that question and takes the rest over", async () => {
    const { executor, shop, store } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS);
    const called = await executor.open(`${run.id}/part`);
    const before = [await store.read(run.id), await store.read(called.id)];
    const one = await pauseOf(run, "part/one");
    expect(await run.previewRevise(one, "I")).toMatchObject({
      asked: [],
      kept: ["name", "part/two", "part/work", "part/three", "end"],
      rerun: ["part", "part/one"],
      uncertain: [],
    });
    const revised = await run.revise(one, "I");
    expect(await revised.settled()).toMatchObject({ outputs: { all: "I-2-3", end: "4" } });
    expect(shop.began).toEqual(["work"]);
    expect([await store.read(run.id), await store.read(called.id)]).toEqual(before);
  });

  test("takes the id that the question has in the called run, too", async () => {
    const { executor } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS);
    const called = await executor.open(`${run.id}/part`);
    const revised = await run.revise(await pauseOf(called, "two"), "II");
    expect(await revised.settled()).toMatchObject({ outputs: { all: "1-II-3" } });
  });

  test("finds it again in a run that took the calling block over, and after a revision of that", async () => {
    const { executor } = setUp({ ...outer, name: "twice", blocks: [ask("first"), ...outer.blocks] });
    const run = await executor.start("twice");
    await fillIn(run, { first: "0", ...ANSWERS });
    const once = await run.revise(await pauseOf(run, "first"), "zero");
    await once.settled();
    expect((await once.answers()).map(({ path, answer }) => [path.join("/"), answer])).toEqual([
      ["first", "zero"],
      ["name", "N"],
      ["part/one", "1"],
      ["part/two", "2"],
      ["part/three", "3"],
      ["end", "4"],
    ]);
    const twice = await once.revise(await pauseOf(once, "part/three"), "III");
    expect(await twice.settled()).toMatchObject({ outputs: { all: "1-2-III" } });
    const thrice = await twice.revise(await pauseOf(twice, "part/one"), "I");
    expect(await thrice.settled()).toMatchObject({ outputs: { all: "I-2-III" } });
  });

  test("asks in a workflow that is called anew only what comes out otherwise there", async () => {
    const { executor, shop } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS);
    const name = await pauseOf(run, "name");
    expect(await run.previewRevise(name, "M")).toMatchObject({
      asked: ["part/two"],
      kept: expect.arrayContaining(["part/one"]),
      rerun: ["name", "part", "part/two", "part/work"],
      uncertain: ["part/work"],
    });
    const revised = await run.revise(name, "M");
    expect(await fillIn(revised, { two: "2" })).toEqual(["part/two"]);
    expect(await revised.settled()).toMatchObject({ outputs: { all: "1-2-3", end: "4" } });
    expect(shop.began).toEqual(["work"]);
    // What was never asked in the calling run can be changed all the same.
    const again = await revised.revise(await pauseOf(revised, "part/one"), "I");
    expect(await again.settled()).toMatchObject({ outputs: { all: "I-2-3", end: "4" } });
  });

  test("changes what nobody was asked in a run that took the calling block over", async () => {
    const { executor } = setUp({ ...outer, name: "long", blocks: [ask("first"), ...outer.blocks] });
    const run = await executor.start("long");
    await fillIn(run, { first: "0", ...ANSWERS });
    const one = await run.revise(await pauseOf(run, "part/one"), "I");
    await one.settled();
    const kept = await one.revise(await pauseOf(one, "first"), "zero");
    await kept.settled();
    const two = await kept.revise(await pauseOf(kept, "part/two"), "II");
    expect(await two.settled()).toMatchObject({ outputs: { all: "I-II-3", end: "4" } });
  });

  test("goes back through the questions of called workflows in the order of the answers", async () => {
    const { executor } = setUp(outer);
    const run = await executor.start("outer");
    await fillIn(run, ANSWERS);
    let here: Run = await run.revise(await pauseOf(run, "name"), "M");
    await fillIn(here, { two: "2" });
    for (const question of ["end", "part/three", "part/two", "part/one", "name"]) {
      here = await here.back();
      expect(open(here)).toEqual([question]);
    }
    expect(await fillIn(here, { name: "M" })).toEqual(["name"]);
    expect((await here.settled()).status).toBe("success");
  });

  test("keeps the answers of a called workflow that was waiting beside the changed question", async () => {
    const beside: Workflow = { name: "beside", blocks: [ask("name"), call("part"), ask("end", { dependsOn: ["name", "part"] })] };
    const { executor, shop } = setUp(beside);
    const run = await executor.start("beside");
    await fillIn(run, ANSWERS);
    const name = await pauseOf(run, "name");
    expect(await run.previewRevise(name, "M")).toMatchObject({ asked: [], rerun: ["name"], uncertain: [] });
    const revised = await run.revise(name, "M");
    expect((await revised.settled()).status).toBe("success");
    expect(shop.began).toEqual(["work"]);
    const other = await run.revise(await pauseOf(run, "part/two"), "II");
    expect((await other.settled()).status).toBe("success");
    expect((await other.answers()).map(({ answer }) => answer)).toEqual(["N", "1", "II", "3", "4"]);
  });

  test("finds what a workflow that is called anew took over from calls of its own", async () => {
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
    const { executor } = setUp(middle, { name: "top", blocks: [ask("name"), mid], outputs: { all: "${blocks.mid.all}" } });
    const run = await executor.start("top");
    await fillIn(run, { ...ANSWERS, own: "o" });
    const revised = await run.revise(await pauseOf(run, "name"), "M");
    expect(await fillIn(revised, { own: "O" })).toEqual(["mid/own"]);
    const deep = await revised.revise(await pauseOf(revised, "mid/deep/two"), "II");
    expect(await deep.settled()).toMatchObject({ outputs: { all: "O 1-II-3" } });
  });
});

describe("a revision of items", () => {
  const seats: Workflow = {
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
  };
  const names = (...given: string[]) => ({ names: given });

  test("runs the items again that come out otherwise, and no others", async () => {
    const { executor, shop } = setUp(seats);
    const run = await executor.start("seats");
    await fillIn(run, { who: names("Ada", "Bob", "Cy"), "seat[0]": "A", "seat[1]": "B", "seat[2]": "C" });
    const second = await pauseOf(run, "seat[1]");
    expect(await run.previewRevise(second, "BB")).toMatchObject({
      kept: ["who", "seat[0]", "seat[2]", "print[0]", "print[2]"],
      asked: [],
      rerun: ["seat[1]", "print[1]"],
    });
    const revised = await run.revise(second, "BB");
    expect(await revised.settled()).toMatchObject({ outputs: { printed: [{ value: "A" }, { value: "BB" }, { value: "C" }] } });
    expect(shop.began).toEqual(["print[0]", "print[1]", "print[2]", "print[1]"]);
  });

  test("asks for the items that are new", async () => {
    const { executor } = setUp(seats);
    const run = await executor.start("seats");
    await fillIn(run, { who: names("Ada", "Bob"), "seat[0]": "A", "seat[1]": "B" });
    const revised = await run.revise(await pauseOf(run, "who"), names("Ada", "Cy", "Di"));
    expect(await fillIn(revised, { "seat[1]": "C", "seat[2]": "D" })).toEqual(["seat[1]", "seat[2]"]);
    expect(await revised.settled()).toMatchObject({ outputs: { printed: [{ value: "A" }, { value: "C" }, { value: "D" }] } });
  });

  test("knows the members of an object by their keys", async () => {
    const menu: Workflow = {
      name: "menu",
      blocks: [
        { id: "menu", type: "Form", inputs: { prompt: "?", schema: { type: "object", properties: { dishes: { type: "object" } } } } },
        ask("how", { dependsOn: ["menu"], forEach: "${blocks.menu.dishes}", inputs: { prompt: "How about ${each.value}?" } }),
      ],
      outputs: { how: "${blocks.how.results}" },
    };
    const { executor } = setUp(menu);
    const run = await executor.start("menu");
    await fillIn(run, { menu: { dishes: { soup: "soup", fish: "cod" } }, "how[0]": "hot", "how[1]": "fried" });
    const revised = await run.revise(await pauseOf(run, "menu"), { dishes: { salad: "salad", fish: "cod", soup: "soup" } });
    expect(await fillIn(revised, { "how[0]": "green" })).toEqual(["how[0]"]);
    expect(await revised.settled()).toMatchObject({
      outputs: { how: [{ input_value: "green" }, { input_value: "fried" }, { input_value: "hot" }] },
    });
  });
});

import { describe, expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../../src/core/model/journal.ts";
import { prunedRows } from "../../../src/core/journal/shorten-journal.ts";
import { isStateShaped } from "../../../src/core/journal/states/state-shape.ts";
import { addedPart } from "../../../src/core/machine/added-part.ts";
import { givenOf, inputsGiven, keyNumber } from "../../../src/core/machine/given-inputs.ts";
import { recordOf } from "../../../src/core/machine/state.ts";
import { iterationOf, turnOf, unitState } from "../../../src/core/machine/unit-state.ts";
import { guardStates } from "../../support/guarded-state.ts";
import {
  answered,
  began,
  block,
  completed,
  describeNext,
  ended,
  failed,
  fold,
  items,
  iterated,
  lookAt,
  paused,
  resumed,
  workflow,
  type Given,
} from "./machine.ts";

type Flow = ReturnType<typeof workflow>;

/** The numbers of the askings that count. */
function standing({ pauses }: ReturnType<typeof fold>["run"]["state"]): readonly number[] {
  return pauses.filter(({ withdrawn, block }) => !withdrawn && block >= 0).map(({ entry }) => entry.pause);
}

/** Folds entries as the runner writes them: each record of an execution says what its unit was given and under which revision it began. */
function play(flow: Flow, given: readonly Given[]) {
  const { run } = fold(flow, []);
  let at = 0;
  for (const { late, ...entry } of given) {
    at += 1;
    const number = run.compiled.plan.index.get(String(entry["block"]));
    const unit = number === undefined ? undefined : { block: number, item: entry["item"] as number | undefined };
    const isOwn = unit && entry.type !== "revised" && entry.type !== "called";
    const turn = isOwn ? turnOf(run.state, unit) : 0;
    const what = isOwn && entry.type !== "items" ? givenOf(run, unit) : undefined;
    const said = { ...(what === undefined ? {} : { given: what }), ...(turn > 0 && late === undefined ? { turn } : {}) };
    run.apply({ ...said, ...entry, at } as unknown as Entry);
  }
  return run;
}

const revised = (pause: number, as: number, ...response: readonly unknown[]): Given => ({
  type: "revised",
  pause,
  as,
  ...(response.length > 0 ? { response: response[0] } : {}),
});
const kept = (...blocks: readonly string[]): Given => ({ type: "kept", units: blocks.map((id) => ({ block: id })) });
const given = (of: string) => ({ inputs: { value: `\${blocks.${of}.v}` } });

type Row = readonly [what: string, given: readonly Given[], next: string];

function table(flow: Flow, rows: readonly Row[]): void {
  test.each(rows)("%s", (_, entries, next) => {
    expect(describeNext(play(flow, entries), 1_000)).toBe(next);
  });
}

const asked = [paused("a", 0), answered(0, "x"), completed("a", { v: "x" })] as const;

test("a question of a called run is open no more where its answer, not yet noted here, was changed", () => {
  const flow = workflow({ ...block("a"), type: "ExecuteWorkflow" });
  const change: Given = { type: "revised", block: "a", calls: [], inner: 0, response: "y" };
  const { state } = play(flow, [{ type: "called", block: "a" }, paused("a", 0, { child: 0 }), change]);
  expect([...state.open]).toEqual([]);
});

describe("an answer that is changed", () => {
  const flow = workflow(block("a"), block("b", ["a"], given("a")), block("c", ["b"], given("b")), block("d"));
  const before = [paused("a", 0), completed("d", { v: 1 }), answered(0, "x"), completed("a", { v: "x" })];
  const whole = [...before, completed("b", { v: 1 }), completed("c")];
  table(flow, [
    ["is given to the block that asked", [...before, revised(0, 1, "y")], "resume 1"],
    ["then what is given something else runs", [...whole, revised(0, 1, "y"), completed("a", { v: "y" })], "run b"],
    ["what is given the same is kept", [...whole, revised(0, 1, "y"), completed("a", { v: "y" }), completed("b", { v: 1 })], "keep c"],
    ["the first one too, where the block gives the same", [...whole, revised(0, 1, "y"), completed("a", { v: "x" })], "keep b"],
    ["once all is kept the run completes", [...whole, revised(0, 1, "y"), completed("a", { v: "x" }), kept("b"), kept("c")], "complete"],
    ["what does not depend on it is not touched", [...before, revised(0, 1, "y"), completed("a", { v: "y" })], "run b"],
    ["changed again before its block ran it is given once", [...before, revised(0, 1, "y"), revised(1, 2, "z")], "resume 2"],
    ["without a new answer the question is open", [...before, revised(0, 1)], "wait"],
    ["answered as before, nothing runs", [...whole, revised(0, 1), answered(1, "x"), completed("a", { v: "x" })], "keep b"],
    ["of a failed run lets it go on", [...before, failed("b"), ended("failed"), revised(0, 1, "y")], "resume 1"],
    ["what failed is no candidate", [...before, failed("b"), ended("failed"), revised(0, 1, "y"), completed("a", { v: "x" })], "run b"],
  ]);

  test.each<readonly [string, readonly Given[]]>([
    ["of a question that is open", [paused("a", 0), completed("d"), revised(0, 1, "y")]],
    ["under a number that is not the next", [...before, revised(0, 7, "y")]],
    ["of an asking that another one replaced", [...before, revised(0, 1, "y"), revised(0, 2, "z")]],
    ["after the run was cancelled", [...before, ended("cancelled"), revised(0, 1, "y")]],
    ["what is kept without a candidate", [...before, kept("b")]],
  ])("cannot be one %s", (_, entries) => {
    expect(() => play(flow, entries)).toThrow("damaged");
  });
});

describe("questions behind an answer that is changed", () => {
  const flow = workflow(block("a"), block("b", ["a"], given("a")), block("c", ["a"], { inputs: { value: "same" } }), block("d"));
  const open = [paused("d", 0), paused("a", 1), answered(1, "x"), completed("a", { v: "x" })];
  const look = (entries: readonly Given[]) => lookAt(play(flow, entries)).open;

  test("beside it stay open under their numbers", () => {
    expect(look([...open, revised(1, 2, "y")])).toEqual([0]);
  });

  test("come back under their numbers where they are given the same", () => {
    const far = [paused("d", 0), answered(0, "q"), completed("d"), paused("a", 1), answered(1, "x"), completed("a", { v: "x" })];
    const both = [...far, paused("b", 2), paused("c", 3), revised(1, 4, "y"), completed("a", { v: "y" })];
    expect(describeNext(play(flow, both), 1_000)).toBe("keep c");
    expect(look([...both, kept("c")])).toEqual([3]);
    expect(look([...both, kept("c"), paused("b", 5)])).toEqual([5, 3]);
  });

  test("of a list are kept item by item", () => {
    const list = workflow(block("a"), block("each", ["a"], { forEach: "${blocks.a.v}", inputs: { of: "${each.value}" } }));
    const one = [paused("a", 0), answered(0, "x"), completed("a", { v: ["i", "j"] })];
    const opened = (ids: readonly string[]) => items("each", ids.length, { ids });
    const done = [completed("each", {}, { item: 0 }), completed("each", {}, { item: 1 })];
    const again = [...one, opened(["1", "2"]), ...done, revised(0, 1, "y"), completed("a", { v: ["j", "k"] }), opened(["2", "3"])];
    expect(describeNext(play(list, again), 1_000)).toBe("keep each[0]");
    expect(describeNext(play(list, [...again, { type: "kept", units: [{ block: "each", item: 0 }] }]), 1_000)).toBe("run each");
  });
});

describe("a block that is about to run once more", () => {
  const flow = workflow(block("a"), block("b", ["a"], given("a")));
  const looped = [...asked, iterated("b", 1), paused("b", 1), answered(1, "p"), iterated("b", 2)];
  const late = (entry: Given): Given => ({ ...entry, late: true });

  test("begins anew where an answer before it is changed", () => {
    const { state } = play(flow, [...looped, revised(0, 2, "y"), completed("a", { v: "y" })]);
    expect(iterationOf(state, { block: 1 })).toBe(1);
    expect(standing(state)).toEqual([2]);
    expect(state.pauses[1]).toMatchObject({ withdrawn: true });
  });

  test("goes back to the execution that asked where its own answer is changed", () => {
    const { state } = play(flow, [...looped, revised(1, 2, "q")]);
    expect(iterationOf(state, { block: 1 })).toBe(2);
    expect(unitState(state, { block: 1 }).progress.loop?.carried).toBe(1);
  });

  test("is kept with all its executions where it comes to its end first, and is given the same", () => {
    const last = completed("b", { v: 1 }, { given: givenOf(play(flow, looped), { block: 1 }) });
    const run = play(flow, [...looped, revised(0, 2, "y"), late(last), completed("a", { v: "x" })]);
    expect(describeNext(run, 1_000)).toBe("keep b");
    run.apply({ ...kept("b"), at: 99 } as unknown as Entry);
    expect(iterationOf(run.state, { block: 1 })).toBe(3);
    expect(standing(run.state)).toEqual([1, 2]);
  });
});

describe("an execution that began before a revision", () => {
  const flow = workflow(block("a"), block("b", ["a"], given("a")));
  const late = (entry: Given): Given => ({ ...entry, late: true });

  test("counts for nothing but as a candidate", () => {
    const run = play(flow, [...asked, revised(0, 1, "y"), late(completed("b", { v: 1 }))]);
    expect(lookAt(run).blocks).toEqual({ a: "paused" });
    expect(describeNext(play(flow, [...asked, revised(0, 1, "y"), late(completed("b")), completed("a", { v: "y" })]), 1_000)).toBe("run b");
  });

  test("of a block that the journal has not come to is none of what it does after the revision", () => {
    // A process executed it, and died before it stored that the run had come so far.
    const flow = workflow(block("a"), block("b", ["a"], given("a")), block("c", ["b"], given("b")));
    const run = play(flow, [paused("a", 0), answered(0, "x"), revised(0, 1, "y")]);
    expect(["a", "b", "c"].map((_, number) => turnOf(run.state, { block: number }))).toEqual([1, 1, 1]);
  });

  test("of a called run whose answer was changed is not taken for its outcome", () => {
    const calling = workflow(block("a"), { ...block("b"), type: "ExecuteWorkflow" }, block("c", ["b"], given("b")));
    const called = { type: "called", block: "b" } as const;
    const inner = { type: "revised", block: "b", calls: [], inner: 0, response: "y" } as const;
    const run = play(calling, [called, completed("a"), inner, late(completed("b", { v: 1 }))]);
    expect(describeNext(run, 1_000)).toBe("run b");
  });

  test("keeps what it gave before it failed", () => {
    const lenient = workflow(block("a"), block("b", ["a"], { ...given("a"), continueOnError: true }));
    const partial = late(failed("b", "no", { given: "same", outputs: { some: 1 } }));
    const run = play(lenient, [...asked, revised(0, 1, "y"), partial, completed("a", { v: "y" }), kept("b")]);
    expect(recordOf(run.state, { block: 1 })).toMatchObject({ outputs: { some: 1 }, error: { code: "BLOCK_FAILED" } });
  });

  test("adds what it added once it is given the same", async () => {
    await addedPart.load();
    const added = completed("b", {}, { given: givenOf(play(flow, asked), { block: 1 }), added: [block("more")] });
    const run = play(flow, [...asked, revised(0, 1, "y"), late(added), completed("a", { v: "x" })]);
    expect(describeNext(run, 1_000)).toBe("keep b");
    run.apply({ ...kept("b"), at: 99 } as unknown as Entry);
    expect(describeNext(run, 1_000)).toBe("run more");
  });

  test("leaves no trace of the files that it saw", () => {
    // A state that is guarded shows tables that are new each time, under which nothing is found again.
    guardStates(false);
    onTestFinished(() => guardStates(true));
    const reading = workflow(block("a"), block("b", ["a"]));
    const file = (hash: string) => ({ files: [{ name: "notes", type: "", size: 1, hash, bytes: "" }] });
    const first = [paused("a", 0), answered(0, "x"), completed("a", {}, file("1"))];
    const underWay = [paused("b", 1, { read: { notes: "1" } }), answered(1, "x")];
    const before = play(reading, [...first, ...underWay]);
    const after = play(reading, [...first, ...underWay, revised(0, 2, "y"), completed("a", {}, file("2"))]);
    expect(inputsGiven(after, { block: 1 })).not.toBe(inputsGiven(before, { block: 1 }));
  });

  test("of a block that was added counts for nothing once that is gone, or was added anew", async () => {
    await addedPart.load();
    const adds = completed("b", {}, { added: [block("more")] });
    const changed = [...asked, adds, revised(0, 1, "y"), completed("a", { v: "y" })];
    const early = { ...completed("more", { v: 1 }), turn: 1 };
    expect(describeNext(play(flow, [...changed, early]), 1_000)).toBe("run b");
    const again = [...changed, revised(1, 2, "z"), completed("a", { v: "z" }), adds];
    expect(describeNext(play(flow, [...again, early]), 1_000)).toBe("keep more");
    expect(describeNext(play(flow, [...again, completed("more")]), 1_000)).toBe("complete");
  });

  test("asks nothing", () => {
    expect(lookAt(play(flow, [...asked, revised(0, 1, "y"), late(paused("b", 2))])).open).toEqual([]);
  });
});

describe("where a policy keeps only the newest state", () => {
  test("it can be read though what asked was an item of a list that is to come", () => {
    const each = { ...block("each", ["a"], given("a")), type: "ExecuteWorkflow", forEach: [1, 2] };
    const asks = paused("each", 1, { item: 0, child: 0 });
    const done = [
      items("each", 2),
      { type: "called", block: "each", item: 0 },
      asks,
      answered(1),
      completed("each", {}, { item: 0 }),
    ] as const;
    const change: Given = { type: "revised", block: "each", item: 0, calls: [], inner: 0, response: "y" };
    const run = play(workflow(block("a"), each), [...asked, ...done, change, revised(0, 2, "y")]);
    expect(run.state.pauses.map(({ withdrawn }) => withdrawn)).toEqual([true, false, false]);
    expect([...run.state.answered]).toEqual([2]);
    expect(isStateShaped(run)).toBe(true);
  });

  test("a question that was brought back, and taken back before its wave ended, is listed no more", () => {
    const flow = workflow(block("a"), block("b", ["a"], given("a")), block("c", ["a"], given("a")));
    const before = [
      ...asked,
      completed("c"),
      paused("b", 1),
      revised(0, 2, "y"),
      completed("a", { v: "x" }),
      kept("b"),
      revised(2, 3, "z"),
    ];
    const { state } = play(flow, before);
    expect(state.pauses[1]).toMatchObject({ end: 0, withdrawn: true });
    expect(prunedRows(state, 0, state.entries)).toContainEqual({ kind: "pause", number: 1 });
  });
});

describe("idempotency keys", () => {
  const flow = workflow(block("a"), block("b", ["a"], given("a")), block("c", ["b"]));
  const number = (entries: readonly Given[]): number => {
    const run = play(flow, entries);
    return keyNumber(run.state, { block: 1 }, givenOf(run, { block: 1 }));
  };
  const done = [...asked, completed("b")];

  test.each<readonly [string, readonly Given[], number]>([
    ["are the first ones where nothing was executed", asked, 0],
    ["stay where a block is given the same", [...done, revised(0, 1, "y"), completed("a", { v: "x" })], 0],
    ["change where it is given something else", [...done, revised(0, 1, "y"), completed("a", { v: "y" })], 1],
    [
      "change once more where it is given what it was given before that",
      [...done, revised(0, 1, "y"), completed("a", { v: "y" }), completed("b"), revised(1, 2, "x"), completed("a", { v: "x" })],
      2,
    ],
    ["count an execution that nothing is known of", [...asked, revised(0, 1, "y"), completed("a", { v: "y" })], 1],
    ["stay where a failed run is resumed", [...asked, failed("b"), ended("failed"), resumed], 0],
    [
      "change where what failed is given something else",
      [...asked, failed("b"), ended("failed"), resumed, revised(0, 1, "y"), completed("a", { v: "y" })],
      1,
    ],
  ])("%s", (_, entries, k) => {
    expect(number(entries)).toBe(k);
  });

  test("need nothing beside the record of a step that was given nothing else before", () => {
    const { state } = play(flow, [...done, completed("c")]);
    expect([...state.units.values()].map((unit) => unit.block)).toEqual([0]);
  });

  test("what must not run twice is known to have run, over all revisions", () => {
    const run = play(flow, [...asked, began("b"), completed("b", { v: 1 }), revised(0, 1, "y"), completed("a", { v: "y" })]);
    expect(unitState(run.state, { block: 1 }).effect?.outputs).toEqual({ v: 1 });
  });
});

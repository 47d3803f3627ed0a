import { describe, expect, test } from "vitest";
import {
  answered,
  attempted,
  began,
  block,
  completed,
  ended,
  failed,
  fold,
  items,
  iterated,
  look,
  paused,
  reopened,
  resumed,
  skipped,
  suspended,
  waiting,
  workflow,
  type Given,
  type Look,
} from "./machine.ts";

type Row = readonly [what: string, given: readonly Given[], state: Partial<Look>];

/** Entries in, state out. */
function table(flow: ReturnType<typeof workflow>, rows: readonly Row[]): void {
  test.each(rows)("%s", (_, given, state) => {
    expect(look(flow, given)).toMatchObject(state);
  });
}

const chain = workflow(block("a"), block("b", ["a"]));
const pair = workflow(block("a"), block("b"));

describe("steps", () => {
  table(chain, [
    ["a run begins with nothing", [], { status: "running", wave: 0, blocks: {}, open: [], checkpoints: [] }],
    ["a completed block has its outputs", [completed("a", { n: 1 })], { blocks: { a: "completed" }, outputs: { a: { n: 1 } } }],
    ["outputs that are no object are none", [completed("a", [1] as never)], { outputs: { a: null } }],
    ["a wave that has settled is a checkpoint", [completed("a")], { wave: 1, checkpoints: ["wave 0 after 2"] }],
    ["each wave is one", [completed("a"), skipped("b")], { wave: 2, checkpoints: ["wave 0 after 2", "wave 1 after 3"] }],
    [
      "a failed block keeps what it produced",
      [failed("a", "no", { outputs: { n: 1 } })],
      { blocks: { a: "failed" }, outputs: { a: { n: 1 } } },
    ],
    ["a wave in which the run fails is no checkpoint", [failed("a")], { wave: 0, checkpoints: [] }],
    ["the end says how the run stands", [failed("a"), ended("failed")], { status: "failed" }],
    ["a failed run that is resumed runs", [failed("a"), ended("failed"), resumed], { status: "running", blocks: {} }],
  ]);
  table(workflow(block("a", [], { continueOnError: true }), block("b", ["a"])), [
    ["a failure that does not count settles its wave", [failed("a")], { wave: 1, checkpoints: ["wave 0 after 2"] }],
  ]);
});

describe("a run that is stopped for now", () => {
  table(chain, [
    ["is paused", [suspended], { status: "paused", blocks: {} }],
    ["runs again once it is resumed", [suspended, resumed], { status: "running" }],
    ["is stopped once, where two stopped it at the same time", [suspended, suspended, resumed], { status: "running" }],
    ["keeps what ended behind that", [suspended, completed("a")], { status: "paused", blocks: { a: "completed" } }],
    ["may come to its end all the same", [completed("a"), completed("b"), suspended, ended("completed")], { status: "completed" }],
    ["has no failed block revived", [suspended, failed("a"), resumed], { blocks: { a: "failed" } }],
    ["is paused as long as it waits for the run that it called", [waiting("a", undefined)], { status: "paused", blocks: { a: "waiting" } }],
    ["runs where it waits for an instant", [waiting("a", 5)], { status: "running" }],
  ]);
  test("counts what may have been executing as executed once more", () => {
    const { state } = fold(pair, [completed("a"), suspended, resumed, suspended]).run;
    expect([...state.units.values()].map(({ block: number, progress }) => [number, progress.recoveries])).toEqual([[1, 2]]);
  });
  test("cannot be one that has ended", () => {
    expect(() => fold(chain, [failed("a"), ended("failed"), suspended])).toThrow(expect.objectContaining({ code: "RUN_CORRUPT" }));
  });
});

describe("questions and answers", () => {
  table(pair, [
    ["a question is open", [paused("a", 0)], { status: "running", blocks: { a: "paused" }, open: [0], checkpoints: [] }],
    [
      "the run is paused, and the place a checkpoint, once its siblings have settled",
      [paused("a", 0), completed("b")],
      { status: "paused", checkpoints: ["pause 0 after 3"] },
    ],
    [
      "several questions of a wave have one place",
      [paused("a", 0), paused("b", 1)],
      { status: "paused", open: [0, 1], checkpoints: ["pause 0 after 3", "pause 1 after 3"] },
    ],
    ["a question that others follow is no checkpoint yet", [completed("b"), paused("a", 0, { more: true })], { checkpoints: [] }],
    ["an answer closes the question", [completed("b"), paused("a", 0), answered(0)], { status: "running", open: [] }],
    ["the block is paused until it has taken the answer", [completed("b"), paused("a", 0), answered(0)], { blocks: { a: "paused" } }],
    ["a refused answer opens it again", [completed("b"), paused("a", 0), answered(0), reopened(0)], { status: "paused", open: [0] }],
    [
      "a refused answer makes no second checkpoint",
      [completed("b"), paused("a", 0), answered(0), reopened(0)],
      { checkpoints: ["pause 0 after 3"] },
    ],
    ["questions are listed in the order of the plan", [paused("b", 0), paused("a", 1)], { open: [1, 0] }],
    [
      "a block that settles without its answer takes its question back",
      [completed("b"), paused("a", 0), failed("a", "PAUSE_TIMEOUT")],
      { open: [], blocks: { a: "failed" } },
    ],
    ["a deleted question is no longer open", [completed("b"), paused("a", 0), { type: "forgotten", pause: 0 }], { open: [] }],
  ]);
});

describe("instants, attempts, items and iterations", () => {
  table(pair, [
    ["a block that waits holds its wave", [waiting("a", 50), completed("b")], { wave: 0, blocks: { a: "waiting", b: "completed" } }],
    ["a block that is tried again does too", [attempted("a", 50), completed("b")], { wave: 0, blocks: { a: "waiting" } }],
    ["after its instant it settles", [waiting("a", 50), completed("b"), completed("a")], { wave: 1 }],
    ["a block that iterates is pending again", [iterated("a", 1), completed("b")], { wave: 0, blocks: { b: "completed" } }],
  ]);
  table(workflow(block("a", [], { forEach: [1, 2] })), [
    [
      "a block is running while its items are",
      [items("a", 2), completed("a", { n: 2 }, { item: 1 })],
      { blocks: { a: "running" }, wave: 0 },
    ],
    [
      "results keep the order of the list",
      [items("a", 2), completed("a", { n: 2 }, { item: 1 }), completed("a", { n: 1 }, { item: 0 })],
      { wave: 1, outputs: { a: { results: [{ n: 1 }, { n: 2 }], keys: ["0", "1"], count: 2 } } },
    ],
    [
      "items of an object have its keys",
      [items("a", 1, { keys: ["x"] }), completed("a", { n: 1 }, { item: 0 })],
      { outputs: { a: { keys: ["x"], count: 1 } } },
    ],
    [
      "one item that fails fails the block when all have settled",
      [items("a", 2), failed("a", "no", { item: 0 }), completed("a", { n: 2 }, { item: 1 })],
      { blocks: { a: "failed" }, outputs: { a: { results: [null, { n: 2 }] } } },
    ],
  ]);
});

describe("entries that cannot follow what came before are refused as damage", () => {
  const rows: readonly (readonly [what: string, flow: ReturnType<typeof workflow>, given: readonly Given[]])[] = [
    ["a second start", chain, [{ type: "started", workflow: "flow", definition: "d", inputs: {}, version: 1 }]],
    ["an unknown kind", chain, [{ type: "invented" as never }]],
    ["a block the workflow does not have", chain, [completed("z")]],
    ["a step before its dependencies", chain, [completed("b")]],
    ["a second record of a block", pair, [completed("a"), completed("a")]],
    ["a step after the end", pair, [ended("cancelled"), completed("a")]],
    ["a question out of its number", pair, [paused("a", 1)]],
    ["a second question of a block that has not taken its answer", pair, [completed("b"), completed("a"), paused("a", 0)]],
    ["an answer to no question", pair, [answered(0)]],
    ["a second answer", pair, [paused("a", 0), answered(0), answered(0, "no")]],
    ["an answer to a question that was taken back", pair, [paused("a", 0), failed("a"), answered(0)]],
    ["a refusal of no answer", pair, [paused("a", 0), reopened(0)]],
    ["a refusal of an answer that was taken", pair, [paused("a", 0), answered(0), completed("a"), reopened(0)]],
    ["a wait of a settled block", pair, [completed("a"), waiting("a", 5)]],
    ["an item of a block that has none", pair, [completed("a", {}, { item: 0 })]],
    ["an item behind the last", workflow(block("a", [], { forEach: [1] })), [items("a", 1), completed("a", {}, { item: 1 })]],
    ["items of a settled block", pair, [completed("a"), items("a", 1)]],
    ["a second execution of what must not run twice", pair, [began("a"), began("a")]],
    ["an execution of a settled block", pair, [completed("a"), began("a")]],
    ["a deletion of a question that was never asked", pair, [{ type: "forgotten", pause: 3 }]],
    ["an arrival of a run that had not left", pair, [{ type: "arrived", ownership: 1 }]],
    ["a step after the run left", pair, [{ type: "transferred", to: "there", ownership: 0 }, completed("a")]],
    [
      "a second departure",
      pair,
      [
        { type: "transferred", to: "there", ownership: 0 },
        { type: "transferred", to: "there", ownership: 0 },
      ],
    ],
    ["a move to a definition that is not there", pair, [{ type: "moved", definition: "other" }]],
  ];
  test.each(rows)("%s", (_, flow, given) => {
    expect(() => fold(flow, given)).toThrow(expect.objectContaining({ code: "RUN_CORRUPT" }));
  });
});

import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Block, Value, Workflow } from "wavepoint";
import type { Entry } from "../../../src/core/model/journal.ts";
import { channelPart, channelValues, lookUpChannel } from "../../../src/core/machine/channel-scope.ts";
import { givenOf } from "../../../src/core/machine/given-inputs.ts";
import { turnOf } from "../../../src/core/machine/unit-state.ts";
import { guardStates } from "../../support/guarded-state.ts";
import { answered, block, compensating, completed, describeNext, failed, fold, items, iterated, paused, type Given } from "./machine.ts";

beforeAll(() => channelPart.load());

type Changes = { readonly [channel: string]: readonly Value[] };

const flow = (blocks: readonly Block[]): Workflow => ({
  name: "flow",
  channels: { log: { reduce: "append" }, n: { reduce: "sum", default: 1 }, last: {} },
  blocks,
});

/**
 * Folds entries as the runner writes them. In a run in which nothing asks no record says what its unit was given: what it wrote is joined for good when its
 * wave ends. In one that can be revised it stays with its unit.
 */
function play(workflow: Workflow, entries: readonly Given[], isRevisable: boolean) {
  const { run } = fold(workflow, []);
  let at = 0;
  for (const entry of entries) {
    const number = run.compiled.plan.index.get(String(entry["block"]));
    const unit = number === undefined ? undefined : { block: number, item: entry["item"] as number | undefined };
    const turn = unit ? turnOf(run.state, unit) : 0;
    const given = isRevisable && unit && entry.type !== "items" ? givenOf(run, unit) : undefined;
    run.apply({ ...(given === undefined ? {} : { given }), ...(turn > 0 ? { turn } : {}), ...entry, at: ++at } as unknown as Entry);
  }
  return run;
}

const wrote = (id: string, writes: Changes, more: object = {}): Given => completed(id, {}, { writes, ...more });
const goesOn = (id: string, writes: Changes): Given => ({ ...iterated(id), writes });

const wide = [block("a"), block("b"), block("c", ["a", "b"]), block("d", ["c"])];

describe.each([
  ["where nothing is taken back", false],
  ["where it may be", true],
])("channels, %s", (_, isRevisable) => {
  test.each<[what: string, blocks: readonly Block[], entries: readonly Given[], held: object]>([
    ["hold what they begin with", wide, [], { log: [], n: 1, last: null }],
    ["hold what is written at once", wide, [wrote("b", { log: ["b"], n: [2, 3] })], { log: ["b"], n: 6, last: null }],
    [
      "are joined in the order of the plan, not of the records",
      wide,
      [wrote("b", { log: ["b"], last: ["b"] }), wrote("a", { log: ["a"], last: ["a"] })],
      { log: ["a", "b"], last: "b" },
    ],
    [
      "are joined wave after wave",
      wide,
      [wrote("b", { last: ["b"] }), wrote("a", { last: ["a"] }), wrote("c", { last: ["c"] }), completed("d")],
      { last: "c" },
    ],
    [
      "are joined by iteration first",
      wide,
      [goesOn("a", { log: ["a1"] }), goesOn("a", { log: ["a2"] }), wrote("b", { log: ["b1"] }), wrote("a", { log: ["a3"] })],
      { log: ["a1", "b1", "a2", "a3"] },
    ],
    [
      "are joined by the order of a list",
      [block("a", [], { forEach: [1, 2] }), block("b")],
      [items("a", 2), wrote("b", { log: ["b"] }), wrote("a", { log: ["1"] }, { item: 1 }), wrote("a", { log: ["0"] }, { item: 0 })],
      { log: ["0", "1", "b"] },
    ],
    ["do not change where a block fails", wide, [wrote("a", { n: [1] }), failed("b")], { n: 2 }],
  ])("%s", (__, blocks, entries, held) => {
    expect(channelValues(play(flow(blocks), entries, isRevisable))).toMatchObject(held);
  });

  test.each<[what: string, entries: readonly Given[], sees: { readonly [block: string]: readonly string[] }]>([
    ["a block does not see what others of its wave write", [wrote("a", { log: ["a"] })], { b: [] }],
    ["a block sees what it wrote itself", [goesOn("a", { log: ["a1"] })], { a: ["a1"], b: [] }],
    ["the next wave sees both", [wrote("b", { log: ["b"] }), wrote("a", { log: ["a"] })], { c: ["a", "b"] }],
    [
      "each wave sees the ones before it",
      [wrote("b", { log: ["b"] }), completed("a"), goesOn("c", { log: ["c1"] }), wrote("c", { log: ["c2"] })],
      { d: ["b", "c1", "c2"] },
    ],
  ])("%s", (__, entries, sees) => {
    const run = play(flow(wide), entries, isRevisable);
    for (const [id, log] of Object.entries(sees)) {
      expect(lookUpChannel(run, ["channels", "log"], { block: run.compiled.plan.index.get(id)! }), id).toEqual(log);
    }
  });

  test("stay as they were where the run undoes what it did, and each that undoes sees what the one before it wrote", () => {
    const undone = flow([block("a", [], { compensate: "x" }), block("b", ["a"], { compensate: "y" }), block("x"), block("y")]);
    const entries = [wrote("a", { log: ["a"] }), wrote("b", { log: ["b"] }), compensating(), wrote("y", { log: ["y"] })];
    const run = play(undone, entries, isRevisable);
    expect(lookUpChannel(run, ["channels", "log"], { block: run.compiled.plan.index.get("x")! })).toEqual(["a", "b", "y"]);
  });
});

describe("channels of a run that is revised", () => {
  const asks = flow([
    block("q"),
    block("a", ["q"], { inputs: { value: "${blocks.q.v}" } }),
    block("beside"),
    block("b", ["a"], { inputs: { log: "${channels.log}" } }),
  ]);
  const before: readonly Given[] = [
    paused("q", 0),
    wrote("beside", { log: ["beside"] }),
    answered(0),
    wrote("q", { log: ["yes"] }, { outputs: { v: "yes" } }),
    wrote("a", { log: ["a"] }),
    wrote("b", { n: [1] }),
  ];
  const revised: Given = { type: "revised", pause: 0, as: 1, response: "no" };

  test("lose what the opened steps had written, and keep what the others had", () => {
    expect(channelValues(play(asks, before, true))).toMatchObject({ log: ["yes", "beside", "a"], n: 2 });
    expect(channelValues(play(asks, [...before, revised], true))).toMatchObject({ log: ["beside"], n: 1 });
  });

  test("hold it again where a step is kept", () => {
    const again = [
      ...before,
      revised,
      wrote("q", { log: ["no"] }, { outputs: { v: "yes" } }),
      { type: "kept" as const, units: [{ block: "a" }] },
    ];
    expect(channelValues(play(asks, again, true))).toMatchObject({ log: ["no", "beside", "a"], n: 1 });
  });

  test.each<[how: string, reads: Partial<Block>]>([
    ["its inputs", { inputs: { log: "${channels.log}" } }],
    ["what it writes", { writes: { last: "${channels.log}" } }],
    ["what decides what follows", { next: [{ to: "end", when: "'no' in ${channels.log}" }] }],
  ])("run those again that read what holds something else now: %s", (_, reads) => {
    const reading = flow([...asks.blocks.slice(0, 3), block("b", ["a"], reads), block("end", ["b"])]);
    const again = (v: string): readonly Given[] => [...before, revised, wrote("q", { log: [v] }, { outputs: { v: "yes" } })];
    const kept: Given = { type: "kept", units: [{ block: "a" }] };
    expect(describeNext(play(reading, again("no"), true), 1_000)).toBe("keep a");
    expect(describeNext(play(reading, [...again("no"), kept], true), 1_000)).toBe("run b");
    expect(describeNext(play(reading, [...again("yes"), kept], true), 1_000)).toBe("keep b");
  });
});

test("what a revision looked at before it took anything back leaves no trace in what channels hold after it", () => {
  // A state that is guarded shows tables that are new each time, under which nothing is found again.
  guardStates(false);
  onTestFinished(() => guardStates(true));
  const reading = flow([block("a"), block("b", ["a"], { inputs: { seen: "${channels.log}" } })]);
  const first = [paused("a", 0), answered(0, "x"), wrote("a", { log: ["first"] }), paused("b", 1), answered(1, "x")];
  const revised: Given = { type: "revised", pause: 0, as: 2, response: "y" };
  const run = play(reading, [...first, revised], true);
  // Another process executed it: nothing here looked at what it was given.
  run.apply({ ...wrote("a", { log: ["second"] }), given: "other", turn: 1, at: 9 } as unknown as Entry);
  expect(channelValues(run)).toMatchObject({ log: ["second"] });
});

import { describe, expect, test } from "vitest";
import { block, completed, fold, items, paused, workflow } from "./machine.ts";

const flow = workflow(block("each", [], { forEach: [1, 2] }), block("ask"), block("end", ["each", "ask"]));
const journal = [items("each", 2), completed("each", {}, { item: 0 }), paused("ask", 0)];

describe("outside the machine the state of a run cannot be changed", () => {
  const changes: { readonly [what: string]: (state: ReturnType<typeof fold>["run"]["state"]) => unknown } = {
    "a member": (state) => (state.wave = 7),
    "the code of a block": (state) => (state.blocks[0] = 1),
    "the record of a block": (state) => state.records.set(0, undefined),
    "a list": (state) => state.pauses.pop(),
    "a member of a member of a list": (state) => (state.pauses[0]!.withdrawn = true),
    "a set": (state) => state.open.clear(),
    "a table": (state) => state.items.delete(0),
    "the code of an item": (state) => state.items.get(0)!.codes.fill(1),
  };

  test.each(Object.entries(changes))("%s", (_, change) => {
    const { state } = fold(flow, journal).run;
    expect(() => change(state)).toThrow("changed outside the machine");
  });

  test("and can be read", () => {
    const { state } = fold(flow, journal).run;
    expect([...state.items.get(0)!.codes]).toEqual([1, 0]);
    expect([...state.open]).toEqual([0]);
    expect(state.pauses.map(({ entry }) => entry.prompt)).toEqual(["ask?"]);
    expect([...state.items.values()].map(({ left }) => left)).toEqual([1]);
  });
});

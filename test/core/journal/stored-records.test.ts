import type { Workflow } from "wavepoint";
import { describe, expect, test } from "vitest";
import { COMPLETED, PENDING } from "../../../src/core/machine/block-status.ts";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";
import { initialState } from "../../../src/core/machine/initial-state.ts";
import type { RunState } from "../../../src/core/machine/state.ts";
import { restoreRecords, storeRecords } from "../../../src/core/journal/stored-records.ts";

const COUNT = 200;

const wide: Workflow = { name: "wide", blocks: Array.from({ length: COUNT }, (_, i) => ({ id: `b${i}`, type: "Noop" })) };

/** All blocks but the last one have given their number. */
function almostDone(): RunState {
  const state = initialState("run_a", compileWorkflow(wide), {
    type: "started",
    at: 0,
    version: 1,
    workflow: "wide",
    definition: "hash",
    inputs: {},
  });
  for (let block = 0; block < COUNT - 1; block++) {
    state.blocks[block] = COMPLETED;
    state.records.set(block, { at: block, ms: 1, outputs: { block } });
  }
  return state;
}

describe("the records of a snapshot", () => {
  test("are read around a block that is asked for, and what was set since stands", () => {
    const state = almostDone();
    const { texts, rich } = storeRecords(state);
    expect(texts.length).toBeGreaterThan(2);
    // A text that is never read may be anything.
    const records = restoreRecords("run_a", { texts: [...texts.slice(0, -1), "no JSON"], rich }, state.blocks);
    expect(records.get(5)).toEqual({ at: 5, ms: 1, outputs: { block: 5 } });
    records.set(70, undefined);
    records.set(71, { at: 9, ms: 9 });
    expect([69, 70, 71, 72].map((block) => records.get(block)?.at)).toEqual([69, undefined, 9, 72]);
    expect(() => records.get(COUNT - 1)).toThrow(expect.objectContaining({ code: "RUN_CORRUPT" }));
  });

  test("are refused where the state could not have them", () => {
    const state = almostDone();
    const { texts, rich } = storeRecords(state);
    const restore = (first: string): (() => unknown) => {
      const records = restoreRecords("run_a", { texts: [first, ...texts.slice(1)], rich }, state.blocks);
      return () => records.get(0);
    };
    expect(restore(texts[0]!)()).toBeDefined();
    const forged = [
      "[]",
      "{}",
      texts[0]!.replace("[0,1,", "[null,1,"),
      texts[0]!.replace('[0,1,{"block":0}]', "null"),
      texts[0]!.replace('{"block":0}', "[0]"),
      texts[0]!.replace('[0,1,{"block":0}]', '{"at":0,"ms":1,"__proto__":{}}'),
      `${texts[0]!.slice(0, -1)},[1,1,{}]]`,
    ];
    for (const first of forged) {
      expect(first).not.toBe(texts[0]);
      expect(restore(first), first.slice(0, 40)).toThrow(expect.objectContaining({ code: "RUN_CORRUPT" }));
    }
    expect(() => restoreRecords("run_a", { texts: texts.slice(1), rich }, state.blocks)).toThrow(TypeError);
  });

  test("stand for blocks as they were when it was made", () => {
    const state = almostDone();
    const records = restoreRecords("run_a", storeRecords(state), state.blocks);
    state.blocks[0] = PENDING;
    state.blocks[COUNT - 1] = COMPLETED;
    expect(records.get(0)?.outputs).toEqual({ block: 0 });
    expect(records.get(COUNT - 1)).toBeUndefined();
  });
});

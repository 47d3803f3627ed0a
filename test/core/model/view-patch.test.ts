import fc from "fast-check";
import { expect, test } from "vitest";
import { applyPatch, diffViews, type ViewPatch } from "../../../src/core/model/view-patch.ts";

/** As it arrives on the other side. */
const sent = (patch: ViewPatch | undefined): ViewPatch => structuredClone(patch!);

const block = (id: string, status = "pending") => ({ id, type: "Noop", status });

test("a patch makes any second value out of any first one", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(value, value, (before, after) => {
      const patch = diffViews(before, after);
      if (patch === undefined) expect(before).toEqual(after);
      else expect(applyPatch(before, sent(patch))).toEqual(after);
    }),
  );
});

test("a block that changed is all that is sent, and all that is new", () => {
  const before = {
    waves: [
      { index: 0, blocks: [block("a"), block("b")] },
      { index: 1, blocks: [block("c")] },
    ],
    inputs: { who: "Ada" },
  };
  const [first, second] = before.waves;
  const after = { ...before, waves: [{ ...first!, blocks: [first!.blocks[0]!, block("b", "running")] }, second!] };
  const patch = sent(diffViews(before, after));
  expect(JSON.stringify(patch)).not.toContain("Noop");
  const view = applyPatch(before, patch) as typeof before;
  expect(view).toEqual(after);
  expect(view.inputs).toBe(before.inputs);
  expect(view.waves[1]).toBe(second);
  expect(view.waves[0]!.blocks[0]).toBe(first!.blocks[0]);
});

test("a view that was read anew and says the same needs no patch", () => {
  const view = { waves: [{ blocks: [block("a")] }], draft: { name: "Ada", tags: ["x"] } };
  expect(diffViews(view, structuredClone(view))).toBeUndefined();
});

test("members that are gone are gone, also where one has a name of prototypes", () => {
  const before = JSON.parse('{ "error": "no", "__proto__": { "a": 1 }, "keep": [1] }') as object;
  const after = JSON.parse('{ "__proto__": { "a": 2 }, "keep": [1] }') as object;
  const view = applyPatch(before, sent(diffViews(before, after))) as object;
  expect(Object.keys(view).toSorted()).toEqual(["__proto__", "keep"]);
  expect(Object.getPrototypeOf(view)).toBe(Object.prototype);
  expect(JSON.stringify(view)).toBe(JSON.stringify(after));
});

test("what cannot be looked into takes the place of what was there", () => {
  const date = new Date(0);
  const patch = sent(diffViews({ at: new Date(1), bytes: new Uint8Array(2) }, { at: date, bytes: new Uint8Array(1) }));
  expect(applyPatch({ at: new Date(1), bytes: new Uint8Array(2) }, patch)).toEqual({ at: date, bytes: new Uint8Array(1) });
});

test("views are frozen, as those of an executor in the page are", () => {
  const view = applyPatch({ list: [1] }, { parts: [["list", { value: [{ a: 1 }] }]], gone: [] }) as { list: { a: number }[] };
  expect([view, view.list, view.list[0]].map((part) => Object.isFrozen(part))).toEqual([true, true, true]);
});

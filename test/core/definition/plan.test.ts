import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexIds } from "../../../src/core/definition/id-index.ts";
import { planWaves } from "../../../src/core/definition/plan.ts";
import type { Block } from "../../../src/core/model/workflow.ts";

function blocks(graph: Readonly<Record<string, readonly string[]>>): readonly Block[] {
  return Object.entries(graph).map(([id, dependsOn]) => ({ id, type: "Echo", dependsOn }));
}

function waveIds(list: readonly Block[]): readonly (readonly string[])[] {
  const plan = planWaves(list);
  return plan.waves.map((wave) => wave.map((block) => plan.ids[block]!));
}

describe("waves", () => {
  test("follow the dependencies, not the order of the definition", () => {
    expect(waveIds(blocks({ third: ["second"], second: ["first"], first: [] }))).toEqual([["first"], ["second"], ["third"]]);
  });

  test("hold together what does not depend on each other, in the order of the definition", () => {
    expect(waveIds(blocks({ d: ["b", "c"], c: ["a"], b: ["a"], a: [], lone: [] }))).toEqual([["a", "lone"], ["c", "b"], ["d"]]);
  });

  test("take a block as early as its last dependency allows", () => {
    expect(waveIds(blocks({ a: [], b: ["a"], c: ["a", "b"], d: ["a", "a"] }))).toEqual([["a"], ["b", "d"], ["c"]]);
  });

  test("are none for no blocks", () => {
    expect(planWaves([]).waves).toEqual([]);
  });
});

test("dependencies say whether they are required", () => {
  const plan = planWaves([
    { id: "a", type: "Echo" },
    { id: "b", type: "Echo" },
    { id: "c", type: "Echo", dependsOn: ["a", { block: "b", required: false }, { block: "a" }] },
  ]);
  expect(Array.from(plan.dependencies.slice(plan.dependencyStart[2], plan.dependencyStart[3]))).toEqual([0, 1, 0]);
  expect([...plan.required]).toEqual([1, 0, 1]);
  expect(Array.from(plan.dependents.slice(plan.dependentStart[0], plan.dependentStart[1]))).toEqual([2, 2]);
});

describe("refused", () => {
  test.each<[string, Readonly<Record<string, readonly string[]>>, string, string]>([
    ["an unknown dependency, with the nearest id", { build: [], test: ["biuld"] }, "DEPENDENCY_UNKNOWN", 'Did you mean "build"'],
    ["a cycle, which is printed", { ok: [], x: ["ok", "y"], y: ["x"] }, "DEPENDENCY_CYCLE", "x → y → x"],
    ["a cycle behind which others wait", { z: ["x"], x: ["y"], y: ["x"] }, "DEPENDENCY_CYCLE", "x → y → x"],
    ["a block that depends on itself", { a: ["a"] }, "DEPENDENCY_CYCLE", '"a" depends on itself'],
  ])("%s", (_, graph, code, message) => {
    expect(() => planWaves(blocks(graph))).toThrow(message);
    expect(() => planWaves(blocks(graph))).toThrow(expect.objectContaining({ code }));
  });

  test("two blocks of one id", () => {
    const twice = [...blocks({ a: [], b: [] }), ...blocks({ a: [] })];
    expect(() => planWaves(twice)).toThrow(expect.objectContaining({ code: "ID_DUPLICATE", place: { path: "blocks[2].id" } }));
  });

  test("a cycle of 100,000 blocks, without overflowing the stack", () => {
    const ring = Array.from({ length: 100_000 }, (_, i): Block => ({ id: `b${i}`, type: "Echo", dependsOn: [`b${(i + 1) % 100_000}`] }));
    expect(() => planWaves(ring)).toThrow("b0 → b1 → b2");
  });
});

test("a chain of 100,000 blocks is planned without overflowing the stack", () => {
  const chain = Array.from({ length: 100_000 }, (_, i): Block => ({ id: `b${i}`, type: "Echo", dependsOn: i === 0 ? [] : [`b${i - 1}`] }));
  expect(planWaves(chain).waves).toHaveLength(100_000);
});

test("every block of a random graph stands in one wave, after all it depends on and no later than needed", () => {
  const graph = fc
    .integer({ min: 1, max: 60 })
    .chain((size) =>
      fc
        .array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 150 })
        .map((edges) => ({ size, edges: edges.filter(([a, b]) => a !== b) })),
    );
  const shuffled = graph.chain(({ size, edges }) =>
    fc.shuffledSubarray([...Array(size).keys()], { minLength: size }).map((order) => ({ size, edges, order })),
  );
  fc.assert(
    fc.property(shuffled, ({ size, edges, order }) => {
      const list = order.map((n): Block => ({
        id: `b${n}`,
        type: "Echo",
        dependsOn: edges.filter(([a, b]) => Math.max(a, b) === n).map(([a, b]) => `b${Math.min(a, b)}`),
      }));
      const plan = planWaves(list);
      expect(plan.waves.flat().toSorted((a, b) => a - b)).toEqual([...Array(size).keys()]);
      for (const [wave, members] of plan.waves.entries()) for (const member of members) expect(plan.waveOf[member]).toBe(wave);
      for (const [i, block] of list.entries()) {
        const before = block.dependsOn!.map((id) => plan.waveOf[plan.index.get(id as string)!]!);
        expect(plan.waveOf[i]).toBe(Math.max(-1, ...before) + 1);
      }
    }),
  );
});

test("the index finds every id and nothing else", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "binary" }), { maxLength: 200 }), fc.string(), (ids, other) => {
      const index = indexIds(ids);
      expect(ids.map((id) => index.get(id))).toEqual(ids.map((_, i) => i));
      expect(index.has(other)).toBe(ids.includes(other));
      expect(index.duplicates).toEqual([]);
      expect([...index.keys()]).toEqual(ids);
    }),
  );
});

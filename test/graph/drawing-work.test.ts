import { expect, test } from "vitest";
import { graphSvg } from "wavepoint/graph";
import { graphOf } from "../../src/graph/graph.ts";
import { bendEdges } from "../../src/graph/layout/layers.ts";
import { layoutGraph } from "../../src/graph/layout/layout.ts";

const SHAPES: readonly (readonly [string, (i: number) => readonly number[]])[] = [
  ["beside each other", () => []],
  ["one after another", (i) => (i > 0 ? [i - 1] : [])],
  ["after one of the first hundred", (i) => (i < 100 ? [] : [i % 100])],
  ["after one before and one long before", (i) => (i > 0 ? [...new Set([i - 1, i >> 1])] : [])],
];

const chain = (count: number, dependsOn: (i: number) => readonly number[]) =>
  Array.from({ length: count }, (_, i) => ({ id: `b${i}`, type: "EchoBlock", dependsOn: dependsOn(i).map((other) => `b${other}`) }));

/** A list that counts how often its members are read. */
function counted<Item>(items: readonly Item[]): { readonly list: readonly Item[]; reads(): number } {
  let reads = 0;
  const list = new Proxy(items, {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { list, reads: () => reads };
}

test.each(SHAPES)("blocks that stand %s are drawn with work in proportion to their number", (_, dependsOn) => {
  const workOf = (count: number) => {
    const blocks = chain(count, dependsOn);
    const { waves, edges } = graphOf({ blocks });
    const [sizes, lines] = [counted(blocks.map(() => ({ width: 120, height: 46 }))), counted(edges)];
    const { layers } = bendEdges({ layers: waves, edges });
    layoutGraph({ layers: waves, edges: lines.list }, { direction: "right", sizes: sizes.list });
    return [
      sizes.reads(),
      lines.reads() + 1,
      layers.reduce((sum, layer) => sum + layer.length, 0),
      graphSvg({ name: "large", blocks }).length,
    ];
  };
  const [few, many] = [workOf(400), workOf(4_000)];
  // Long edges have at most 32 bends; numbers of more digits are longer.
  for (const [i, work] of many.entries()) expect(work / few[i]!).toBeLessThan(16);
});

import { fromSource } from "../harness/from-source.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";

const { graphOf, layoutGraph } = await fromSource({ graphOf: "graph/graph.ts", layoutGraph: "graph/layout/layout.ts" });
const FEW = 1_000;
const MANY = 10_000;
const BAR = 15;

/** Laying out the graph of a large workflow, in which each block depends on one or two of the last eight. */
export async function measure({ samples }) {
  const [few, many] = [FEW, MANY].map((count) => graphOf({ blocks: blocksOf(count) }));
  const times = await interleave(
    [
      { name: "many", run: () => void layout(many) },
      { name: "few", run: () => void layout(few) },
    ],
    { samples },
  );
  return [
    line({
      what: `layout of the graph of ${MANY.toLocaleString("en")} blocks`,
      unit: "ms",
      ours: times.many,
      reference: times.few,
      referenceName: `of ${FEW.toLocaleString("en")} blocks`,
      bar: `≤ ${BAR} ×`,
      met: ({ reference }) => reference <= BAR,
    }),
  ];
}

function blocksOf(count) {
  return Array.from({ length: count }, (_, i) => ({
    id: `block_${i}`,
    type: "Noop",
    dependsOn:
      i === 0 ? [] : [...new Set([i - 1 - ((i * 7_919) % 8), i - 1 - ((i * 104_729) % 8)])].map((to) => `block_${Math.max(0, to)}`),
  })).map((block) => ({ ...block, dependsOn: [...new Set(block.dependsOn)] }));
}

function layout({ blocks, waves, edges }) {
  layoutGraph({ layers: waves, edges }, { direction: "right", sizes: blocks.map(() => ({ width: 120, height: 46 })) });
}

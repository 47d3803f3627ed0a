import { fromSource } from "../harness/from-source.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";

const { planWaves } = await fromSource({ planWaves: "core/definition/plan.ts" });
const BLOCKS = 100_000;
const BAR_MS = 60;

/** The waves of a large workflow. */
export async function measure({ samples }) {
  const blocks = Array.from({ length: BLOCKS }, (_, index) => ({
    id: `block_${index}`,
    type: "Noop",
    dependsOn: index < 2 ? [] : [`block_${index >> 1}`, `block_${index - 1 - (index % 7 === 0 ? 1 : 0)}`],
  }));
  const times = await interleave(
    [
      { name: "ours", run: () => void planWaves(blocks) },
      { name: "maps", run: () => void planWithMaps(blocks) },
    ],
    { samples },
  );
  return [
    line({
      what: `plan of ${BLOCKS.toLocaleString("en")} blocks, string ids, two edges each`,
      unit: "ms",
      ours: times.ours,
      reference: times.maps,
      referenceName: "Kahn's algorithm with Map and Set",
      bar: `≤ ${BAR_MS} ms`,
      met: ({ ours }) => ours <= BAR_MS,
      readme: true,
    }),
  ];
}

/** The same waves as one writes it without a second thought. */
function planWithMaps(blocks) {
  const open = new Map();
  const dependents = new Map();
  for (const { id, dependsOn } of blocks) {
    open.set(id, new Set(dependsOn));
    for (const dependency of dependsOn) {
      const list = dependents.get(dependency);
      if (list) list.push(id);
      else dependents.set(dependency, [id]);
    }
  }
  const waves = [];
  let wave = [...open].filter(([, dependencies]) => dependencies.size === 0).map(([id]) => id);
  while (wave.length > 0) {
    waves.push(wave);
    const next = [];
    for (const id of wave) {
      for (const dependent of dependents.get(id) ?? []) {
        const dependencies = open.get(dependent);
        dependencies.delete(id);
        if (dependencies.size === 0) next.push(dependent);
      }
    }
    wave = next;
  }
  return waves;
}

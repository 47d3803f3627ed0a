import { createExecutor, defineBlock, defineWorkflow, success } from "wavepoint";
import type { Executor, Store, Workflow } from "wavepoint";

/** Blocks that keep a thread busy for a while each. */
const work = defineBlock({
  type: "Work",
  async execute() {
    const end = performance.now() + WORK_MS;
    while (performance.now() < end);
    return success({});
  },
});

const WORK_MS = 2;

/** As many blocks as asked for: half of them in one wave, half one after another. */
function busy(count: number): Workflow {
  return defineWorkflow({
    name: `busy-${count}`,
    blocks: Array.from({ length: count }, (_, i) => ({
      id: `b${i}`,
      type: "Work",
      ...(i % 2 ? {} : { dependsOn: i > 1 ? [`b${i - 2}`] : [] }),
    })),
  });
}

const ask = defineWorkflow({ name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] });

export function busyExecutor(store: Store, counts: readonly number[]): Executor {
  return createExecutor({ store, workflows: [ask, ...counts.map(busy)], blocks: [work] });
}

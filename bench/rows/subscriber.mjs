import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { chainWorkflow, executorFor } from "../subjects/ours.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";

const BLOCKS = 3_000;
const BAR = 2;
const WARMUPS = 3;

/** What somebody who looks costs a long run. */
export async function measure({ samples }) {
  const times = await interleave([subject("without", false), subject("with", true)], { samples, warmups: WARMUPS });
  const what = `chain of ${BLOCKS.toLocaleString("en")} no-op blocks with \`async execute\`, memory store, one subscriber`;
  return [
    line({
      what,
      unit: "ms",
      ours: times.with,
      reference: times.without,
      referenceName: "without",
      bar: `≤ ${BAR} × without`,
      met: ({ reference }) => reference <= BAR,
      readme: true,
    }),
  ];
}

function subject(name, isWatched) {
  const workflow = chainWorkflow(Array(BLOCKS).fill("NoopAsync"));
  return {
    name,
    async prepare() {
      const executor = executorFor(memoryStore(), workflow);
      await executor.load(workflow);
      return executor;
    },
    async run(executor) {
      const run = await executor.start(workflow);
      let last;
      if (isWatched) run.subscribe((view) => (last = view));
      await run.settled();
      if (isWatched && last.status !== "completed") throw new Error("The subscriber missed the end of the run.");
    },
    finish: (executor) => executor.close(),
  };
}

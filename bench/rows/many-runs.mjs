import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { answerOne, fillWithRuns, listNewest, openRuns, startOne } from "../subjects/many-runs.mjs";

const FEW = 100;
/** A tenth of the longest size, and no more than this: more takes longer to make than to measure. */
const MOST = 10_000;

/** One store that holds many runs which wait: what each costs the next one. */
export async function measure({ sizes, samples }) {
  const many = Math.min(MOST, sizes.at(-1) / 10);
  const stores = { few: newDirectory("few-runs"), many: newDirectory("many-runs") };
  await fillWithRuns(stores.few, FEW);
  await fillWithRuns(stores.many, many);
  const warm = { few: openRuns(stores.few), many: openRuns(stores.many) };
  const subjects = Object.keys(stores).flatMap((name) => subjectsOf(name, stores[name], warm[name]));
  const times = await interleave(subjects, { samples });
  for (const name of Object.keys(stores)) {
    await warm[name].close();
    removeDirectory(stores[name]);
  }
  const row = (kind, what, bar) =>
    line({
      what: `${what}, filesystem, in a store of ${many.toLocaleString("en")} runs that wait`,
      unit: "ms",
      ours: times[`${kind} many`],
      reference: times[`${kind} few`],
      referenceName: `of ${FEW}`,
      ...(bar === undefined ? {} : { bar: `≤ ${bar} × of ${FEW}`, met: ({ reference }) => reference <= bar }),
      readme: `${what}, filesystem, in a store of ${many.toLocaleString("en")} runs`,
    });
  return [
    row("warm", "newest 20 runs that wait, store opened before", 3),
    row("cold", "newest 20 runs that wait, store newly opened", 10),
    row("start", "a run started, until its question is stored"),
    row("answer", "a run opened and answered, until it is over"),
  ];
}

function subjectsOf(name, directory, warm) {
  let waiting;
  return [
    { name: `warm ${name}`, run: async () => void (await listNewest(warm)) },
    {
      name: `cold ${name}`,
      prepare: () => openRuns(directory),
      run: async (executor) => void (await listNewest(executor)),
      finish: (executor) => executor.close(),
    },
    { name: `start ${name}`, run: async () => void (waiting = (await startOne(warm)).run) },
    { name: `answer ${name}`, run: () => answerOne(warm, waiting) },
  ];
}

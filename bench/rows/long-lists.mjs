import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { fillWithRuns, timeNewestRuns } from "../subjects/listed-runs.mjs";
import { createExecutor } from "../subjects/wavepoint.mjs";

const CHILD = fileURLToPath(new URL("../fresh-list.mjs", import.meta.url));
const FEW = 100;
const TAKEN = 400;
const METRICS_RUNS = 10_000;
const METRICS_BAR_MS = 2_000;

/** Lists of few and of many runs, the metrics of many, and a run that many processes took. */
export async function measure({ samples, sizes }) {
  const many = sizes.at(-1) / 2;
  const directories = { few: await filled(FEW), many: await filled(many) };
  const opened = { few: filesystemStore(directories.few), many: filesystemStore(directories.many) };
  const fresh = async (name) => Number((await promisify(execFile)(process.execPath, [CHILD, directories[name]])).stdout);
  const times = await interleave(
    [
      { name: "fresh few", run: () => fresh("few") },
      { name: "fresh many", run: () => fresh("many") },
      { name: "warm few", run: () => timeNewestRuns(opened.few) },
      { name: "warm many", run: () => timeNewestRuns(opened.many) },
    ],
    { samples },
  );
  for (const name of ["few", "many"]) {
    await opened[name].close();
    removeDirectory(directories[name]);
  }
  const row = (what, kind, most) =>
    line({
      what: `newest 20 of ${many.toLocaleString("en")} paused runs, filesystem, ${what}`,
      unit: "ms",
      ours: times[`${kind} many`],
      reference: times[`${kind} few`],
      referenceName: `of ${FEW}`,
      bar: `≤ ${most} × of ${FEW}`,
      met: ({ reference }) => reference <= most,
    });
  return [row("listed before", "warm", 3), row("in a fresh process", "fresh", 10), await metricsRow(samples), await takeoversRow(samples)];
}

async function filled(count) {
  const directory = newDirectory("runs");
  const store = filesystemStore(directory);
  await fillWithRuns(store, count);
  await store.close();
  return directory;
}

async function metricsRow(samples) {
  const directory = await filled(METRICS_RUNS);
  const subject = {
    name: "metrics",
    async run() {
      const store = filesystemStore(directory);
      const executor = createExecutor({ store });
      const start = performance.now();
      const { runs } = await executor.metrics();
      const took = performance.now() - start;
      if (runs !== METRICS_RUNS) throw new Error(`The metrics count ${runs} runs.`);
      await executor.close();
      await store.close();
      return took;
    },
  };
  const times = await interleave([subject], { samples });
  removeDirectory(directory);
  return line({
    what: `\`metrics()\` of ${METRICS_RUNS.toLocaleString("en")} runs, filesystem, newly opened`,
    unit: "ms",
    ours: times.metrics,
    bar: `≤ ${METRICS_BAR_MS / 1000} s`,
    met: ({ ours }) => ours <= METRICS_BAR_MS,
  });
}

/** Beside a run of as many commits by one process. One opening in several merges the files: so the mean of four that follow each other counts. */
async function takeoversRow(samples) {
  const [once, ...often] = [TAKEN, TAKEN, TAKEN + 1, TAKEN + 2, TAKEN + 3].map((commits) => ({
    commits,
    directory: newDirectory("taken"),
  }));
  for (const { commits, directory } of [once, ...often]) {
    const first = filesystemStore(directory);
    await fillWithRuns(first, 1);
    for (let done = 1; done < commits; done += 1) await goOn(directory, directory === once.directory ? first : undefined);
  }
  const subject = (name, taken) => ({
    name,
    prepare: () =>
      taken.map(({ directory }) => {
        const copy = newDirectory("copy");
        cpSync(directory, copy, { recursive: true });
        return copy;
      }),
    async run(copies) {
      let took = 0;
      for (const copy of copies) took += await goOn(copy);
      return took / copies.length;
    },
    finish: (copies) => copies.forEach(removeDirectory),
  });
  const times = await interleave([subject("once", [once]), subject("often", often)], { samples });
  for (const { directory } of [once, ...often]) removeDirectory(directory);
  return line({
    what: `a run that ${TAKEN} processes took, filesystem: opened, read and gone on with`,
    unit: "ms",
    ours: times.often,
    reference: times.once,
    referenceName: "that one took",
    bar: "≤ 1.5 ×",
    met: ({ reference }) => reference <= 1.5,
  });
}

/** Goes on with the run in a new store, as a process does that dies without closing it; gives how long it took. */
async function goOn(directory, store = filesystemStore(directory)) {
  const start = performance.now();
  const run = "run_000000";
  const head = await store.head(run);
  await store.read(run);
  const { revision, epoch, entries } = head;
  const next = { ...head, revision: revision + 1, epoch: epoch + 1, entries: entries + 1 };
  await store.commit({ run, expected: { revision, epoch }, head: next, entries: ["{}"], durability: "strict" });
  return performance.now() - start;
}

import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave, STOPPED } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { interruptRun, resumeInterrupted } from "../subjects/interrupted.mjs";
import { interruptMachine, resumeMachine } from "../subjects/interrupted-xstate.mjs";

const CHILD = fileURLToPath(new URL("../fresh-process.mjs", import.meta.url));
const STEPS = 100;
const SHORT = 1_000;
const BAR_MS = 1;
/** So many resumes of a short run follow one another in a warm process; the later half counts. */
const IN_A_ROW = 20;

/** What a fresh process is timed from. */
const FROM = [
  ["opened", "from opening the store, modules loaded"],
  ["booted", "from the end of Node's own start"],
  ["spawned", "from the start of the process"],
];

/** From opening the store until the next block of a run that was interrupted starts. */
export async function measure({ samples, sizes }) {
  const lines = [];
  const short = await measureSize(STEPS, { samples, withPeer: true });
  const shared = { unit: "ms", bar: `≤ ${BAR_MS} ms`, met: ({ ours }) => ours <= BAR_MS };
  for (const [from, words] of FROM) {
    const isWhole = from === "spawned";
    const what = `fresh process, resume → next step, run of ${STEPS} steps, filesystem, ${words}`;
    lines.push(
      line({
        ...(from === "opened" ? shared : { unit: "ms" }),
        what,
        ours: short[`ours ${from}`],
        ...(isWhole ? { reference: short["nothing spawned"], referenceName: "Node that does nothing" } : {}),
        peer: short[`xstate ${from}`],
        readme: true,
      }),
    );
  }
  lines.push(
    line({
      ...shared,
      what: `the same, fresh executor and store in a warm process, the later half of ${IN_A_ROW}`,
      ours: short.warm,
      peer: short.peerWarm,
    }),
  );
  const thousand = await measureSize(SHORT, { samples, withPeer: false });
  const long = sizes.at(-1);
  const most = await measureSize(long, { samples, withPeer: false });
  lines.push(
    line({
      what: `resume → next step, run of ${long.toLocaleString("en")} steps, definition loaded`,
      unit: "ms",
      ours: most.loaded,
      reference: thousand.loaded,
      referenceName: `run of ${SHORT.toLocaleString("en")}`,
      peer: STOPPED,
      bar: "≤ 2 × run of 1,000",
      met: ({ reference }) => reference <= 2,
    }),
  );
  return lines;
}

async function measureSize(steps, { samples, withPeer }) {
  const directory = newDirectory("ours");
  const run = await interruptRun(directory, steps);
  const snapshot = join(directory, "xstate.json");
  if (withPeer) writeFileSync(snapshot, await interruptMachine(steps));
  const fresh = (engine, ...args) =>
    FROM.map(([from]) => ({ name: `${engine} ${from}`, run: (place = "") => inProcess(from, [engine, place, ...args]) }));
  // Each resume takes the run in a directory of its own: one that is taken again and again would measure its own growth.
  const copyRun = () => {
    const copy = newDirectory("copy");
    cpSync(directory, copy, { recursive: true });
    return copy;
  };
  const resumeCopy = (copy, load) => resumeInterrupted(copy, { run, steps, load });
  const times = await interleave(
    [
      { name: "loaded", prepare: copyRun, run: (copy) => resumeCopy(copy, true), finish: removeDirectory },
      ...(withPeer
        ? [
            {
              name: "warm",
              prepare: () => Array.from({ length: IN_A_ROW }, copyRun),
              run: (copies) => laterHalf(copies.map((copy) => () => resumeCopy(copy, false))),
              finish: (copies) => copies.forEach(removeDirectory),
            },
            ...fresh("ours", steps, run).map((subject) => ({ ...subject, prepare: copyRun, finish: removeDirectory })),
            ...fresh("xstate", steps).map((subject) => ({ ...subject, prepare: () => snapshot })),
            ...fresh("nothing"),
            { name: "peerWarm", run: () => laterHalf(Array(IN_A_ROW).fill(() => resumeMachine(snapshot, steps))) },
          ]
        : []),
    ],
    { samples, warmups: 2 },
  );
  removeDirectory(directory);
  return times;
}

/** The mean of the later half of what follows one another: by then the code is compiled, on both sides. */
async function laterHalf(actions) {
  const times = [];
  for (const action of actions) times.push(await action());
  const later = times.slice(times.length / 2);
  return later.reduce((sum, time) => sum + time, 0) / later.length;
}

/** Milliseconds that a process of its own takes until the next step. */
async function inProcess(from, args) {
  const spawnedAt = performance.timeOrigin + performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, ...args.map(String)]);
  const times = JSON.parse(stdout);
  return from === "spawned" ? times.epoch - spawnedAt : times[from];
}

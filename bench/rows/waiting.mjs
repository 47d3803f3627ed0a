import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { interruptMachine, resumeMachine } from "../subjects/interrupted-xstate.mjs";
import { appendFile } from "../subjects/raw-file.mjs";
import { answerWaiting, leaveWaiting, longChain, longLoop } from "../subjects/waiting.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";

const SHORTEST = 10;
/** The size the longest one is held against. */
const JUDGED = 1_000;
const BAR = 2;
const WARMUPS = 2;
/** One run lets its blocks run again no more often. */
const LONGEST_LOOP = 10_000;
/** Bringing a longer machine of XState to its place takes minutes. */
const LONGEST_XSTATE = 1_000;

/** From the answer to a run that nobody holds until the next step, however much lies behind it. */
export async function measure({ samples, sizes }) {
  const lines = [];
  const known = new Map();
  for (const size of [SHORTEST, ...sizes.filter((steps) => steps >= JUDGED)]) {
    const subjects = await subjectsOf(size, samples + WARMUPS + 1);
    const times = await interleave(subjects, { samples, warmups: WARMUPS });
    for (const { close } of subjects) await close?.();
    for (const [store, label] of STORES) {
      for (const [shape, what] of SHAPES) {
        const ours = times[`${store} ${shape}`];
        if (!ours) continue;
        const kind = `resume → next step, ${label}, ${what}`;
        known.set(kind, [...(known.get(kind) ?? []), { size, ours }]);
        lines.push(
          line({
            what: `${kind} ${size.toLocaleString("en")} ${shape === "chain" ? "steps" : "times"}`,
            unit: "ms",
            ours,
            reference: times[`${store} raw ${shape}`],
            referenceName: store === "file" ? "read, parse, append + fdatasync" : "parse",
            ...(store === "file" && shape === "chain" ? { peer: times.xstate, readme: size >= JUDGED } : {}),
          }),
        );
      }
    }
  }
  return [...lines, ...growthOf(known)];
}

const STORES = [
  ["file", "filesystem"],
  ["memory", "memory store"],
];
const SHAPES = [
  ["chain", "a chain that waits after"],
  ["loop", "a block that ran"],
];

function growthOf(known) {
  return [...known].map(([kind, list]) => {
    const few = list.find(({ size }) => size === JUDGED);
    const many = list.at(-1);
    return line({
      what: `growth: ${kind} ${many.size.toLocaleString("en")}, against ${JUDGED.toLocaleString("en")}`,
      unit: "ms",
      ours: many.ours,
      reference: few.ours,
      referenceName: JUDGED.toLocaleString("en"),
      bar: `≤ ${BAR} × of ${JUDGED.toLocaleString("en")}`,
      met: ({ reference }) => reference <= BAR,
    });
  });
}

async function subjectsOf(size, questions) {
  const shapes = [["chain", longChain(size, questions)], ...(size <= LONGEST_LOOP ? [["loop", longLoop(size, questions)]] : [])];
  const subjects = [];
  for (const [shape, workflow] of shapes) {
    subjects.push(await inFiles(shape, workflow), await inMemory(shape, workflow), ...raw(shape, shape === "chain" ? size : 1));
  }
  if (size <= LONGEST_XSTATE) subjects.push(await xstate(size));
  return subjects;
}

async function inFiles(shape, workflow) {
  const directory = newDirectory("ours");
  const first = filesystemStore(directory);
  const left = await leaveWaiting(first, workflow);
  await first.close();
  return {
    name: `file ${shape}`,
    async run() {
      const store = filesystemStore(directory);
      const took = await answerWaiting(store, left);
      await store.close();
      return took;
    },
    close: () => removeDirectory(directory),
  };
}

async function inMemory(shape, workflow) {
  const store = memoryStore();
  const left = await leaveWaiting(store, workflow);
  return { name: `memory ${shape}`, run: () => answerWaiting(store, left) };
}

/** What the run has to know to go on, in one text: read and parsed, and for a file with the answer appended. */
function raw(shape, outputs) {
  const text = JSON.stringify(Array.from({ length: outputs }, (_, index) => [`step_${index}`, { ok: true }]));
  const directory = newDirectory("raw");
  const path = join(directory, "state");
  writeFileSync(path, text);
  const file = appendFile(join(directory, "answers"));
  return [
    {
      name: `file raw ${shape}`,
      async run() {
        JSON.parse(readFileSync(path, "utf8"));
        await file.append(`{"answer":"go"}\n`);
      },
      close() {
        file.close();
        removeDirectory(directory);
      },
    },
    { name: `memory raw ${shape}`, run: () => void JSON.parse(text) },
  ];
}

async function xstate(size) {
  const directory = newDirectory("xstate");
  const path = join(directory, "snapshot");
  writeFileSync(path, await interruptMachine(size));
  return { name: "xstate", run: () => resumeMachine(path, size), close: () => removeDirectory(directory) };
}

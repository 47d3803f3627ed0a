import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { timeTwice } from "../harness/time-twice.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { timeWave } from "../subjects/ours.mjs";
import { payload } from "../subjects/payload.mjs";
import { replacedFile } from "../subjects/raw-file.mjs";
import { fanMachine, runMachine, snapshotText } from "../subjects/xstate.mjs";

const WIDTH = 1_000;
const WARMUPS = 5;

/** Steps that finish at the same time, stored at the same time. */
export async function measure({ samples }) {
  const subjects = [ours(), raw(), xstate()];
  // A wave is over in milliseconds: without some waves before, the compiler would be what is measured.
  const times = await interleave(subjects, { samples, warmups: WARMUPS });
  return [
    line({
      readme: true,
      what: `${WIDTH.toLocaleString("en")} steps of 1 kB that finish together, filesystem, \`sync\``,
      unit: "ms",
      ours: times.ours,
      reference: times.raw,
      referenceName: "1,000 appends, one fdatasync",
      peer: times.xstate,
      bar: "≤ 1.5 × raw",
      met: ({ reference }) => reference <= 1.5,
      note: "XState saves once, at the end",
    }),
  ];
}

function ours() {
  return {
    name: "ours",
    prepare: () => {
      const directory = newDirectory("ours");
      return { directory, store: filesystemStore(directory) };
    },
    run: ({ store }) => timeTwice(() => timeWave(store, WIDTH)),
    async finish({ directory, store }) {
      await store.close();
      removeDirectory(directory);
    },
  };
}

function raw() {
  return {
    name: "raw",
    prepare() {
      const directory = newDirectory("raw");
      return { directory, file: openSync(join(directory, "journal"), "a") };
    },
    run: ({ file }) =>
      timeTwice(() => {
        for (let i = 0; i < WIDTH; i++) writeSync(file, `${JSON.stringify({ step: i, outputs: { data: payload(i) } })}\n`);
        fdatasyncSync(file);
      }),
    finish({ directory, file }) {
      closeSync(file);
      removeDirectory(directory);
    },
  };
}

function xstate() {
  let produced = 0;
  const machine = fanMachine(WIDTH, { keepAll: true, work: async () => payload(produced++) });
  return {
    name: "xstate",
    prepare() {
      const directory = newDirectory("xstate");
      return { directory, file: replacedFile(join(directory, "snapshot")) };
    },
    run: ({ file }) =>
      timeTwice(async () => {
        const actor = await runMachine(machine, () => {});
        file.replace(snapshotText(actor));
      }),
    finish({ directory, file }) {
      file.close();
      removeDirectory(directory);
    },
  };
}

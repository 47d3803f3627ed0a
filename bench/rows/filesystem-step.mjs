import { join } from "node:path";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { divide, interleave, STOPPED } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { timeTwice } from "../harness/time-twice.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { openWalk } from "../subjects/ours.mjs";
import { payload } from "../subjects/payload.mjs";
import { openTable } from "../subjects/libsql.mjs";
import { appendFile, replacedFile } from "../subjects/raw-file.mjs";
import * as xstate from "../subjects/xstate.mjs";

/** The length at which a database stands beside it, and those that the README shows. */
const BESIDE_LIBSQL = 1_000;
const SHOWN = [1_000, 100_000];
/** Steps after which a run whose snapshots grow with it would take longer than a subject may. */
const LONGEST_XSTATE = 1_000;

/** One durable step of 1 kB after another, at different lengths of the run. */
export async function measure({ sizes, samples, stretch }) {
  const lines = [];
  for (const size of sizes) {
    const subjects = await Promise.all([
      ours(size, samples, stretch),
      raw(size, stretch),
      ...(size <= LONGEST_XSTATE ? [xstateSubject(size, samples, stretch)] : []),
      ...(size === BESIDE_LIBSQL ? [libsql(size, stretch)] : []),
    ]);
    const times = await interleave(subjects, { samples });
    for (const { close } of subjects) await close();
    const perStep = (name) => divide(times[name], stretch);
    lines.push(
      line({
        what: `durable step of 1 kB, filesystem, \`sync\`, after ${size.toLocaleString("en")} steps`,
        unit: "ms",
        ours: perStep("ours"),
        reference: perStep("raw"),
        referenceName: "append + fdatasync",
        peer: times.xstate ? perStep("xstate") : STOPPED,
        bar: "≤ 1.15 × raw",
        met: ({ reference }) => reference <= 1.15,
        readme: SHOWN.includes(size),
      }),
    );
    if (times.libsql) {
      lines.push(
        line({
          what: "the same, against a row inserted into libsql (WAL, `synchronous = FULL`; its call blocks the thread)",
          unit: "ms",
          ours: perStep("ours"),
          reference: perStep("libsql"),
          referenceName: "insert",
          readme: "the same, beside libsql (WAL, `synchronous = FULL`)",
        }),
      );
    }
  }
  return lines;
}

/** With the warm-up; each sample walks a stretch that is not timed, and one that is. */
const walks = (samples) => (samples + 1) * 2;

async function ours(prefix, samples, length) {
  const directory = newDirectory("ours");
  const walk = await openWalk(filesystemStore(directory), { prefix, stretches: walks(samples), length, durability: "sync" });
  return {
    name: "ours",
    run: () => timeTwice(() => walk.walk()),
    async close() {
      await walk.close();
      removeDirectory(directory);
    },
  };
}

async function raw(prefix, length) {
  const directory = newDirectory("raw");
  const file = appendFile(join(directory, "journal"));
  let appended = 0;
  const next = () => `${JSON.stringify({ step: appended, outputs: { data: payload(appended++) } })}\n`;
  for (let i = 0; i < prefix; i++) file.fill(next());
  await file.append(next());
  return {
    name: "raw",
    run: () =>
      timeTwice(async () => {
        for (let i = 0; i < length; i++) await file.append(next());
      }),
    close() {
      file.close();
      removeDirectory(directory);
    },
  };
}

async function libsql(prefix, length) {
  const directory = newDirectory("libsql");
  const table = openTable(join(directory, "steps.db"));
  let inserted = 0;
  const next = () => JSON.stringify({ step: inserted, outputs: { data: payload(inserted++) } });
  table.fill(Array.from({ length: prefix }, next));
  return {
    name: "libsql",
    run: () =>
      timeTwice(() => {
        for (let i = 0; i < length; i++) table.insert(next());
      }),
    close() {
      table.close();
      removeDirectory(directory);
    },
  };
}

async function xstateSubject(prefix, samples, length) {
  const directory = newDirectory("xstate");
  const file = replacedFile(join(directory, "snapshot"));
  const walk = await xstate.openWalk((snapshot) => file.replace(snapshot), { prefix, stretches: walks(samples), length });
  return {
    name: "xstate",
    run: () => timeTwice(() => walk.walk()),
    close() {
      walk.close();
      file.close();
      removeDirectory(directory);
    },
  };
}

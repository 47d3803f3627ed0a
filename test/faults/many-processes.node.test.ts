import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { seededChance } from "../support/seeded.ts";
import { openRunFolder, type RunFolder, type WorkerProcess } from "../support/worker-processes.ts";
import { findRepeated, findUnsteadyKeys } from "../support/witness.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const PROCESSES = IS_LONG ? 8 : 4;
const STORM_MS = IS_LONG ? 60_000 : 3_000;
/** Longest time between two blows, and that a process is stopped. */
const MOST_MS = IS_LONG ? 400 : 150;
/** More than can be done while they are stopped and killed. */
const SHAPE = { rounds: IS_LONG ? 60 : 9, parallel: 3, delayMs: 15 };

const chance = seededChance();
let built: BuiltProcess | undefined;
let folder: RunFolder | undefined;

beforeAll(async () => {
  built = await buildProcess(new URL("processes/worker.ts", import.meta.url));
}, 120_000);
afterAll(async () => {
  await folder?.remove();
  built?.remove();
});

const isGone = ({ child }: WorkerProcess): boolean => child.exitCode !== null || child.signalCode !== null;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test(`D8: ${PROCESSES} processes on one run, stopped, continued and killed for ${STORM_MS / 1000} s: no step has two records, none that was stored is done again`, async () => {
  folder = openRunFolder(SHAPE);
  const first = folder.spawn(built!.script);
  await folder.until((lines) => lines.some(({ type }) => type === "ready"), first);
  const all = [first, ...Array.from({ length: PROCESSES - 1 }, () => folder!.spawn(built!.script))];
  const blows = { SIGSTOP: 0, SIGKILL: 0 };
  const waking: Promise<void>[] = [];
  // Longer where chance has not drawn both kinds of blows by then.
  for (const end = performance.now() + STORM_MS; performance.now() < end || Math.min(blows.SIGSTOP, blows.SIGKILL) === 0;) {
    const place = chance.between(0, PROCESSES - 1);
    const hit = all[place]!;
    if (isGone(hit)) all[place] = folder.spawn(built!.script);
    else if (chance.between(0, 3) === 0) {
      hit.child.kill("SIGKILL");
      blows.SIGKILL += 1;
    } else {
      hit.child.kill("SIGSTOP");
      blows.SIGSTOP += 1;
      waking.push(pause(chance.between(0, MOST_MS)).then(() => void hit.child.kill("SIGCONT")));
    }
    await pause(chance.between(0, MOST_MS));
  }
  await Promise.all(waking);
  all.push(folder.spawn(built!.script));
  const ends = await Promise.all(all.map(({ gone }) => gone));
  const where = `WAVEPOINT_SEED=${chance.seed}: ${all.map((one) => one.errors()).join("")}`;
  expect(
    ends.filter((end) => end !== 0 && end !== "SIGKILL"),
    where,
  ).toEqual([]);

  const lines = folder.lines();
  // Throws where a step has two records.
  const { status, steps } = await folder.read();
  expect(status, where).toBe("completed");
  expect(steps.size, where).toBe(SHAPE.rounds * (SHAPE.parallel + 1) + Math.floor(SHAPE.rounds / 3) * (1 + 3));
  expect(findRepeated(lines), where).toEqual([]);
  expect(findUnsteadyKeys(lines), where).toEqual([]);
  if (IS_LONG) {
    process.stdout.write(`${PROCESSES} processes, ${JSON.stringify(blows)}, ${steps.size} steps; seed ${chance.seed}\n`);
  }
});

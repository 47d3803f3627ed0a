import { availableParallelism } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { seededChance } from "../support/seeded.ts";
import { canonicalStep, openRunFolder, type ReadRuns, type RunFolder } from "../support/worker-processes.ts";
import {
  countProgress,
  findLeftOpen,
  findMadeAgain,
  findOpenedAgain,
  findRepeated,
  findUnsteadyKeys,
  listSignalled,
  listStored,
} from "../support/witness.ts";

const KILLS = Number(process.env.WAVEPOINT_KILLS ?? (process.env.WAVEPOINT_LONG === undefined ? 6 : 5_000));
/** The database takes every commit as the files do; its own way to die is SQLite's. */
const DATABASE_KILLS = Math.max(3, Math.ceil(KILLS / 5));
/** Lines that a process writes between two kills: up to about one round. */
const MOST_LINES = 12;
const SHAPE = { rounds: 6, parallel: 2, items: 4, hasFeatures: true, delayMs: 6 };

type Scheme = Parameters<typeof openRunFolder>[1];

const chance = seededChance();
let built: BuiltProcess | undefined;
const folders: RunFolder[] = [];

beforeAll(async () => {
  built = await buildProcess(new URL("processes/worker.ts", import.meta.url));
}, 120_000);
afterAll(async () => {
  for (const folder of folders) await folder.remove();
  built?.remove();
});

async function unbroken(scheme: Scheme) {
  const quiet = openRunFolder(SHAPE, scheme);
  const worker = quiet.spawn(built!.script);
  expect(await worker.gone, worker.errors()).toBe(0);
  const runs = await quiet.read();
  expect(findLeftOpen(quiet.lines())).toEqual([]);
  await quiet.remove();
  expect(runs.status).toBe("completed");
  return endingOf(runs);
}

function endingOf({ outputs, steps, signals, files }: ReadRuns) {
  return { outputs, signals, files, steps: [...steps.values()].map(canonicalStep).toSorted() };
}

/** Nothing that was known to be stored is lost, changed, or done again. */
async function expectKept(folder: RunFolder, where: string): Promise<string> {
  const lines = folder.lines();
  expect(findRepeated(lines), where).toEqual([]);
  expect(findUnsteadyKeys(lines), where).toEqual([]);
  expect(findMadeAgain(lines), where).toEqual([]);
  expect(findOpenedAgain(lines), where).toEqual([]);
  const { status, steps, answers, signals } = await folder.read();
  const answered = lines.flatMap((line) => (line.type === "answered" ? [line.response] : []));
  expect(answers, where).toEqual(expect.arrayContaining(answered));
  expect(signals, where).toEqual(expect.arrayContaining([...listSignalled(lines)]));
  expect(new Set(signals).size, where).toBe(signals.length);
  const kept = [...steps].map(([name, { outputs }]) => `${name} ${String(outputs?.["proof"] ?? outputs?.["input_value"])}`);
  const lost = listStored(lines).filter((step) => !kept.includes(step));
  expect(lost, where).toEqual([]);
  return status;
}

test.each([
  ["in files", "file", KILLS],
  ["in a SQLite database", "sqlite", DATABASE_KILLS],
] as const)(
  "D1, D2: %s, what was stored is neither lost nor done again by kills at random moments, and the end is that of an unbroken run",
  async (_, scheme, most) => {
    const wanted = await unbroken(scheme);
    expect(wanted.steps.length).toBeGreaterThan(SHAPE.rounds * (SHAPE.parallel + SHAPE.items));
    let kills = 0;
    let stored = 0;
    let inFlight = 0;

    /** One run from its start to its end, through as many kills as it takes. */
    async function playRun(number: number): Promise<void> {
      const folder = openRunFolder(SHAPE, scheme);
      folders.push(folder);
      for (let over = false; !over;) {
        const where = `WAVEPOINT_SEED=${chance.seed}, run ${number}, kill ${kills}`;
        const worker = folder.spawn(built!.script);
        const enough = countProgress(folder.lines()) + chance.between(0, MOST_LINES);
        const isEnough = (): boolean => countProgress(folder.lines()) > enough || worker.child.exitCode !== null;
        if (kills < most) {
          await folder.until((lines) => isEnough() || lines.some(({ type }) => type === "finished"), worker);
          worker.child.kill("SIGKILL");
        }
        const end = await worker.gone;
        expect([0, "SIGKILL"], `${where}: ${worker.errors()}`).toContain(end);
        if (end === "SIGKILL") kills += 1;
        if (folder.lines().some(({ type }) => type === "ready")) over = (await expectKept(folder, where)) === "completed";
      }
      const lines = folder.lines();
      stored += listStored(lines).length;
      inFlight += lines.filter(({ type }) => type === "began").length - lines.filter(({ type }) => type === "ended").length;
      expect(endingOf(await folder.read()), `WAVEPOINT_SEED=${chance.seed}`).toEqual(wanted);
      expect(findLeftOpen(lines), `WAVEPOINT_SEED=${chance.seed}`).toEqual([]);
      await folder.remove();
    }

    let runs = 0;
    await Promise.all(
      Array.from({ length: availableParallelism() }, async () => {
        while (kills < most) await playRun((runs += 1));
      }),
    );
    // The witness saw something, and kills did hit blocks that were at work.
    expect(stored).toBeGreaterThan(most);
    expect(inFlight).toBeGreaterThan(0);
    if (process.env.WAVEPOINT_LONG !== undefined) {
      process.stdout.write(`${kills} kills of Node, ${stored} stored steps kept, ${inFlight} blocks killed at work; seed ${chance.seed}\n`);
    }
  },
);

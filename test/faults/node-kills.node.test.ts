import { availableParallelism } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { seededChance } from "../support/seeded.ts";
import { canonicalStep, openCamp, type Camp } from "../support/travel-camp.ts";
import { countProgress, findRepeated, findUnsteadyKeys, listStored } from "../support/witness.ts";

const KILLS = Number(process.env.WAVEPOINT_KILLS ?? (process.env.WAVEPOINT_LONG === undefined ? 20 : 5_000));
/** Lines that a process writes between two kills: up to about one leg. */
const MOST_LINES = 12;
const SHAPE = { legs: 9, porters: 2, crew: 4, delayMs: 6 };

const chance = seededChance();
let built: BuiltProcess | undefined;
const camps: Camp[] = [];

beforeAll(async () => {
  built = await buildProcess(new URL("processes/traveller.ts", import.meta.url));
}, 120_000);
afterAll(async () => {
  for (const camp of camps) await camp.remove();
  built?.remove();
});

async function unbroken() {
  const quiet = openCamp(SHAPE);
  const traveller = quiet.send(built!.script);
  expect(await traveller.gone, traveller.complaints()).toBe(0);
  const { status, outputs, steps } = await quiet.read();
  await quiet.remove();
  expect(status).toBe("completed");
  return { outputs, steps: [...steps.values()].map(canonicalStep).toSorted() };
}

/** Nothing that was known to be stored is lost, changed, or done again. */
async function expectKept(camp: Camp, where: string): Promise<string> {
  const lines = camp.lines();
  expect(findRepeated(lines), where).toEqual([]);
  expect(findUnsteadyKeys(lines), where).toEqual([]);
  const { status, steps } = await camp.read();
  const kept = [...steps].map(([name, { outputs }]) => `${name} ${String(outputs?.["proof"] ?? outputs?.["input_value"])}`);
  const lost = listStored(lines).filter((step) => !kept.includes(step));
  expect(lost, where).toEqual([]);
  return status;
}

test(`killed ${KILLS} times at random moments, what was stored is neither lost nor done again, and the end is that of an unbroken run`, async () => {
  const wanted = await unbroken();
  expect(wanted.steps.length).toBeGreaterThan(SHAPE.legs * (SHAPE.porters + SHAPE.crew));
  let kills = 0;
  let stored = 0;
  let inFlight = 0;

  /** One run from its start to its end, through as many kills as it takes. */
  async function travel(journey: number): Promise<void> {
    const camp = openCamp(SHAPE);
    camps.push(camp);
    for (let over = false; !over;) {
      const where = `WAVEPOINT_SEED=${chance.seed}, journey ${journey}, kill ${kills}`;
      const traveller = camp.send(built!.script);
      const enough = countProgress(camp.lines()) + chance.between(0, MOST_LINES);
      const isEnough = (): boolean => countProgress(camp.lines()) > enough || traveller.child.exitCode !== null;
      if (kills < KILLS) {
        await camp.until((lines) => isEnough() || lines.some(({ type }) => type === "finished"), traveller);
        traveller.child.kill("SIGKILL");
      }
      const end = await traveller.gone;
      expect([0, "SIGKILL"], `${where}: ${traveller.complaints()}`).toContain(end);
      if (end === "SIGKILL") kills += 1;
      if (camp.lines().some(({ type }) => type === "ready")) over = (await expectKept(camp, where)) === "completed";
    }
    const lines = camp.lines();
    stored += listStored(lines).length;
    inFlight += lines.filter(({ type }) => type === "began").length - lines.filter(({ type }) => type === "ended").length;
    const { outputs, steps } = await camp.read();
    expect({ outputs, steps: [...steps.values()].map(canonicalStep).toSorted() }, `WAVEPOINT_SEED=${chance.seed}`).toEqual(wanted);
    await camp.remove();
  }

  let journeys = 0;
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (kills < KILLS) await travel((journeys += 1));
    }),
  );
  // The witness saw something, and kills did hit blocks that were at work.
  expect(stored).toBeGreaterThan(KILLS);
  expect(inFlight).toBeGreaterThan(0);
  if (process.env.WAVEPOINT_LONG !== undefined) {
    process.stdout.write(`${kills} kills of Node, ${stored} stored steps kept, ${inFlight} blocks killed at work; seed ${chance.seed}\n`);
  }
});

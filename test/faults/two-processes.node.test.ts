import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { openRunFolder, type RunFolder, type WorkerProcess } from "../support/worker-processes.ts";
import { countBegun, findRepeated, type Testimony } from "../support/witness.ts";

const SHAPE = { rounds: 4, parallel: 3, delayMs: 50 };
const STEPS = { main: 4 * 4 + 1, called: 3 };
/** The longest time between two looks at a run in other hands is a second; that many looks tell that one waits. */
const REFUSALS = 4;

let built: BuiltProcess | undefined;
let folder: RunFolder;

beforeAll(async () => {
  built = await buildProcess(new URL("processes/worker.ts", import.meta.url));
}, 120_000);
afterAll(() => built?.remove());
beforeEach(() => {
  folder = openRunFolder(SHAPE);
});
afterEach(() => folder.remove());

const told = (lines: readonly Testimony[], by: string, type: Testimony["type"]) =>
  lines.filter((line) => line.by === by && line.type === type).length;

/** Whether a process has begun blocks that it has not ended. */
const isAtWork = (lines: readonly Testimony[], { by }: WorkerProcess): boolean => told(lines, by, "began") > told(lines, by, "ended") + 1;

/** Two processes on one run: the first is stopped where it stands, in the middle of a block, and the second waits for it. */
async function spawnTwo(): Promise<readonly [WorkerProcess, WorkerProcess]> {
  const first = folder.spawn(built!.script);
  await folder.until((lines) => told(lines, first.by, "ended") > 2, first);
  for (;;) {
    await folder.until((lines) => isAtWork(lines, first), first);
    first.child.kill("SIGSTOP");
    if (isAtWork(folder.lines(), first)) break;
    // Between that look and its stop it had ended them.
    first.child.kill("SIGCONT");
  }
  const second = folder.spawn(built!.script);
  await folder.until((lines) => told(lines, second.by, "refused") >= REFUSALS, second);
  expect(told(folder.lines(), second.by, "began")).toBe(0);
  return [first, second];
}

async function expectWholeOnce(): Promise<void> {
  const { status, steps } = await folder.read();
  expect(status).toBe("completed");
  expect(steps.size).toBe(STEPS.main + STEPS.called);
  expect([...steps.values()].filter((step) => step.status !== "completed")).toEqual([]);
  expect(findRepeated(folder.lines())).toEqual([]);
}

describe("D8: two processes on one run", () => {
  test("what a stopped process holds is left alone; once it is killed the other goes on, and only what was at work begins again", async () => {
    const [first, second] = await spawnTwo();
    first.child.kill("SIGKILL");
    expect(await second.gone, second.errors()).toBe(0);
    await expectWholeOnce();
    const lines = folder.lines();
    const twice = [...countBegun(lines)].filter(([, count]) => count > 1).map(([name]) => name);
    const cutOff = lines.flatMap((line) => (line.type === "began" && line.by === first.by ? [`${line.run}/${line.block}`] : []));
    expect(twice.length).toBeGreaterThan(0);
    expect(twice.length).toBeLessThanOrEqual(SHAPE.parallel);
    expect(cutOff).toEqual(expect.arrayContaining(twice));
  });

  test("when the stopped process continues it ends the run, no block begins twice, and the other learns the end", async () => {
    const [first, second] = await spawnTwo();
    first.child.kill("SIGCONT");
    expect(await Promise.all([first.gone, second.gone]), first.errors() + second.errors()).toEqual([0, 0]);
    await expectWholeOnce();
    expect(Math.max(...countBegun(folder.lines()).values())).toBe(1);
  });

  test("both at full speed from the start: each block has one record, and none begins twice", async () => {
    const first = folder.spawn(built!.script);
    await folder.until((lines) => told(lines, first.by, "ready") > 0, first);
    const others = [folder.spawn(built!.script), folder.spawn(built!.script)];
    expect(await Promise.all([first, ...others].map(({ gone }) => gone)), others.map((one) => one.errors()).join("")).toEqual([0, 0, 0]);
    await expectWholeOnce();
    expect(Math.max(...countBegun(folder.lines()).values())).toBe(1);
  });
});

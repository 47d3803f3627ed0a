import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { openCamp, type Camp, type Traveller } from "../support/travel-camp.ts";
import { countBegun, findRepeated, type Testimony } from "../support/witness.ts";

const SHAPE = { legs: 4, porters: 3, delayMs: 15 };
const STEPS = { main: 4 * 4 + 1, called: 3 };
/** The longest time between two looks at a run in other hands is a second; that many looks tell that one waits. */
const REFUSALS = 4;

let built: BuiltProcess | undefined;
let camp: Camp;

beforeAll(async () => {
  built = await buildProcess(new URL("processes/traveller.ts", import.meta.url));
}, 120_000);
afterAll(() => built?.remove());
beforeEach(() => {
  camp = openCamp(SHAPE);
});
afterEach(() => camp.remove());

const told = (lines: readonly Testimony[], by: string, type: Testimony["type"]) =>
  lines.filter((line) => line.by === by && line.type === type).length;

/** Two processes on one run: the first is stopped where it stands, in the middle of a block, and the second waits for it. */
async function sendTwo(): Promise<readonly [Traveller, Traveller]> {
  const first = camp.send(built!.script);
  await camp.until(
    (lines) => told(lines, first.by, "began") > told(lines, first.by, "ended") + 1 && told(lines, first.by, "ended") > 2,
    first,
  );
  first.child.kill("SIGSTOP");
  const second = camp.send(built!.script);
  await camp.until((lines) => told(lines, second.by, "refused") >= REFUSALS, second);
  expect(told(camp.lines(), second.by, "began")).toBe(0);
  return [first, second];
}

async function expectWholeOnce(): Promise<void> {
  const { status, steps } = await camp.read();
  expect(status).toBe("completed");
  expect(steps.size).toBe(STEPS.main + STEPS.called);
  expect([...steps.values()].filter((step) => step.status !== "completed")).toEqual([]);
  expect(findRepeated(camp.lines())).toEqual([]);
}

describe("two processes on one run", () => {
  test("what a stopped process holds is left alone; once it is killed the other goes on, and only what was at work begins again", async () => {
    const [first, second] = await sendTwo();
    first.child.kill("SIGKILL");
    expect(await second.gone, second.complaints()).toBe(0);
    await expectWholeOnce();
    const lines = camp.lines();
    const twice = [...countBegun(lines)].filter(([, count]) => count > 1).map(([name]) => name);
    const cutOff = lines.flatMap((line) => (line.type === "began" && line.by === first.by ? [`${line.run}/${line.block}`] : []));
    expect(twice.length).toBeGreaterThan(0);
    expect(twice.length).toBeLessThanOrEqual(SHAPE.porters);
    expect(cutOff).toEqual(expect.arrayContaining(twice));
  });

  test("when the stopped process continues it ends the run, no block begins twice, and the other learns the end", async () => {
    const [first, second] = await sendTwo();
    first.child.kill("SIGCONT");
    expect(await Promise.all([first.gone, second.gone]), first.complaints() + second.complaints()).toEqual([0, 0]);
    await expectWholeOnce();
    expect(Math.max(...countBegun(camp.lines()).values())).toBe(1);
  });

  test("both at full speed from the start: each block has one record, and none begins twice", async () => {
    const first = camp.send(built!.script);
    await camp.until((lines) => told(lines, first.by, "ready") > 0, first);
    const others = [camp.send(built!.script), camp.send(built!.script)];
    expect(await Promise.all([first, ...others].map(({ gone }) => gone)), others.map((one) => one.complaints()).join("")).toEqual([
      0, 0, 0,
    ]);
    await expectWholeOnce();
    expect(Math.max(...countBegun(camp.lines()).values())).toBe(1);
  });
});

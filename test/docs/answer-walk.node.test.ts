import { readFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { ROOT } from "../package/source-files.ts";
import { namesIn, rowsBelow } from "./table-names.ts";

// The page about the design walks through the functions that an answer passes. They have to be there, short, and call one another as it says.
const MAX_STEPS = 12;
const MAX_ROOMS = 6;
const MAX_LINES = 60;

const walk = rowsBelow("docs/design.md", "The walk of an answer").map(([place]) => {
  const [file, name] = namesIn(place!.replace("#", "")) as [string, string];
  return { file, name, lines: bodyOf(file, name) };
});

/** The lines of a function or method of the core. */
function bodyOf(file: string, name: string): readonly string[] {
  const lines = readFileSync(`${ROOT}src/core/${file}`, "utf8").split("\n");
  const begin = lines.findIndex((line) => new RegExp(`^( {2})?(export )?(async )?(function )?#?${name}(<.*>)?\\(`).test(line));
  if (begin < 0) throw new Error(`src/core/${file} has no function ${name}.`);
  const indent = /^ */.exec(lines[begin]!)![0];
  return lines.slice(begin, lines.indexOf(`${indent}}`, begin) + 1);
}

test("an answer passes few functions in few rooms", () => {
  expect(walk.length).toBeGreaterThan(8);
  expect(walk.length).toBeLessThanOrEqual(MAX_STEPS);
  expect(new Set(walk.map(({ file }) => file.split("/")[0])).size).toBeLessThanOrEqual(MAX_ROOMS);
});

test.each(walk)("$name can be read at a glance", ({ lines }) => {
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
});

test.each(walk.slice(1).map((step, i) => ({ name: step.name, before: walk[i]! })))("$before.name calls $name", ({ name, before }) => {
  expect(before.lines.slice(1).join("\n")).toMatch(new RegExp(`\\b${name}\\(`));
});

/**
 * How often V8 entered each function of the walk while `work` was done. An `async` function is entered again behind each `await`, so that only the
 * others are counted.
 */
async function countCalls(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  // Counting begins anew with each look.
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const counted = walk.filter(({ lines }) => !/\basync\b/.test(lines[0]!));
  return Object.fromEntries(counted.map(({ file, name }) => [name, callsOf(result, file, name)]));
}

function callsOf(scripts: readonly Profiler.ScriptCoverage[], file: string, name: string): number {
  const functions = scripts.filter(({ url }) => url.endsWith(`/src/core/${file}`)).flatMap((script) => script.functions);
  const calls = functions.filter(({ functionName }) => functionName === name).map(({ ranges }) => ranges[0]!.count);
  return calls.reduce((sum, count) => sum + count, 0);
}

test("one answer calls each of them once, and the last one for each entry", async () => {
  const blocks = [{ id: "name", type: "Prompt", inputs: { prompt: "Your name?" } }];
  const executor = createExecutor({ store: memoryStore(), workflows: [{ name: "hello", blocks }] });
  const run = await executor.start("hello");
  const { pauses } = await run.settled();
  const calls = await countCalls(() => run.answer(pauses![0]!.id, "Ada"));
  expect(run.getSnapshot().status).toBe("completed");
  // That it was answered, that the block is done, and that the run is.
  const entries = 3;
  expect(calls).toEqual({ drive: 1, launch: 1, executeUnit: 1, conclude: 1, recordCompletion: 1, recordEnd: 1, record: entries });
  await executor.close();
});

import { expect, test } from "vitest";
import type { OutputEvent } from "wavepoint";
import { outputLines } from "../../../src/node/cli/output-lines.ts";

const said = (text: string, more: Partial<OutputEvent> = {}): OutputEvent => ({
  type: "output",
  run: "run_1",
  block: "build",
  stream: "stdout",
  text,
  ...more,
});

function collect(...events: readonly OutputEvent[]): readonly string[] {
  const lines = outputLines();
  const told: string[] = [];
  lines.listen(({ block, text }) => told.push(`${block}: ${text}`));
  for (const event of events) lines.take(event);
  lines.flush();
  return told;
}

test("pieces become lines, with every kind of line end", () => {
  expect(collect(said("a"), said("b\r"), said("\nc\n\nd\re"))).toEqual(["build: ab", "build: c", "build: d", "build: e"]);
});

test("the streams and blocks of runs do not mix", () => {
  const events = [said("out "), said("err ", { stream: "stderr" }), said("test ", { block: "test" }), said("child ", { run: "run_2" })];
  expect(collect(...events, ...events.map((event) => ({ ...event, text: "end\n" })))).toEqual([
    "build: out end",
    "build: err end",
    "test: test end",
    "build: child end",
  ]);
});

test("a line that does not end is cut", () => {
  const told = collect(said("x".repeat(2_500)), said("y\n"));
  expect(told.map((line) => line.length - "build: ".length)).toEqual([2_500, 1]);
});

test("what came before anybody listened is not lost", () => {
  const lines = outputLines();
  lines.take(said("early\n"));
  const told: string[] = [];
  lines.listen(({ text }) => told.push(text));
  expect(told).toEqual(["early"]);
});

import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { WorkflowError } from "../../../src/core/model/errors.ts";
import { moved, MOVES, type Standing } from "../../../src/core/runner/standing.ts";

type Place = Standing["at"];

const places = Object.keys(MOVES) as Place[];
const moves = places.flatMap((from) => Object.entries(MOVES[from]).map(([to, why]) => ({ from, to: to as Place, why })));

function standing(at: Place): Standing {
  const error = new WorkflowError("STORE_CONFLICT", "Another runner was first.");
  return { at, error, abort: new AbortController(), stop: () => {} } as Standing;
}

test("a runner moves along the table, and nowhere else", () => {
  for (const from of places) {
    for (const to of places) {
      const move = (): Standing => moved(standing(from), standing(to));
      if (MOVES[from][to] === undefined) expect(move).toThrow(`is ${from} cannot become ${to}`);
      else expect(move().at).toBe(to);
    }
  }
});

test("it gets everywhere, can be closed everywhere, and stays closed", () => {
  const reached = new Set<Place>(["idle"]);
  for (const place of reached) for (const to of Object.keys(MOVES[place])) reached.add(to as Place);
  expect([...reached].toSorted()).toEqual(places.toSorted());
  expect(places.filter((place) => MOVES[place].closed === undefined)).toEqual(["closed"]);
  expect(MOVES.closed).toEqual({});
});

test("executing begins with the lock, and ends fenced only where another runner may have taken it", () => {
  const into = (place: Place): string[] => moves.filter(({ to }) => to === place).map(({ from }) => from);
  expect(into("executing")).toEqual(["claiming"]);
  expect(into("fenced")).toEqual(["claiming", "executing"]);
});

/** Renew the drawing with UPDATE_DRAWINGS=1. */
test("the drawing in the docs is that of the table", () => {
  const file = new URL("../../../docs/design.md", import.meta.url);
  const lines = moves.map(({ from, to, why }) => `  ${from} --> ${to}: ${why}`);
  const drawing = ["```mermaid", "stateDiagram-v2", "  [*] --> idle", ...lines, "```"].join("\n");
  const text = readFileSync(file, "utf8");
  const drawn = text.replace(/(?<=<!-- runner:start -->\n)[^]*(?=<!-- runner:end -->)/, `\n${drawing}\n\n`);
  if (process.env["UPDATE_DRAWINGS"]) writeFileSync(file, drawn);
  else expect(drawn).toBe(text);
});

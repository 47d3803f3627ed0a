import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const TESTS = new URL("..", import.meta.url);

const lines = readFileSync(new URL("seeds.md", TESTS), "utf8").split("\n");

/** The rows of the table of requirements: id, what is asked for, what shows it. */
const rows = lines
  .filter((line) => /^\| S\d/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, id = "", requirement = "", shown = ""]) => ({ id, requirement, shown }));

/** What the head says of each document: its number, and how many rows it has, shown, different and open ones. */
const counts = lines.filter((line) => /^\| \d/.test(line)).map((line) => line.split("|").slice(1, -1).map(Number));

/** The file that a row names, and what of it. */
function placeOf(shown: string): { readonly path: string; readonly name: string } | undefined {
  const [, path, name] = /^`([^`]+)`: (.+)$/.exec(shown) ?? [];
  return path === undefined || name === undefined ? undefined : { path, name };
}

describe("the requirements of the specifications", () => {
  test("are all read, each once, and each says what shows it", () => {
    expect(rows.length).toBeGreaterThan(300);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.filter(({ shown }) => !placeOf(shown) && !/^(?:Different: .|Open: issue \d+, .)/.test(shown))).toEqual([]);
  });

  test("are numbered without a gap, and counted", () => {
    expect(counts.map(([document]) => document)).toEqual([1, 2, 3, 4, 5]);
    for (const [document, ...expected] of counts) {
      const own = rows.filter(({ id }) => id.startsWith(`S${document!}.`));
      expect(own.map(({ id }) => id)).toEqual(own.map((_, i) => `S${document!}.${i + 1}`));
      const [different, open] = ["Different", "Open"].map((word) => own.filter(({ shown }) => shown.startsWith(word)).length) as [
        number,
        number,
      ];
      expect([document, own.length, own.length - different - open, different, open]).toEqual([document, ...expected]);
    }
  });

  test("name tests that there are", () => {
    const wrong = rows.filter(({ shown }) => {
      const place = placeOf(shown);
      return place && !(existsSync(new URL(place.path, TESTS)) && readFileSync(new URL(place.path, TESTS), "utf8").includes(place.name));
    });
    expect(wrong).toEqual([]);
  });

  test("that are different name files that there are", () => {
    const named = rows
      .filter(({ shown }) => shown.startsWith("Different"))
      .flatMap(({ shown }) => /`([^`]+\.test\.ts)`/.exec(shown)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(new URL(path, TESTS)))).toEqual([]);
  });
});

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const TESTS = new URL("..", import.meta.url);

/** The rows of the table of requirements: id, what is asked for, what shows it. */
const rows = readFileSync(new URL("seeds.md", TESTS), "utf8")
  .split("\n")
  .filter((line) => /^\| S\d/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, id = "", requirement = "", shown = ""]) => ({ id, requirement, shown }));

/** The file that a row names, and what of it. */
function placeOf(shown: string): { readonly path: string; readonly name: string } | undefined {
  const [, path, name] = /^`([^`]+)`: (.+)$/.exec(shown) ?? [];
  return path === undefined || name === undefined ? undefined : { path, name };
}

describe("the requirements of the specifications", () => {
  test("are all read, each once, and each says what shows it", () => {
    expect(rows.length).toBeGreaterThan(300);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.filter(({ shown }) => !placeOf(shown) && !/^(?:Different|Open): ./.test(shown))).toEqual([]);
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

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTEXTS } from "./contexts.ts";
import { HOSTILE_VALUES } from "./hostile-values.ts";
import { SHELLS, writeWith } from "./run-in-shell.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;

let cwd = "";

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "wavepoint-shell-"));
});
afterAll(async () => {
  await rm(cwd, { recursive: true });
});

/** What a command must write: substitutions, and values outside of quotation marks, lose line ends at their end. */
function expected(value: string, exact: boolean): string {
  return exact ? value : value.replace(/(?:\r?\n)+$/, "");
}

test("there are shells to try", () => {
  expect(SHELLS.length).toBeGreaterThan(0);
});

/** Each place meets one in three of the values in each shell, in turn; in the long tier all of them. */
function valuesFor(turn: number): readonly string[] {
  return IS_LONG ? HOSTILE_VALUES : HOSTILE_VALUES.filter((_, at) => at % 3 === turn % 3);
}

describe.each(SHELLS.map((shell, turn) => [shell.join(" "), shell, turn] as const))("%s", (_, shell, turn) => {
  test.each(CONTEXTS)("hands values over as data: $command", async (context) => {
    const { command, exact = true } = context;
    const values = valuesFor(CONTEXTS.indexOf(context) + turn);
    const written = await writeWith(shell, command, { values, cwd });
    expect(written).toEqual(values.map((value) => expected(value, exact)));
    expect(await readdir(cwd)).toEqual([]);
  });
});

const fragments = [
  "'",
  '"',
  "`",
  "\\",
  "$(",
  ")",
  "${",
  "}",
  ";",
  "\n",
  "|",
  "&",
  "#",
  " touch PWNED ",
  "EOF",
  "*",
  "-",
  "[",
  "]",
  "a",
  "é",
];

test("S5: no value gets out of any place", async () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 12 })
    .map((texts) => texts.join("").replaceAll("\0", ""));
  const values = fc.array(text, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...CONTEXTS), fc.constantFrom(...SHELLS), values, async ({ command, exact = true }, shell, texts) => {
      expect(await writeWith(shell, command, { values: texts, cwd })).toEqual(texts.map((text) => expected(text, exact)));
      expect(await readdir(cwd)).toEqual([]);
    }),
    { numRuns: IS_LONG ? 5_000 : 60 },
  );
});

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The work takes seconds; an expression that backtracks takes hours. */
const HANG_MS = 100_000;

test(
  "S1, S8: no regular expression of the package goes over a text again and again",
  () => {
    const script = fileURLToPath(new URL("./regular-expressions.mjs", import.meta.url));
    const { stdout, stderr, signal, status } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: HANG_MS });
    const lines = stdout.trim().split("\n");
    expect({ signal, status, stderr, last: signal === null ? "" : lines.at(-1) }).toEqual({
      signal: null,
      status: 0,
      stderr: "",
      last: "",
    });
    expect(Number(/^(\d+) expressions$/.exec(lines.at(-1)!)?.[1])).toBeGreaterThan(100);
  },
  HANG_MS + 10_000,
);

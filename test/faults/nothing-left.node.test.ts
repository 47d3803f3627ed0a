import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";

/** A process that something keeps from ending is ended, and the test fails. The blocks at work would take a minute. */
const PATIENCE_MS = 40_000;

let built: BuiltProcess | undefined;
const root = mkdtempSync(join(tmpdir(), "wavepoint-leaver-"));

beforeAll(async () => {
  built = await buildProcess(new URL("processes/leaver.ts", import.meta.url));
}, 120_000);
afterAll(() => {
  built?.remove();
  rmSync(root, { recursive: true, force: true });
});

async function leave(
  way: string,
): Promise<{ readonly resources: readonly string[]; readonly listeners: readonly string[]; readonly files: readonly string[] }> {
  const args = [built!.script, join(root, way.replaceAll(" ", "-")), way];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: PATIENCE_MS });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Awaited<ReturnType<typeof leave>>;
}

describe("D20: a process that closed its executor and its store ends by itself and leaves no handle, timer, listener, lock or temporary file", () => {
  test.each([
    "read only",
    "finished",
    "paused",
    "tidied",
    "moved",
    "encrypted",
    "cancelled",
    "closed at work",
    "waiting for others",
    "asleep",
    "timed",
  ])("%s", async (way) => {
    expect(await leave(way)).toEqual({ resources: [], listeners: [], files: [] });
  });
});

test("one that did not close them is found out", async () => {
  const { resources, files } = await leave("not closed");
  expect(resources).toContain("Timeout");
  expect(files.length).toBeGreaterThan(0);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { damaged } from "../../../src/store/filesystem/failure.ts";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";
import { lookSteadily } from "../../../src/store/filesystem/steady.ts";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";
import { runPath } from "./run-path.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function look(changes: number): { readonly outcome: () => string; readonly looks: () => number } {
  let looks = 0;
  return {
    looks: () => looks,
    outcome: () =>
      lookSteadily(realDisk, directory, () => {
        looks += 1;
        if (looks <= changes) writeFileSync(join(directory, "file"), "x".repeat(looks));
        if (looks <= changes || changes === 0) throw damaged("run_a", "it does not fit");
        return "whole";
      }),
  };
}

test("what does not fit while files change is looked at again until they stand still", () => {
  const { outcome, looks } = look(5);
  expect(outcome()).toBe("whole");
  expect(looks()).toBe(6);
});

test("what does not fit though nothing changed is damage", () => {
  const { outcome, looks } = look(0);
  expect(outcome).toThrow("it does not fit");
  expect(looks()).toBe(2);
});

test("files that never stand still are given up", () => {
  const { outcome, looks } = look(1000);
  expect(outcome).toThrow("it does not fit");
  expect(looks()).toBeLessThan(100);
});

test("other failures are not tried again", () => {
  let looks = 0;
  const failing = (): never => {
    looks += 1;
    throw new RangeError("no");
  };
  expect(() => lookSteadily(realDisk, directory, failing)).toThrow("no");
  expect(looks).toBe(1);
});

test("a run whose directory goes away while its reader looks is a run that is not there", async () => {
  const [one, two] = [filesystemStore(directory), filesystemStore(directory)];
  await runWriter(one, "run_a").commit(["{}"]);
  expect(await two.read("run_a")).toEqual(["{}"]);
  rmSync(runPath(directory, "run_a"), { recursive: true });
  expect([await one.read("run_a"), await two.read("run_a")]).toEqual([[], []]);
  await one.close();
  await two.close();
});

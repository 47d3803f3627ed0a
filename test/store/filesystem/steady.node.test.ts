import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Disk } from "../../../src/core/ports/disk.ts";
import type { Store } from "../../../src/core/ports/store.ts";
import { damaged } from "../../../src/store/filesystem/failure.ts";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";
import { lookSteadily } from "../../../src/store/filesystem/steady.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";
import { runPath } from "./run-path.ts";
import { unsyncedDisk } from "./unsynced-disk.ts";

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

test.each([1, 10, 1000])(
  "D8: a writer learns that others took the run and merged its files, where times count in steps of %d ms",
  async (step) => {
    const facts: Disk["facts"] = (target) => {
      const found = realDisk.facts(target);
      return found && { ...found, changedAt: Math.floor(found.changedAt / step) * step };
    };
    const open = (): Store => openFilesystemStore(directory, { ...unsyncedDisk, facts }, () => {});
    const first = open();
    const writer = runWriter(first, "run_a");
    await writer.commit(['{"n":0}']);
    await writer.commit(['{"n":1}']);
    const others = ['{"n":2}', '{"n":3}', '{"n":4}', '{"n":5}', '{"n":6}'];
    for (const entry of others) {
      const other = open();
      await runWriter(other, "run_a", await other.head("run_a")).commit([entry]);
    }
    await expect(writer.commit(['{"late":1}'])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    expect(await first.read("run_a")).toEqual(['{"n":0}', '{"n":1}', ...others]);
    await first.close();
  },
);

test("a run whose directory goes away while its reader looks is a run that is not there", async () => {
  const [one, two] = [filesystemStore(directory), filesystemStore(directory)];
  await runWriter(one, "run_a").commit(["{}"]);
  expect(await two.read("run_a")).toEqual(["{}"]);
  rmSync(runPath(directory, "run_a"), { recursive: true });
  expect([await one.read("run_a"), await two.read("run_a")]).toEqual([[], []]);
  await one.close();
  await two.close();
});

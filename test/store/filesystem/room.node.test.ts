import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { crashDisk, runWriter } from "wavepoint/testing";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { runPath } from "./run-path.ts";

let directory: string;
let warnings: string[];

function open(path = directory): Store {
  return filesystemStore(path, { onWarning: (message) => warnings.push(message) });
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  warnings = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

const journal = (): Buffer => readFileSync(runPath(directory, "run_a", "0.jsonl"));
const text = (number: number): string => JSON.stringify({ number, text: "x".repeat(500) });

async function commits(store: Store, count: number): Promise<ReturnType<typeof runWriter>> {
  const writer = runWriter(store, "run_a", await store.head("run_a"));
  for (let number = 0; number < count; number += 1) await writer.commit([text(number)]);
  return writer;
}

test("a run that is written to often has room behind its last commit, until it rests", async () => {
  const store = open();
  const writer = await commits(store, 30);
  const whole = journal();
  expect(whole.at(-1)).toBe(0);
  await writer.commit([text(30)]);
  expect(journal().length).toBe(whole.length);
  await writer.commit([], { head: { status: "paused" } });
  await new Promise(setImmediate);
  expect(journal().at(-1)).toBe(10);
  await writer.commit([text(31)], { head: { status: "running" } });
  expect(journal().at(-1)).toBe(10);
  expect(await store.read("run_a")).toHaveLength(32);
  await store.close();
});

test("a store that closes leaves no room behind", async () => {
  const store = open();
  await commits(store, 30);
  expect(journal().at(-1)).toBe(0);
  await store.close();
  expect(journal().at(-1)).toBe(10);
  const again = open();
  expect(await again.read("run_a")).toHaveLength(30);
  await again.close();
  expect(warnings).toEqual([]);
});

test("a run whose process died is read and gone on with in spite of its room", async () => {
  const store = open();
  await commits(store, 30);
  const died = mkdtempSync(join(tmpdir(), "wavepoint-"));
  cpSync(directory, died, { recursive: true });
  await store.close();
  const other = open(died);
  expect(await other.read("run_a")).toHaveLength(30);
  expect((await other.runs()).items).toMatchObject([{ id: "run_a", entries: 30 }]);
  await commits(other, 20);
  expect(await other.read("run_a")).toEqual([...Array(30).keys(), ...Array(20).keys()].map(text));
  await other.close();
  expect(warnings).toEqual([]);
  rmSync(died, { recursive: true });
});

test("a reader in another store sees each commit into the room", async () => {
  const store = open();
  const writer = await commits(store, 30);
  const reader = open();
  for (let number = 30; number < 60; number += 1) {
    await writer.commit([text(number)]);
    expect((await reader.head("run_a"))?.entries).toBe(number + 1);
    expect(await reader.read("run_a", { from: number })).toEqual([text(number)]);
  }
  await reader.close();
  await store.close();
});

test("a few large commits are given no room", async () => {
  const store = open();
  const writer = runWriter(store, "run_a");
  for (let number = 0; number < 20; number += 1) await writer.commit(["x".repeat(20_000)]);
  expect(journal().at(-1)).toBe(10);
  await store.close();
});

test("D2: a power cut may leave any part of the room and of the commits into it: what was acknowledged is there, and the run goes on", async () => {
  const disk = crashDisk();
  let acknowledged = 0;
  const states: { readonly left: ReturnType<typeof crashDisk>; readonly least: number }[] = [];
  const look = (): void => {
    // The first commits have no room.
    if (acknowledged < 7) return;
    for (const { restore } of disk.states({ names: 0, files: 0, sectorBytes: 4096, sectors: 2 }))
      states.push({ left: restore(), least: acknowledged });
  };
  const watched = Object.assign(Object.create(disk) as typeof disk, {
    async sync(file: number) {
      look();
      await disk.sync(file);
    },
  });
  const store = openFilesystemStore("/data", watched, (message) => warnings.push(message));
  const writer = runWriter(store, "run_a");
  for (; acknowledged < 12; acknowledged += 1) await writer.commit([text(acknowledged)]);
  look();
  expect(states.length).toBeGreaterThan(50);
  for (const { left, least } of states) {
    const after = openFilesystemStore("/data", left, () => {});
    const entries = await after.read("run_a");
    expect(entries).toEqual(Array.from({ length: entries.length }, (_, number) => text(number)));
    expect([least, least + 1]).toContain(entries.length);
    await runWriter(after, "run_a", await after.head("run_a")).commit(["next"]);
    const again = openFilesystemStore("/data", left.powerCut(), () => {});
    expect(await again.read("run_a")).toEqual([...entries, "next"]);
  }
}, 60_000);

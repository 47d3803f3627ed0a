import { expect, test } from "vitest";
import { crashDisk } from "wavepoint/testing";
import type { CrashDisk, Disk } from "wavepoint/testing";

function write(disk: Disk, path: string, text: string): number {
  const file = disk.open(path, "create");
  disk.write(file, new TextEncoder().encode(text), 0, 0);
  return file;
}

function read(disk: Disk, path: string): string {
  const file = disk.open(path, "read");
  const bytes = new Uint8Array(disk.facts(file)!.sizeBytes);
  disk.read(file, bytes, 0, 0);
  disk.close(file);
  return new TextDecoder().decode(bytes);
}

/** What each state after a power cut holds, a file a line. */
function outcomes(disk: CrashDisk, bounds?: Parameters<CrashDisk["states"]>[0]): string[] {
  return [...disk.states(bounds)].map(({ restore }) => {
    const left = restore();
    return left
      .list("/")
      .toSorted()
      .map((name) => `${name}=${read(left, `/${name}`)}`)
      .join(" ");
  });
}

test("a file whose name was synced and whose bytes were not may hold any part of them", async () => {
  const disk = crashDisk();
  write(disk, "/a", "abcd");
  await disk.syncDirectory("/");
  expect(outcomes(disk, { sectorBytes: 2 }).toSorted()).toEqual([
    "a=",
    "a=\0\0\0\0",
    "a=\0\0cd",
    "a=a",
    "a=ab",
    "a=ab\0\0",
    "a=abc",
    "a=abcd",
  ]);
});

test("what was synced, name and bytes, is there in every state", async () => {
  const disk = crashDisk();
  await disk.sync(write(disk, "/a", "kept"));
  await disk.syncDirectory("/");
  expect(outcomes(disk)).toEqual(["a=kept"]);
  expect(read(disk.powerCut(), "/a")).toBe("kept");
});

test("names that were not synced are there or not, each for itself", async () => {
  const disk = crashDisk();
  for (const name of ["a", "b"]) await disk.sync(write(disk, `/${name}`, name));
  expect(outcomes(disk).toSorted()).toEqual(["", "a=a", "a=a b=b", "b=b"]);
  expect(outcomes(disk, { names: 1 }).toSorted()).toEqual(["", "a=a", "a=a b=b", "b=b"]);
  expect(outcomes(disk, { names: 0 }).toSorted()).toEqual(["", "a=a b=b"]);
});

test("a move is there as a whole or not at all, and takes the place of what had the name", async () => {
  const disk = crashDisk();
  await disk.sync(write(disk, "/a", "old"));
  await disk.sync(write(disk, "/b", "new"));
  await disk.syncDirectory("/");
  disk.rename("/b", "/a");
  expect(outcomes(disk).toSorted()).toEqual(["a=new", "a=old b=new"]);
});

test("what is removed may come back until its directory is synced", async () => {
  const disk = crashDisk();
  disk.makeDirectory("/d/e");
  await disk.sync(write(disk, "/d/e/f", "x"));
  for (const directory of ["/", "/d", "/d/e"]) await disk.syncDirectory(directory);
  disk.remove("/d");
  expect(disk.facts("/d")).toBeUndefined();
  expect(read(disk.powerCut(), "/d/e/f")).toBe("x");
  await disk.syncDirectory("/");
  expect(disk.powerCut().list("/")).toEqual([]);
});

test("a process that is killed changes nothing more, and another one goes on", async () => {
  const disk = crashDisk();
  const killed = disk.killedAt(2);
  write(killed, "/a", "x");
  expect(() => killed.remove("/a")).toThrow("killed");
  await expect(killed.syncDirectory("/")).rejects.toThrow("killed");
  expect(read(disk, "/a")).toBe("x");
});

test("failures have the codes of Node", () => {
  const disk = crashDisk();
  disk.makeDirectory("/d");
  disk.close(write(disk, "/a", "x"));
  expect(() => disk.open("/b", "read")).toThrow(expect.objectContaining({ code: "ENOENT" }));
  expect(() => disk.open("/a", "create")).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect(() => disk.link("/a", "/d")).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect(() => disk.list("/a")).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
  expect(() => disk.read(99, new Uint8Array(1), 0, 0)).toThrow(expect.objectContaining({ code: "EBADF" }));
});

import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { CheckpointRow } from "../../../src/core/model/checkpoint.ts";
import type { RunHead } from "../../../src/core/model/run.ts";
import type { Note } from "../../../src/core/ports/store.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { crashDisk } from "wavepoint/testing";
import type { CrashDisk } from "wavepoint/testing";

const GOLDEN = fileURLToPath(new URL("golden/", import.meta.url));

/** A run after one of its commits. */
export interface GoldenVersion {
  readonly head: RunHead;
  readonly entries: readonly string[];
  readonly checkpoints: readonly CheckpointRow[];
}

/** What the golden store holds: every version of its runs, the newest last. */
export interface GoldenExpected {
  readonly runs: { readonly [run: string]: readonly GoldenVersion[] };
  readonly notes: { readonly [run: string]: readonly Note[] };
  readonly blobs: { readonly [hash: string]: string | readonly number[] };
}

/** What the store in `golden/` was when it was written, by the first version of the form of its files. Neither is ever changed. */
export const goldenExpected: GoldenExpected = JSON.parse(readFileSync(join(GOLDEN, "expected.json"), "utf8")) as GoldenExpected;

/** The files of the golden store, by their path in it. */
export const goldenFiles: ReadonlyMap<string, Uint8Array> = new Map(
  readdirSync(join(GOLDEN, "store"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(join(GOLDEN, "store"), path).split(sep).join("/"), new Uint8Array(readFileSync(path))]),
);

/** A disk in memory with these files. */
export function diskWith(files: ReadonlyMap<string, Uint8Array>): CrashDisk {
  const disk = crashDisk();
  for (const [path, bytes] of files) {
    const whole = `/store/${path}`;
    disk.makeDirectory(whole.slice(0, whole.lastIndexOf("/")));
    const file = disk.open(whole, "create");
    disk.write(file, bytes, 0, 0);
    disk.close(file);
  }
  return disk;
}

/** A store over such a disk, and what it warned of. */
export function openOn(disk: CrashDisk): { readonly store: ReturnType<typeof openFilesystemStore>; readonly warnings: string[] } {
  const warnings: string[] = [];
  return { store: openFilesystemStore("/store", disk, (message) => warnings.push(message)), warnings };
}

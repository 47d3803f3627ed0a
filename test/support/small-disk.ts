import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk in memory that is soon full. */
export interface SmallDisk {
  readonly path: string;
  /** Makes it larger. */
  grow(mebibytes: number): void;
  /** Throws while a process has something open there, unless that is known: then the disk goes with the last of it. */
  remove(isHeld?: boolean): void;
}

const SUCCESS = 0;
const UNMOUNT_TRIES = 50;

function mount(...args: readonly string[]): boolean {
  return spawnSync("mount", args).status === SUCCESS;
}

/** Whether disks can be made here: on Linux, by root, where nothing forbids it. */
export const hasSmallDisks: boolean = canMount();

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const path = mkdtempSync(join(tmpdir(), "wavepoint-disk-"));
  const can = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", path) && spawnSync("umount", [path]).status === SUCCESS;
  rmdirSync(path);
  return can;
}

/** Makes one. Only where {@link hasSmallDisks}. */
export function smallDisk(mebibytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "wavepoint-disk-"));
  if (!mount("-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path)) throw new Error("The disk was not mounted.");
  return {
    path,
    grow(larger) {
      if (!mount("-o", `remount,size=${larger}m`, path)) throw new Error("The disk was not mounted anew.");
    },
    remove(isHeld = false) {
      for (let count = 1; spawnSync("umount", isHeld ? ["-l", path] : [path]).status !== SUCCESS; count += 1) {
        if (count === UNMOUNT_TRIES) throw new Error(`${path} stays mounted.`);
        spawnSync("sleep", ["0.1"]);
      }
      rmdirSync(path);
    },
  };
}

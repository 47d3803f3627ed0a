import {
  chmodSync,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { uptime } from "node:os";
import type { Disk } from "../../core/ports/disk.ts";
import { errorCode } from "./failure.ts";

/** For their owner alone, independent of the umask of the process. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const OTHERS = 0o077;

const FLAGS = { read: "r", edit: "r+", append: constants.O_WRONLY | constants.O_APPEND, create: "wx+" } as const;

/** Where the system does not name it (all but Linux): two of them begin further apart than these seconds. */
const SESSION_SECONDS = 10;

let session: string | undefined;

/** The time since the machine was switched on. */
function nameSession(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return String(Math.round((Date.now() / 1000 - uptime()) / SESSION_SECONDS));
  }
}

/** The disk of this machine. */
export const realDisk: Disk = {
  get session() {
    return (session ??= nameSession());
  },
  open: (path, how) => openSync(path, FLAGS[how], FILE_MODE),
  close: closeSync,
  read: (file, bytes, offset, position) => readSync(file, bytes, offset, bytes.length - offset, position),
  write: (file, bytes, offset, position) => writeSync(file, bytes, offset, bytes.length - offset, position),
  append: (file, bytes) => writeSync(file, bytes),
  truncate: ftruncateSync,
  sync: (file) => new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve()))),
  facts(target) {
    const found = typeof target === "number" ? fstatSync(target) : statSync(target, { throwIfNoEntry: false });
    return (
      found && {
        inode: found.ino,
        isDirectory: found.isDirectory(),
        sizeBytes: found.size,
        modifiedAt: Math.round(found.mtimeMs),
        changedAt: found.ctimeMs,
      }
    );
  },
  list: (directory) => readdirSync(directory),
  makeDirectory: (path) => mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE }),
  rename: renameSync,
  link: linkSync,
  remove(path) {
    // Nearly all of it is files, and what removes trees looks at each of them several times.
    try {
      unlinkSync(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return;
      // A directory, by the word of one system or the other.
      if (code !== "EISDIR" && code !== "EPERM") throw error;
      rmSync(path, { recursive: true, force: true });
    }
  },
  touch: (path, at) => utimesSync(path, at / 1000, at / 1000),
  restrict(path) {
    // Windows has no such bits.
    if (process.platform === "win32") return;
    const { mode } = statSync(path);
    if (mode & OTHERS) chmodSync(path, mode & 0o7777 & ~OTHERS);
  },
  async syncDirectory(path) {
    // Windows cannot open a directory; its names last by themselves.
    if (process.platform === "win32") return;
    const directory = openSync(path, "r");
    try {
      await new Promise<void>((resolve, reject) => fsync(directory, (error) => (error ? reject(error) : resolve())));
    } finally {
      closeSync(directory);
    }
  },
};

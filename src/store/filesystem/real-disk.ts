import {
  chmodSync,
  close,
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import type { Disk } from "../../core/ports/disk.ts";

/** For their owner alone, whatever the umask of the process. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const OTHERS = 0o077;

const FLAGS = { read: "r", edit: "r+", create: "wx+" } as const;

/** The disk of this machine. */
export const realDisk: Disk = {
  open: (path, how) => openSync(path, FLAGS[how], FILE_MODE),
  close: closeSync,
  read: (file, bytes, offset, position) => readSync(file, bytes, offset, bytes.length - offset, position),
  write: (file, bytes, offset, position) => writeSync(file, bytes, offset, bytes.length - offset, position),
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
  remove: (path) => rmSync(path, { recursive: true, force: true }),
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
      fsyncSync(directory);
    } finally {
      close(directory);
    }
  },
};

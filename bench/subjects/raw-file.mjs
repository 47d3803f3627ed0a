import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** A file that is only ever appended to, with a sync after each append. */
export function appendFile(path) {
  const file = openSync(path, "a");
  return {
    /** Without waiting for the disk. */
    fill: (text) => writeSync(file, text),
    /** Leaves the thread free while the disk works. */
    append(text) {
      writeSync(file, text);
      return new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())));
    },
    close: () => closeSync(file),
  };
}

/** A file whose whole content is replaced and synced before the call returns, the shortest way there is. */
export function replacedFile(path) {
  const file = openSync(path, "w");
  return {
    replace(text) {
      ftruncateSync(file, 0);
      writeSync(file, text, 0);
      fdatasyncSync(file);
    },
    close: () => closeSync(file),
  };
}

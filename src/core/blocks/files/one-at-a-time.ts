import { parseFilePath } from "../../model/file-path.ts";
import type { Files } from "../../ports/files.ts";

const queues = new WeakMap<Files, Map<string, Promise<void>>>();

/**
 * Does the work once all earlier work on this path is done, so that blocks which read a file, change it and write it back lose nothing of
 * each other. Holds for all runs that were granted the same files; another process knows nothing of it.
 */
export async function inTurn<T>(files: Files, path: string, work: () => Promise<T>): Promise<T> {
  const queue = queueOf(files);
  // One file has many paths, absolute and relative, in capitals or not. Its own name tells enough: waiting for another file does no harm.
  const key = parseFilePath(path, { absolute: true }).parts.at(-1)!.toLowerCase();
  const before = queue.get(key);
  let leave!: () => void;
  const turn = new Promise<void>((done) => (leave = done));
  queue.set(key, turn);
  try {
    await before;
    return await work();
  } finally {
    if (queue.get(key) === turn) queue.delete(key);
    leave();
  }
}

function queueOf(files: Files): Map<string, Promise<void>> {
  const known = queues.get(files);
  if (known !== undefined) return known;
  const made = new Map<string, Promise<void>>();
  queues.set(files, made);
  return made;
}

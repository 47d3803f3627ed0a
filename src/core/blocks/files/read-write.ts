import { parseFilePath } from "../../model/file-path.ts";
import type { Files, WriteOptions, WrittenFile, FileContent, ReadOptions } from "../../ports/files.ts";
import { isWorkflowError } from "../../model/errors.ts";

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

/** A file that a block writes. */
interface Write {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly options: WriteOptions;
  /** Whether an earlier execution of the step may have written it and died before that was recorded. */
  readonly mayHaveRun: boolean;
}

/** Writes a file. With `mayHaveRun`, a file that is there already and has the same content is the work of this step. */
export function writeOnce(files: Files, { path, bytes, options, mayHaveRun }: Write): Promise<WrittenFile> {
  return inTurn(files, path, async () => {
    try {
      return await files.write(path, bytes, options);
    } catch (thrown) {
      if (!mayHaveRun || !isWorkflowError(thrown) || thrown.code !== "FILE_EXISTS") throw thrown;
      const found = await files.read(path, { unsafe: options.unsafe ?? false });
      if (!isSame(found.bytes, bytes)) throw thrown;
      return { path: found.path, sizeBytes: bytes.length, created: true };
    }
  });
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** What was found, or not, at a path. */
interface Found {
  readonly file: FileContent | undefined;
  /** The path as outputs show it. */
  readonly path: string;
}

/** Reads a file; a missing one is `FILE_MISSING` only where it is required. */
export async function readIfThere(files: Files, path: string, options: ReadOptions & { readonly required: boolean }): Promise<Found> {
  const { required, ...reading } = options;
  try {
    const file = await files.read(path, reading);
    return { file, path: file.path };
  } catch (thrown) {
    if (required || !isWorkflowError(thrown) || thrown.code !== "FILE_MISSING") throw thrown;
    return { file: undefined, path: parseFilePath(path, { absolute: true }).text };
  }
}

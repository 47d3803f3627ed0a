import { dirname, join, resolve } from "node:path";
import { isWorkflowError } from "../../core/model/errors.ts";
import { assertStoreKey } from "../../core/model/ids.ts";
import type { Disk } from "../../core/ports/disk.ts";
import type { Store } from "../../core/ports/store.ts";
import { checkCommit, storeClosed } from "../check-commit.ts";
import { readRange } from "../read-range.ts";
import { changeLog } from "./change-log.ts";
import { readBlob, sweepBlobs, writeBlob } from "./blobs.ts";
import { readCached, sweepCache, writeCached } from "./cache.ts";
import { runClaims } from "./claims.ts";
import { storeIdentity } from "./identity.ts";
import { prepareDirectories, storedBytes } from "./directories.ts";
import type { StoreDirectories } from "./directories.ts";
import { allSynced, namesIn } from "./disk.ts";
import { fileFailure } from "./failure.ts";
import { runFolder } from "./run-folder.ts";
import { runDirectory, runIndex } from "./run-index.ts";
import { runLists } from "./run-lists.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunState } from "./run-state.ts";

/** Journals kept open for writing at the same time. */
const MAX_OPEN = 64;

const CACHE_KEY = "The key of the cache";

/** Runs of which something is remembered, so that the next look at one costs less. */
const MAX_KNOWN = 512;

/** A filesystem store over a given disk; `filesystemStore` gives it the real one. */
export function openFilesystemStore(path: string, disk: Disk, warn: (message: string) => void): Store {
  const root = resolve(path);
  const directories: StoreDirectories = {
    root,
    runs: join(root, "runs"),
    blobs: join(root, "blobs"),
    cache: join(root, "cache"),
    claims: join(root, "claims"),
    index: join(root, "index"),
    temp: join(root, "temp"),
  };
  /** Least recently used first. */
  const folders = new Map<string, RunFolder>();
  const open = new Set<RunFolder>();
  /** Directories of runs whose names last. */
  const synced = new Set<string>();
  let prepared: Promise<void> | undefined;
  let temporaries = 0;
  let closed = false;
  let closing: Promise<void> | undefined;
  /** Calls under way. */
  let calls = 0;
  /** Called once there are none. */
  let rested = (): void => {};

  const identity = storeIdentity(disk, directories);
  const claims = runClaims({ disk, directory: directories.claims, temporary });
  const changes = changeLog({ disk, directory: directories.index, temporary });
  const index = runIndex({ disk, directories, temporary, changes, load: (run) => folder(run).load() });
  const lists = runLists({ disk, index, load: (run, entry) => folder(run).load(entry) });

  function assertOpen(): void {
    if (closed) throw storeClosed();
  }

  function temporary(): string {
    temporaries += 1;
    return join(directories.temp, `${process.pid}.${temporaries}.${Math.random().toString(36).slice(2)}`);
  }

  /** Makes the directories before the first write, and again where those for temporary files were removed. */
  function prepare(): Promise<void> {
    if (prepared === undefined || disk.facts(directories.temp) === undefined) {
      // Seen once it is there: from then on it is missed.
      prepared = prepareDirectories(disk, directories, { warn, temporary }).then(() => identity.check());
      prepared.catch(() => (prepared = undefined));
    }
    return prepared;
  }

  function folder(run: string): RunFolder {
    const found = folders.get(run) ?? openFolder(run);
    folders.delete(run);
    folders.set(run, found);
    return found;
  }

  function openFolder(run: string): RunFolder {
    for (const [known, old] of folders) {
      if (folders.size < MAX_KNOWN) break;
      if (old.disposable && !open.has(old)) folders.delete(known);
    }
    const directory = runDirectory(disk, directories.runs, run);
    const noted = (state: RunState): void => index.note(directory, state);
    const noting = (revision: number): void => changes.note(run, revision);
    return runFolder({ run, directory, disk, temporary, warn, noting, noted, syncAbove: () => syncAbove(dirname(directory)) });
  }

  /** Syncs the name of a new run, and that of its directory unless it is already synced. */
  async function syncAbove(shard: string): Promise<void> {
    await allSynced([disk.syncDirectory(shard), ...(synced.has(shard) ? [] : [disk.syncDirectory(directories.runs)])]);
    synced.add(shard);
  }

  /** Notes that a file was written, and closes the one that was not written for the longest time. */
  function keepOpen(written: RunFolder): void {
    open.delete(written);
    open.add(written);
    if (open.size <= MAX_OPEN) return;
    for (const oldest of open) {
      if (!oldest.idle) continue;
      open.delete(oldest);
      void oldest.release();
      return;
    }
  }

  /** The error of a failed call; one that failed because the directory is gone says that. */
  function failed(error: unknown, doing: string): Error {
    const failure = fileFailure(error, doing);
    try {
      if (failure.code !== "STORE_CLOSED") identity.check();
    } catch (reset) {
      if (isWorkflowError(reset)) return reset;
    }
    return failure;
  }

  /** Calls with failures of the file system as `STORE_…` errors. */
  async function guarded<T>(doing: string, call: () => T | Promise<T>): Promise<T> {
    assertOpen();
    calls += 1;
    try {
      identity.check();
      return await call();
    } catch (error) {
      throw failed(error, doing);
    } finally {
      calls -= 1;
      if (calls === 0) rested();
    }
  }

  async function close(): Promise<void> {
    closed = true;
    // Wait for earlier calls: one of them may be writing a claim.
    if (calls > 0) await new Promise<void>((resolve) => (rested = resolve));
    claims.close();
    await Promise.all([...folders.values()].map((one) => one.release()));
    await index.close().catch(() => {});
    changes.close();
    folders.clear();
  }

  return {
    kind: "filesystem",
    durable: true,
    async commit(commit) {
      assertOpen();
      checkCommit(commit);
      const run = folder(commit.run);
      keepOpen(run);
      if (!run.open) {
        await guarded("Making the store's directories", prepare);
        assertOpen();
      }
      await run.commit(commit).catch((error: unknown) => {
        throw failed(error, "Writing a journal");
      });
    },
    head(run) {
      return guarded("Reading a head", () => {
        assertStoreKey(run, "The run id");
        return folder(run).load().head;
      });
    },
    read(run, range) {
      return guarded("Reading a journal", () => {
        assertStoreKey(run, "The run id");
        return folder(run).read(readRange(range));
      });
    },
    runs(query = {}) {
      return guarded("Listing runs", () => lists.runs(query));
    },
    checkpoints(query = {}) {
      return guarded("Listing checkpoints", () => lists.checkpoints(query));
    },
    putBlob(hash, content) {
      return guarded("Keeping a blob", async () => {
        assertStoreKey(hash, "The hash");
        await prepare();
        await writeBlob(disk, directories.blobs, { hash, content, temporary: temporary(), now: Date.now() });
      });
    },
    getBlob(hash) {
      return guarded("Reading a blob", () => {
        assertStoreKey(hash, "The hash");
        return readBlob(disk, directories.blobs, hash);
      });
    },
    sweepBlobs(keep, before) {
      return guarded("Sweeping blobs", async () => {
        if (namesIn(disk, directories.blobs).length === 0) return 0;
        await prepare();
        return sweepBlobs(disk, directories.blobs, { keep, before, temporary });
      });
    },
    putNote(run, key, text) {
      return guarded("Keeping a note", async () => {
        assertStoreKey(run, "The run id");
        assertStoreKey(key, "The key of the note");
        if (disk.facts(runDirectory(disk, directories.runs, run)) === undefined) return;
        await prepare();
        folder(run).putNote(key, text);
      });
    },
    notes(run, prefix = "") {
      return guarded("Reading notes", () => {
        assertStoreKey(run, "The run id");
        return folder(run).notes(prefix);
      });
    },
    cache: {
      get(key) {
        return guarded("Reading the cache", () => {
          assertStoreKey(key, CACHE_KEY);
          return readCached(disk, directories.cache, key);
        });
      },
      put(key, text, until) {
        return guarded("Keeping a result", async () => {
          assertStoreKey(key, CACHE_KEY);
          await prepare();
          writeCached(disk, directories.cache, { key, text, until, temporary: temporary() });
        });
      },
      sweep: (before, most) => guarded("Sweeping the cache", () => sweepCache(disk, directories.cache, { before, most })),
    },
    usage() {
      return guarded("Measuring the store", async () => {
        await index.refresh();
        let runs = 0;
        for (const { size } of index.shards) runs += size;
        return { runs, bytes: await storedBytes(disk, directories.root) };
      });
    },
    delete(run) {
      return guarded("Deleting a run", async () => {
        assertStoreKey(run, "The run id");
        const directory = runDirectory(disk, directories.runs, run);
        const known = folders.get(run);
        await known?.release();
        if (known !== undefined) open.delete(known);
        folders.delete(run);
        if (disk.facts(directory) === undefined) return;
        await prepare();
        const away = temporary();
        disk.rename(directory, away);
        try {
          await disk.syncDirectory(dirname(directory));
        } catch (error) {
          // It is deleted as a whole or not at all.
          disk.rename(away, directory);
          throw error;
        }
        disk.remove(away);
      });
    },
    claim(run) {
      return guarded("Claiming a run", async () => {
        assertStoreKey(run, "The run id");
        await prepare();
        if (!claims.take(run)) return undefined;
        let holding = true;
        return async () => {
          if (holding) claims.drop(run);
          holding = false;
        };
      });
    },
    close: () => (closing ??= close()),
  };
}

import { join, resolve } from "node:path";
import { assertStoreKey } from "../../core/model/ids.ts";
import type { Disk } from "../../core/ports/disk.ts";
import type { DamagedRun, Page, Store } from "../../core/ports/store.ts";
import { checkCommit, storeClosed } from "../check-commit.ts";
import { compareRows, compareRuns, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "../listing.ts";
import { readRange } from "../read-range.ts";
import { readBlob, sweepBlobs, writeBlob } from "./blobs.ts";
import { dropClaim, takeClaim } from "./claims.ts";
import { prepareDirectories, storedBytes } from "./directories.ts";
import type { StoreDirectories } from "./directories.ts";
import { errorCode, fileFailure } from "./failure.ts";
import { mergeDescending } from "./merge.ts";
import { fileName, keyOfFile } from "./names.ts";
import { runFile } from "./run-file.ts";
import type { RunFile } from "./run-file.ts";
import type { RunState } from "./run-state.ts";

/** Journals kept open for writing at the same time. */
const MAX_OPEN = 64;

/** How many runs a list looks at before it gives others a turn. */
const RUNS_A_TURN = 100;

/** A filesystem store over a given disk; `filesystemStore` gives it the real one. */
export function openFilesystemStore(path: string, disk: Disk, warn: (message: string) => void): Store {
  const root = resolve(path);
  const directories: StoreDirectories = {
    root,
    runs: join(root, "runs"),
    blobs: join(root, "blobs"),
    claims: join(root, "claims"),
    temp: join(root, "temp"),
  };
  /** Least recently written first. */
  const files = new Map<string, RunFile>();
  const open = new Set<RunFile>();
  const held = new Set<string>();
  let prepared: Promise<void> | undefined;
  let temporaries = 0;
  let closed = false;

  function assertOpen(): void {
    if (closed) throw storeClosed();
  }

  function temporary(): string {
    temporaries += 1;
    return join(directories.temp, `${process.pid}.${temporaries}.${Math.random().toString(36).slice(2)}`);
  }

  /** Makes the directories before the first write, and again where they were removed. */
  function prepare(): Promise<void> {
    if (prepared === undefined || disk.facts(directories.temp) === undefined) {
      prepared = prepareDirectories(disk, directories, warn);
      prepared.catch(() => (prepared = undefined));
    }
    return prepared;
  }

  function file(run: string): RunFile {
    let found = files.get(run);
    if (found === undefined) {
      found = runFile({ run, directory: join(directories.runs, fileName(run)), disk, temporary, warn });
      files.set(run, found);
    }
    return found;
  }

  /** Notes that a file was written, and closes the one that was not written for the longest time. */
  function keepOpen(written: RunFile): void {
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

  async function states(): Promise<{ readonly found: RunState[]; readonly damaged: DamagedRun[] }> {
    const found: RunState[] = [];
    const damaged: DamagedRun[] = [];
    for (const [index, name] of listed(directories.runs).entries()) {
      if (index % RUNS_A_TURN === RUNS_A_TURN - 1) await new Promise(setImmediate);
      const run = keyOfFile(name);
      if (run !== undefined) look(run, found, damaged);
    }
    return { found, damaged };
  }

  /** Looks at one run; one that cannot be read must not hide the others. */
  function look(run: string, found: RunState[], damaged: DamagedRun[]): void {
    try {
      found.push(file(run).load());
    } catch (error) {
      damaged.push({ run, error: fileFailure(error, `Reading run ${run}`).toJSON() });
    }
  }

  function listed(directory: string): readonly string[] {
    try {
      return disk.list(directory);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  function one(run: string): { readonly found: RunState[]; readonly damaged: DamagedRun[] } {
    const found: RunState[] = [];
    const damaged: DamagedRun[] = [];
    look(run, found, damaged);
    return { found, damaged };
  }

  /** Calls with failures of the file system as `STORE_…` errors. */
  async function guarded<T>(doing: string, call: () => T | Promise<T>): Promise<T> {
    assertOpen();
    try {
      return await call();
    } catch (error) {
      throw fileFailure(error, doing);
    }
  }

  return {
    kind: "filesystem",
    durable: true,
    async commit(commit) {
      assertOpen();
      checkCommit(commit);
      const run = file(commit.run);
      if (!run.open) await guarded("Making the store's directories", prepare);
      keepOpen(run);
      await run.commit(commit);
    },
    head(run) {
      return guarded("Reading a head", () => {
        assertStoreKey(run, "The run id");
        return file(run).load().head;
      });
    },
    read(run, range) {
      return guarded("Reading a journal", () => {
        assertStoreKey(run, "The run id");
        return file(run).read(readRange(range));
      });
    },
    runs(query = {}) {
      return guarded("Listing runs", async () => {
        const after = startOfRuns(query);
        const { found, damaged } = await states();
        const heads = found.flatMap(({ head }) => (head === undefined ? [] : [head])).toSorted((a, b) => compareRuns(b, a));
        const page = pageOfRuns(after === undefined ? heads : heads.filter((head) => compareRuns(head, after) < 0), query);
        return withDamaged(page, query, damaged);
      });
    },
    checkpoints(query = {}) {
      return guarded("Listing checkpoints", async () => {
        const after = startOfRows(query);
        const { found, damaged } = query.run === undefined ? await states() : one(query.run);
        const page = pageOfRows(
          mergeDescending(
            found.map(({ rows }) => rows.descending(after)),
            compareRows,
          ),
          query,
        );
        return withDamaged(page, query, damaged);
      });
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
        if (listed(directories.blobs).length === 0) return 0;
        await prepare();
        return sweepBlobs(disk, directories.blobs, { keep, before, temporary });
      });
    },
    putNote(run, key, text) {
      return guarded("Keeping a note", async () => {
        assertStoreKey(run, "The run id");
        assertStoreKey(key, "The key of the note");
        if (disk.facts(join(directories.runs, fileName(run))) === undefined) return;
        await prepare();
        file(run).putNote(key, text);
      });
    },
    notes(run, prefix = "") {
      return guarded("Reading notes", () => {
        assertStoreKey(run, "The run id");
        return file(run).notes(prefix);
      });
    },
    usage() {
      return guarded("Measuring the store", async () => {
        const { found, damaged } = await states();
        const runs = found.filter(({ head }) => head !== undefined).length + damaged.length;
        return { runs, bytes: await storedBytes(disk, directories.root) };
      });
    },
    delete(run) {
      return guarded("Deleting a run", async () => {
        assertStoreKey(run, "The run id");
        const directory = join(directories.runs, fileName(run));
        const known = files.get(run);
        await known?.release();
        if (known !== undefined) open.delete(known);
        files.delete(run);
        if (disk.facts(directory) === undefined) return;
        await prepare();
        const away = temporary();
        disk.rename(directory, away);
        await disk.syncDirectory(directories.runs);
        disk.remove(away);
      });
    },
    claim(run) {
      return guarded("Claiming a run", async () => {
        assertStoreKey(run, "The run id");
        await prepare();
        if (!takeClaim(disk, directories.claims, run, temporary)) return undefined;
        held.add(run);
        let holding = true;
        return async () => {
          if (!holding || closed) return;
          holding = false;
          held.delete(run);
          dropClaim(disk, directories.claims, run);
        };
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const run of held) dropClaim(disk, directories.claims, run);
      await Promise.all([...files.values()].map((one) => one.release()));
      files.clear();
    },
  };
}

/** A page that names what cannot be read, if it is the first of its list. */
function withDamaged<T>(page: Page<T>, { after }: { readonly after?: string }, damaged: readonly DamagedRun[]): Page<T> {
  return after === undefined && damaged.length > 0 ? { ...page, damaged } : page;
}

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { assertStoreKey } from "../../core/model/ids.ts";
import { isWorkflowError } from "../../core/model/errors.ts";
import type { Store } from "../../core/ports/store.ts";
import { checkCommit, storeClosed } from "../check-commit.ts";
import { compareRows, compareRuns, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "../listing.ts";
import { readRange } from "../read-range.ts";
import { readBlob, writeBlob } from "./blobs.ts";
import { dropClaim, isAlive, takeClaim } from "./claims.ts";
import type { Disk } from "./disk.ts";
import { errorCode, fileFailure } from "./failure.ts";
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
  const [runsDirectory, blobs, claims, temp] = ["runs", "blobs", "claims", "temp"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
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
    return join(temp, `${process.pid}.${temporaries}.${Math.random().toString(36).slice(2)}`);
  }

  /** Makes the directories, once, and removes what a process that is gone left in the temporary one. */
  async function prepare(): Promise<void> {
    const first = [root, runsDirectory, blobs, claims, temp].some((directory) => !existsSync(directory));
    for (const directory of [runsDirectory, blobs, claims, temp]) mkdirSync(directory, { recursive: true });
    if (first) for (const directory of [root, dirname(root)]) await disk.syncDirectory(directory);
    for (const name of readdirSync(temp)) {
      if (!isAlive(name.split(".")[0]!)) rmSync(join(temp, name), { recursive: true, force: true });
    }
  }

  function file(run: string): RunFile {
    let found = files.get(run);
    if (found === undefined) {
      found = runFile({ run, directory: join(runsDirectory, fileName(run)), disk, temporary, warn });
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

  async function states(): Promise<RunState[]> {
    const found: RunState[] = [];
    let names: string[] = [];
    try {
      names = readdirSync(runsDirectory);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
    for (const [index, name] of names.entries()) {
      if (index % RUNS_A_TURN === RUNS_A_TURN - 1) await new Promise(setImmediate);
      const run = keyOfFile(name);
      if (run === undefined) continue;
      try {
        found.push(file(run).load());
      } catch (error) {
        if (!isWorkflowError(error) || error.code !== "STORE_DATA_CORRUPT") throw error;
        warn(`${error.message} Lists leave it out.`);
      }
    }
    return found;
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
      if (!run.open) {
        if (prepared === undefined || !existsSync(temp)) prepared = prepare();
        await guarded("Making the store's directories", () => prepared);
      }
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
        const heads = (await states()).flatMap(({ head }) => (head === undefined ? [] : [head])).toSorted((a, b) => compareRuns(b, a));
        return pageOfRuns(after === undefined ? heads : heads.filter((head) => compareRuns(head, after) < 0), query);
      });
    },
    checkpoints(query = {}) {
      return guarded("Listing checkpoints", async () => {
        const after = startOfRows(query);
        const list = query.run === undefined ? await states() : [file(query.run).load()];
        return pageOfRows(merged(list.map(({ rows }) => rows.descending(after))), query);
      });
    },
    putBlob(hash, text) {
      return guarded("Keeping a blob", async () => {
        assertStoreKey(hash, "The hash");
        await (prepared ??= prepare());
        await writeBlob(disk, blobs, temporary(), hash, text);
      });
    },
    getBlob(hash) {
      return guarded("Reading a blob", () => {
        assertStoreKey(hash, "The hash");
        return readBlob(blobs, hash);
      });
    },
    delete(run) {
      return guarded("Deleting a run", async () => {
        assertStoreKey(run, "The run id");
        const directory = join(runsDirectory, fileName(run));
        const known = files.get(run);
        await known?.release();
        if (known !== undefined) open.delete(known);
        files.delete(run);
        if (!existsSync(directory)) return;
        await (prepared ??= prepare());
        const away = temporary();
        renameSync(directory, away);
        await disk.syncDirectory(runsDirectory);
        rmSync(away, { recursive: true, force: true });
      });
    },
    claim(run) {
      return guarded("Claiming a run", async () => {
        assertStoreKey(run, "The run id");
        await (prepared ??= prepare());
        if (!takeClaim(claims, run, temporary)) return undefined;
        held.add(run);
        let holding = true;
        return async () => {
          if (!holding || closed) return;
          holding = false;
          held.delete(run);
          dropClaim(claims, run);
        };
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const run of held) dropClaim(claims, run);
      await Promise.all([...files.values()].map((one) => one.release()));
      files.clear();
    },
  };
}

/** The largest of what several descending walks give next, until all are at their end. */
function* merged<T extends Parameters<typeof compareRows>[0]>(walks: readonly Iterator<T>[]): Generator<T, void, undefined> {
  const heap = walks.flatMap((walk) => {
    const first = walk.next();
    return first.done === true ? [] : [{ walk, item: first.value }];
  });
  heap.sort((a, b) => compareRows(b.item, a.item));
  for (let top = heap.shift(); top !== undefined; top = heap.shift()) {
    yield top.item;
    const next = top.walk.next();
    if (next.done === true) continue;
    const at = heap.findIndex(({ item }) => compareRows(item, next.value) < 0);
    heap.splice(at < 0 ? heap.length : at, 0, { walk: top.walk, item: next.value });
  }
}

import type { BlobContent, Commit, Store } from "../../core/ports/store.ts";
import { type WriterOptions, checkpointRow, nextHead, runWriter } from "../conformance/writer.ts";
import type { CrashLedger } from "./ledger.ts";

/** Where the script of writes runs. */
export interface CrashStage {
  readonly ledger: CrashLedger;
  /** Opens one more store on the disk, as another process would. */
  open(): Store;
  /** Awaited after each write. */
  afterWrite(): Promise<void>;
}

/** The runs that the script writes. */
export const SCRIPT_RUNS = ["run_a", "run_b"] as const;

/**
 * Writes all kinds of things in all orders that matter: commits one by one and many at once, bases, notes that are dropped, blobs, runs that
 * are deleted and made again, stores that take a run from each other without a word, once or very often, and stores that close. Each write
 * is noted in the ledger.
 */
export async function playCrashScript(stage: CrashStage): Promise<void> {
  const { ledger, open } = stage;
  let store = open();

  async function commit(run: string, count: number, options: WriterOptions = {}): Promise<void> {
    await tell(ledger, store, { run, entries: texts(ledger.head(run)?.entries ?? 0, count), options });
    await stage.afterWrite();
  }

  /** A run that comes from elsewhere, without the entries that its base stands for. */
  async function imported(run: string): Promise<void> {
    const head = nextHead(run, undefined, 12, { workflow: "imported", base: 11 });
    const base = { at: 11, text: '{"imported":1}' };
    const commit: Commit = { run, expected: undefined, head, entries: texts(11, 1), base, durability: "strict" };
    await ledger.commit(commit, store.commit(commit));
    await stage.afterWrite();
  }

  async function note(run: string, key: string, text: string | undefined): Promise<void> {
    ledger.note(run, { key, text });
    await store.putNote(run, key, text);
    await stage.afterWrite();
  }

  async function blob(hash: string, content: BlobContent): Promise<void> {
    await ledger.blob(hash, content, store.putBlob(hash, content));
    await stage.afterWrite();
  }

  async function remove(run: string): Promise<void> {
    await ledger.delete(run, store.delete(run));
    await stage.afterWrite();
  }

  await blob("f00d", '{"definition":1}');
  await commit("run_a", 2, { checkpoints: [checkpointRow("run_a", 0)] });
  await note("run_a", "draft.0", "first try");
  await note("run_a", "draft.0", "second try");
  await commit("run_a", 1, { head: { status: "paused" }, checkpoints: [checkpointRow("run_a", 1, { kind: "pause" })] });
  await note("run_a", "draft.1", "another");
  await commit("run_a", 1, { head: { status: "running" }, dropNotes: ["draft.0", "draft.9"] });
  await Promise.all([1, 2, 1, 0, 3].map((count) => commit("run_a", count)));
  await blob("beef", new Uint8Array([10, 0, 34, 93, 10, 91]));
  await blob("f00d", '{"definition":1}');
  await commit("run_b", 1, { head: { workflow: "first" } });
  const end = ledger.head("run_a")!.entries;
  await commit("run_a", 1, { base: { at: end - 1, text: '{"base":1}' }, forgotten: [{ kind: "wave", number: 0 }] });
  await commit("run_a", 1, { dropNotes: ["draft.1"] });

  // Takes the runs over while the first store still believes that it holds them.
  store = open();
  await note("run_a", "draft.2", "in the second store");
  await commit("run_a", 1, { checkpoints: [checkpointRow("run_a", 2)] });
  await commit("run_a", 0, { base: { at: ledger.head("run_a")!.entries, text: '{"base":2}' }, dropNotes: ["draft.2"] });
  await remove("run_b");
  await note("run_a", "snapshot.4", "s".repeat(100));
  await imported("run_b");
  await note("run_b", "draft.0", "of the second run");

  store = open();
  await commit("run_b", 1);
  await Promise.all([commit("run_a", 2), commit("run_b", 1), commit("run_a", 1, { head: { status: "paused" } })]);
  await store.close();

  store = open();
  await commit("run_a", 1, { head: { status: "running" }, dropNotes: ["snapshot.4"] });
  await note("run_a", "draft.0", "the first key again");
  ledger.release("beef");
  await store.sweepBlobs(new Set(["f00d"]), Infinity);
  await stage.afterWrite();
  await remove("run_b");

  // Taken so often that its files are merged.
  for (let taken = 0; taken < 4; taken += 1) {
    store = open();
    await commit("run_a", 1);
  }
  await commit("run_a", 1, { head: { status: "completed" } });
  await store.close();
}

/** A commit as the ledger and the store get it. */
export interface ToldCommit {
  readonly run: string;
  readonly entries: readonly string[];
  readonly options?: WriterOptions;
}

/** Commits to a run behind all that was asked of it, and tells the ledger. */
export async function tell(ledger: CrashLedger, store: Store, { run, entries, options }: ToldCommit): Promise<void> {
  const told: Store = { ...store, commit: (commit) => ledger.commit(commit, store.commit(commit)) };
  await runWriter(told, run, ledger.head(run)).commit(entries, options);
}

function texts(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => JSON.stringify({ entry: from + index, text: "é\n0".repeat(12) }));
}

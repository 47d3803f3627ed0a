import { writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { runWriter } from "../../../src/testing/conformance/writer.ts";
import { unsyncedDisk } from "./unsynced-disk.ts";

/** Commits to a run, each as a process does that opens the store and dies without closing it. */
export interface Takeovers {
  readonly directory: string;
  readonly entries: readonly string[];
  /** Whether every other commit has a base, which says what it stands for. */
  readonly withBases: boolean;
}

/** Where it is written why a takeover failed: who waits for it stands still, and takes no message. */
const problemFile = (directory: string): string => `${directory}.problem`;

async function take({ directory, entries, withBases }: Takeovers): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    const store = openFilesystemStore(directory, unsyncedDisk, () => {});
    const head = await store.head("run_a");
    const base = withBases && index % 2 === 0 && { at: head!.entries, text: JSON.stringify({ stands: await store.read("run_a") }) };
    await runWriter(store, "run_a", head).commit([entry], base ? { base } : {});
  }
}

// A thread takes a run over as other processes do, while the one that started it stands still.
const gate = new Int32Array(workerData as SharedArrayBuffer);
parentPort!.on("message", async (takeovers: Takeovers) => {
  const outcome = await take(takeovers).then(
    () => 1,
    (error: unknown) => {
      writeFileSync(problemFile(takeovers.directory), String(error instanceof Error ? error.stack : error));
      return 2;
    },
  );
  Atomics.store(gate, 0, outcome);
  Atomics.notify(gate, 0);
});

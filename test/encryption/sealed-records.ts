import type { RunHead, Store } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { runWriter, type Writer } from "wavepoint/testing";
import { keyBytes } from "./keys.ts";

/** What the records of {@link sealedRecords} say. */
export const TEXTS: readonly string[] = Array.from({ length: 9 }, (_, number) => `entry ${number}`);

export interface SealedRecords {
  /** The store inside. */
  readonly inner: Store;
  readonly store: Store;
  /** Of `run_a`. */
  readonly writer: Writer;
}

/** Two runs with the same records, which wait for an answer, and a blob, in a store with the key 1. */
export async function sealedRecords(): Promise<SealedRecords> {
  const inner = memoryStore();
  const store = await encryptedStore(inner, { key: keyBytes(1) });
  const head: Partial<RunHead> = {
    status: "paused",
    pauses: [{ id: "pause_a.0", path: ["ask"], prompt: "Which one?" }],
    error: { code: "BLOCK_FAILED", message: "No." },
    parent: { run: "run_p", block: "call" },
    blobs: ["f00d"],
  };
  await store.putBlob("f00d", "a blob");
  const [writer, other] = [runWriter(store, "run_a"), runWriter(store, "run_b")];
  for (const one of [writer, other]) {
    const run = one === writer ? "run_a" : "run_b";
    const row = { run, workflow: "conformance", kind: "wave", number: 0, createdAt: 5, entries: 3 } as const;
    for (let first = 0; first < TEXTS.length; first += 3) {
      await one.commit(TEXTS.slice(first, first + 3), { head, ...(first === 0 && { checkpoints: [row] }) });
    }
    await store.putNote(run, "draft.0", "a draft");
    await store.putNote(run, "draft.1", "another draft");
  }
  return { inner, store, writer };
}

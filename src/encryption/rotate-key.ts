import { isConflict, isWorkflowError } from "../core/model/errors.ts";
import type { RunHead } from "../core/model/run.ts";
import type { DamagedRun, Store } from "../core/ports/store.ts";
import { KEY_RUN, type KeyRecord, openKeyRecord, replaceKeyRecord } from "./key-record.ts";
import { type Keyring, makeKeyring, withNextSecret } from "./keyring.ts";
import { unwrapRunKey, wrapRunKey } from "./run-key.ts";
import { openHead, readSeal, sealHead } from "./sealed-head.ts";
import { assertSecret, type StoreSecret } from "./store-secret.ts";
import { tampered } from "./tampering.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** Runs that are read at a time. */
const RUNS_A_PAGE = 100;

/** The secret that a store is opened with, before and after. */
export interface RotateKeyOptions {
  /** What opens the store until now. */
  readonly from: StoreSecret;
  /** What opens it from now on. */
  readonly to: StoreSecret;
}

/** What {@link rotateKey} did. */
export interface RotationReport {
  /** Runs whose keys were wrapped anew. */
  readonly runs: number;
  /** Runs that could not be read, and were left as they are. */
  readonly damaged: readonly DamagedRun[];
}

/**
 * Gives an encrypted store another key; `store` is the one inside. From the first write on only the new key opens it, and it opens all of
 * it; then the key of each run is wrapped anew, while journals and blobs stay as they are, and results of blocks that were kept for other runs are dropped. Where that was interrupted, call it again with
 * the same keys. Close the store in other tabs and processes first: where it is open, runs that were wrapped anew are `STORE_KEY_WRONG`.
 */
export async function rotateKey(store: Store, options: RotateKeyOptions): Promise<RotationReport> {
  assertOptions("rotateKey", options, { from: true, to: true });
  assertSecret("from of rotateKey", options.from);
  assertSecret("to of rotateKey", options.to);
  const keyring = await makeKeyring(await replaceSecret(store, options));
  // What may be lost need not outlive its key.
  await store.cache?.sweep(Infinity, 0);
  const damaged: DamagedRun[] = [];
  let runs = 0;
  let after: string | undefined;
  do {
    const page = await store.runs({ oldestFirst: true, limit: RUNS_A_PAGE, ...(after !== undefined && { after }) });
    damaged.push(...(page.damaged ?? []));
    for (const { id } of page.items) {
      try {
        if (id !== KEY_RUN && (await rewrap(store, keyring, id))) runs += 1;
      } catch (error) {
        if (!isWorkflowError(error) || error.code !== "STORE_TAMPERED") throw error;
        damaged.push({ run: id, error: error.toJSON() });
      }
    }
    after = page.next;
  } while (after !== undefined);
  return { runs, damaged };
}

/** Makes the new key the one that opens the store, unless it is already, and gives the secrets it opens. */
async function replaceSecret(store: Store, { from, to }: RotateKeyOptions): Promise<Uint8Array<ArrayBuffer>> {
  const begun = await openKeyRecord(store, to).catch(unlessWrong);
  if (begun) return begun.secrets;
  const { head, secrets } = await openKeyRecord(store, from);
  const next = withNextSecret(secrets);
  await replaceKeyRecord(store, head, next, to);
  return next;
}

function unlessWrong(error: unknown): KeyRecord | undefined {
  if (isWorkflowError(error) && error.code === "STORE_KEY_WRONG") return undefined;
  throw error;
}

/** Wraps the key of a run with the newest of the store. Gives whether there was anything to do. */
async function rewrap(store: Store, keyring: Keyring, run: string): Promise<boolean> {
  for (;;) {
    const stored = await store.head(run);
    const next = stored && (await sealAnew(keyring, stored));
    if (!next) return false;
    const { revision, epoch } = stored;
    try {
      await store.commit({ run, expected: { revision, epoch }, head: next, entries: [], durability: "strict" });
      return true;
    } catch (error) {
      // Another process wrote, so the run continued: the next pass finds the result.
      if (!isConflict(error)) throw error;
    }
  }
}

async function sealAnew(keyring: Keyring, stored: RunHead): Promise<RunHead | undefined> {
  const seal = readSeal(stored);
  if (seal.wrapped.generation === keyring.generation) return undefined;
  const key = await unwrapRunKey(keyring, stored.id, seal.wrapped, { extractable: true });
  if (!key) throw tampered(`The key of run ${stored.id}`, { run: stored.id });
  const { head, chain } = await openHead(stored, seal, key);
  return sealHead({ ...head, revision: head.revision + 1 }, chain, await wrapRunKey(keyring, stored.id, key), key);
}

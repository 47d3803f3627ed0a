import type { Store } from "../core/ports/store.ts";
import { commitWriter } from "./commit-writer.ts";
import { readEntries } from "./entry-reader.ts";
import { openOrMakeKeyRecord } from "./key-record.ts";
import { makeKeyring } from "./keyring.ts";
import { assertRunKey, runSeals } from "./run-seals.ts";
import { sealedBlobs } from "./sealed-blobs.ts";
import { sealedCache } from "./sealed-cache.ts";
import { sealedLists } from "./sealed-lists.ts";
import { sealedNotes } from "./sealed-notes.ts";
import { assertSecret, type StoreSecret } from "./store-secret.ts";

/**
 * A store around another one, which then holds nothing that can be read, changed, moved or cut off without the key: AES-256-GCM by the
 * platform's WebCrypto, with a key for each run. An empty store is made to be opened by this key or passphrase alone; any other key is
 * `STORE_KEY_WRONG` at once, and records that are not as they were sealed are `STORE_TAMPERED`. Ids, names of workflows, status, times and
 * counts stay in the clear, where they can be seen and not changed. Closing it closes the store inside. Throws `STORE_UNAVAILABLE` where
 * there is no WebCrypto.
 */
export async function encryptedStore(store: Store, secret: StoreSecret): Promise<Store> {
  assertSecret("encryptedStore", secret);
  const { secrets } = await openOrMakeKeyRecord(store, secret);
  const keyring = await makeKeyring(secrets);
  const seals = runSeals(store, keyring);
  const writer = commitWriter(store, keyring, seals);
  return {
    kind: store.kind,
    durable: store.durable,
    seals: true,
    commit: (commit) => writer.commit(commit),
    async head(run) {
      const opened = await seals.read(run);
      writer.saw(run, opened);
      return opened?.head;
    },
    read: (run, range) => readEntries(store, seals, run, range),
    ...sealedLists(store, keyring, seals),
    ...sealedBlobs(store, keyring),
    sweepBlobs: (keep, before) => store.sweepBlobs(keep, before),
    ...sealedNotes(store, seals),
    ...(store.cache && { cache: sealedCache(store.cache, keyring) }),
    async usage() {
      const { runs, ...rest } = await store.usage();
      return { ...rest, runs: runs - 1 };
    },
    async delete(run) {
      assertRunKey(run);
      await store.delete(run);
    },
    async claim(run, lost) {
      assertRunKey(run);
      return store.claim(run, lost);
    },
    ...(store.orders && { orders: store.orders }),
    ...(store.watch && { watch: (changed, failed) => store.watch!(changed, failed) }),
    async close() {
      await writer.settled();
      await store.close();
    },
  };
}

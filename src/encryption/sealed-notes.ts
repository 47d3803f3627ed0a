import { assertStoreKey } from "../core/model/ids.ts";
import type { Note, Store } from "../core/ports/store.ts";
import { decodePlain, encodePlain } from "./plain-bytes.ts";
import type { RunSeals } from "./run-seals.ts";
import { openText, sealText } from "./seal.ts";
import { tampered } from "./tampering.ts";

/** The notes of a store, sealed with the keys of their runs and bound to run and key. */
export function sealedNotes(store: Store, seals: RunSeals): Pick<Store, "putNote" | "notes"> {
  return {
    async putNote(run, key, text) {
      assertStoreKey(key, "The key of the note");
      const put = async (runKey: CryptoKey): Promise<void> =>
        store.putNote(run, key, text === undefined ? undefined : await sealText(runKey, encodePlain(text), ["note", run, key]));
      // Written before the run is read: a page that is being left hears no reply.
      const known = seals.known(run);
      if (known) await put(known);
      const opened = await seals.read(run);
      if (opened && opened.key !== known) await put(opened.key);
    },
    async notes(run, prefix) {
      const [opened, stored] = [await seals.read(run), await store.notes(run, prefix)];
      if (!opened) return [];
      return Promise.all(
        stored.map(async ({ key, text }): Promise<Note> => {
          const plain = await openText(opened.key, text, ["note", run, key]);
          if (!plain) throw tampered(`The note ${key} of run ${run}`, { run, note: key });
          return { key, text: decodePlain(plain) as string };
        }),
      );
    },
  };
}

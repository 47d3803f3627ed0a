import { indexedDbStore } from "wavepoint/store/indexeddb";
import { runWriter } from "wavepoint/testing";

/** What a test can call in a page that loses the network. */
export interface OfflinePage {
  /** Writes the first commit of a run. */
  begin(): Promise<void>;
  /** Does everything a store can do; gives what is left of the run's journal and notes. */
  goOn(): Promise<{ readonly journal: readonly string[]; readonly notes: readonly string[]; readonly runs: number }>;
}

declare global {
  var offline: OfflinePage;
}

const store = indexedDbStore({ name: "offline" });
const writer = runWriter(store, "run_a");

globalThis.offline = {
  begin: () => writer.commit(["0"]),
  async goOn() {
    await store.putNote("run_a", "draft.0", "typed");
    await store.putNote("run_a", "draft.1", "typed");
    await writer.commit(["1"], { dropNotes: ["draft.0"] });
    await writer.commit(["2"], { base: { at: 2, text: "base" }, forgotten: [{ kind: "wave", number: 0 }] });
    await store.putBlob("f00d", "blob");
    await store.getBlob("f00d");
    await store.sweepBlobs(new Set(), 0);
    await store.checkpoints();
    await store.usage();
    await runWriter(store, "run_b").commit([]);
    await store.delete("run_b");
    const notes = (await store.notes("run_a")).map(({ key }) => key);
    return { journal: await store.read("run_a"), notes, runs: (await store.runs()).items.length };
  },
};
document.title = "ready";

import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { runWriter } from "./writer.ts";

/** Demands on notes: texts beside a run's journal. */
export const noteDemands: readonly Demand[] = [
  [
    "a note is kept, replaced and removed, and every store over the data sees it at once",
    async ({ store, another }) => {
      const other = await another();
      await runWriter(store, "run_a").commit(["{}"]);
      expectEqual(await store.notes("run_a"), [], "the notes of a new run");
      await store.putNote("run_a", "draft.0", "first");
      expectEqual(await other.notes("run_a"), [{ key: "draft.0", text: "first" }], "the note");
      await other.putNote("run_a", "draft.0", '\ud800 "second"\n\0');
      expectEqual(await store.notes("run_a"), [{ key: "draft.0", text: '\ud800 "second"\n\0' }], "the note in the place of the one before");
      await store.putNote("run_a", "draft.0", "");
      expectEqual(await other.notes("run_a"), [{ key: "draft.0", text: "" }], "an empty note");
      await store.putNote("run_a", "draft.0", undefined);
      await store.putNote("run_a", "draft.7", undefined);
      for (const one of [store, other]) expectEqual(await one.notes("run_a"), [], "the notes after removal");
    },
  ],
  [
    "notes come by key, of one run only, and only those that begin as was asked",
    async ({ store }) => {
      for (const run of ["run_a", "run_a.b", "run_b"]) await runWriter(store, run).commit([]);
      for (const key of ["snapshot.100", "draft.2", "draft.10", "Draft.2", "draft", "drafts", "draft-1", "a".repeat(128)]) {
        await store.putNote("run_a", key, `of ${key}`);
      }
      await store.putNote("run_a.b", "draft.2", "of another run");
      const keys = async (prefix?: string): Promise<readonly string[]> => (await store.notes("run_a", prefix)).map(({ key }) => key);
      expectEqual(
        await keys(),
        ["Draft.2", "a".repeat(128), "draft", "draft-1", "draft.10", "draft.2", "drafts", "snapshot.100"],
        "all keys",
      );
      expectEqual(await keys("draft."), ["draft.10", "draft.2"], "keys that begin with a prefix");
      expectEqual(await keys("draft.2"), ["draft.2"], "a whole key");
      expectEqual(await keys("draft.20"), [], "a prefix of none");
      expectEqual(await store.notes("run_a", "snapshot."), [{ key: "snapshot.100", text: "of snapshot.100" }], "the text");
      expectEqual(await store.notes("run_b"), [], "the notes of a run without any");
      expectEqual(await store.notes("run_none"), [], "the notes of an unknown run");
    },
  ],
  [
    "a note changes neither the journal nor the head, and a writer need not know of it",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(["1"]);
      await (await another()).putNote("run_a", "draft.0", "typed");
      await writer.commit(["2"]);
      expectEqual(await store.head("run_a"), writer.head, "the head");
      expectEqual(await store.read("run_a"), ["1", "2"], "the journal");
      expectEqual((await store.notes("run_a")).length, 1, "notes");
    },
  ],
  [
    "notes are there after closing and opening again, large ones too",
    async ({ store, another }) => {
      if (!store.durable) return;
      const first = await another();
      await runWriter(first, "run_a").commit(["{}"]);
      const large = "wavepoint 🌊 ".repeat(100_000);
      await first.putNote("run_a", "draft.0", "typed");
      await first.putNote("run_a", "snapshot.1", large);
      await first.close();
      const notes = await (await another()).notes("run_a");
      expectEqual(
        notes.map(({ key }) => key),
        ["draft.0", "snapshot.1"],
        "keys",
      );
      expectEqual([notes[0]!.text, notes[1]!.text === large], ["typed", true], "texts");
    },
  ],
  [
    "there are no notes of a run that does not exist, and a deleted run takes its notes along",
    async ({ store, another }) => {
      await store.putNote("run_a", "draft.0", "too early");
      expectEqual(await store.notes("run_a"), [], "notes of a run that was never written");
      await runWriter(store, "run_a").commit(["{}"]);
      await runWriter(store, "run_b").commit(["{}"]);
      expectEqual(await store.notes("run_a"), [], "notes of the run once it is written");
      for (const run of ["run_a", "run_b"]) await store.putNote(run, "draft.0", "typed");
      await store.delete("run_a");
      await store.putNote("run_a", "draft.0", "too late");
      expectEqual(await store.notes("run_a"), [], "notes of the deleted run");
      await runWriter(store, "run_a").commit(["{}"]);
      for (const one of [store, await another()]) {
        expectEqual(await one.notes("run_a"), [], "notes of the next run with this id");
        expectEqual(await one.notes("run_b"), [{ key: "draft.0", text: "typed" }], "notes of the other run");
      }
    },
  ],
  [
    "a commit drops notes if it is taken, and only then",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(["{}"]);
      await runWriter(store, "run_b").commit(["{}"]);
      for (const key of ["draft.0", "draft.1", "draft.2"]) await store.putNote("run_a", key, key);
      await store.putNote("run_b", "draft.0", "of another run");
      const keys = async (one = store): Promise<readonly string[]> => (await one.notes("run_a")).map(({ key }) => key);
      await expectCode(
        () => runWriter(store, "run_a").commit(["{}"], { dropNotes: ["draft.0"] }),
        "STORE_CONFLICT",
        "a writer that did not see the newest head",
      );
      expectEqual(await keys(), ["draft.0", "draft.1", "draft.2"], "the notes after a refused commit");
      await writer.commit(["{}"], { dropNotes: ["draft.0", "draft.9"] });
      expectEqual(await keys(), ["draft.1", "draft.2"], "the notes after a commit");
      await writer.commit([], { head: { status: "paused" }, dropNotes: ["draft.1"] });
      const other = await another();
      expectEqual(await keys(other), ["draft.2"], "the notes after a commit that changes the status");
      await runWriter(other, "run_a", writer.head).commit(["{}"], { dropNotes: ["draft.2"], durability: "relaxed" });
      for (const one of [store, other]) {
        expectEqual(await keys(one), [], "the notes after another store's commit");
        expectEqual(await one.notes("run_b"), [{ key: "draft.0", text: "of another run" }], "the notes of the other run");
      }
    },
  ],
];

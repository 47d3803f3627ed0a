import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { checkpointRow, runWriter } from "./writer.ts";

/** Texts that encodings lose: a store gives each back unit by unit. */
const ODD_TEXTS: readonly string[] = [
  "",
  " ",
  "\n",
  "\r\n",
  '{"a":"line\nbreak"}',
  "\0",
  "a\u0000b",
  "\u0001",
  '\u0001"\\ud800"',
  "\ud800",
  '{"half":"\udfff"}',
  "\udc00\ud800",
  "👩‍👩‍👧‍👦",
  "\ufeff{}",
  "é e\u0301",
  "\u2028\u2029\u0085",
  '["looks","like",1]',
  '"quoted"',
  "\\",
  "[1,2]\n[3]\n",
];

/** What no store takes as a key. */
const REFUSED_KEYS: readonly unknown[] = [
  "__proto__",
  "constructor",
  "prototype",
  "*",
  "run-[a-z]?",
  { $ne: null },
  "x' OR '1'='1",
  "../../other-run",
  "..",
  ".",
  "a/b",
  "a\\b",
  "a:b",
  "",
  " ",
  "a\0b",
  "A".repeat(5000),
  "a".repeat(129),
  ["run-1"],
  12_345,
  null,
  "\ud800",
  "café",
  "cafe\u0301",
  "-rf",
  "%2e%2e",
];

/** Keys that every store takes and keeps apart, though file systems may not. */
const ACCEPTED_KEYS: readonly string[] = [
  "Run-1",
  "run-1",
  "RUN-1",
  "CON",
  "con.txt",
  "aux",
  "a",
  "a.",
  "a..",
  "a.b",
  "a_b",
  "a-b",
  "0",
  "hasOwnProperty",
  "toString",
  "a".repeat(128),
  "aB".repeat(64),
  "Ab".repeat(64),
];

/** Demands on keys, texts and blobs. */
export const valueDemands: readonly Demand[] = [
  [
    "texts come back exactly, alone and together",
    async ({ store, another }) => {
      await runWriter(store, "run_all").commit(ODD_TEXTS);
      for (const [index, text] of ODD_TEXTS.entries()) await runWriter(store, `run_${index}`).commit([text]);
      for (const one of [store, await another()]) {
        expectEqual(await one.read("run_all"), ODD_TEXTS, "all in one commit");
        for (const [index, text] of ODD_TEXTS.entries()) expectEqual(await one.read(`run_${index}`), [text], "one in a commit");
      }
    },
  ],
  [
    "odd texts in a head come back exactly",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit([], { head: { error: { code: "BLOCK_FAILED", message: "\ud800 \n \0 👋", details: { list: [1, null, "x"] } } } });
      expectEqual(await (await another()).head("run_a"), writer.head, "the head");
    },
  ],
  [
    "large entries and many entries in one commit come back",
    async ({ store, another }) => {
      const large = JSON.stringify({ text: "wavepoint 🌊 ".repeat(150_000) });
      const many = Array.from({ length: 5000 }, (_, index) => `{"n":${index}}`);
      const writer = runWriter(store, "run_a");
      await writer.commit([large]);
      await writer.commit(many);
      const reader = await another();
      expectEqual((await reader.read("run_a", { to: 1 }))[0] === large, true, "the large entry is the same");
      expectEqual(await reader.read("run_a", { from: 1 }), many, "the many");
      expectEqual(await reader.read("run_a", { from: 2500, to: 2502 }), many.slice(2499, 2501), "a range inside the many");
    },
  ],
  [
    "what is no key is refused everywhere, and nothing is stored",
    async ({ store }) => {
      for (const key of REFUSED_KEYS as readonly string[]) {
        const name = JSON.stringify(key).slice(0, 40);
        await expectCode(() => runWriter(store, key).commit(["{}"]), "STORE_KEY_INVALID", `commit to ${name}`);
        await expectCode(() => store.head(key), "STORE_KEY_INVALID", `head of ${name}`);
        await expectCode(() => store.read(key), "STORE_KEY_INVALID", `read of ${name}`);
        await expectCode(() => store.delete(key), "STORE_KEY_INVALID", `delete of ${name}`);
        await expectCode(() => store.claim(key), "STORE_KEY_INVALID", `claim of ${name}`);
        await expectCode(() => store.checkpoints({ run: key }), "STORE_KEY_INVALID", `checkpoints of ${name}`);
        await expectCode(() => store.putBlob(key, "text"), "STORE_KEY_INVALID", `a blob under ${name}`);
        await expectCode(() => store.getBlob(key), "STORE_KEY_INVALID", `the blob of ${name}`);
        await expectCode(() => store.putNote(key, "draft.0", "text"), "STORE_KEY_INVALID", `a note of ${name}`);
        await expectCode(() => store.putNote("run_a", key, "text"), "STORE_KEY_INVALID", `a note under ${name}`);
        await expectCode(() => store.notes(key), "STORE_KEY_INVALID", `the notes of ${name}`);
        await expectCode(
          () => runWriter(store, "run_a").commit(["{}"], { dropNotes: [key] }),
          "STORE_KEY_INVALID",
          `a commit that drops note ${name}`,
        );
        if (key !== "-rf") await expectCode(() => store.runs({ workflow: key }), "STORE_KEY_INVALID", `runs of workflow ${name}`);
      }
      expectEqual((await store.runs()).items, [], "the runs");
    },
  ],
  [
    "keys that look alike to file systems stay apart",
    async ({ store, another }) => {
      for (const key of ACCEPTED_KEYS) {
        await runWriter(store, key).commit([JSON.stringify(key)], { checkpoints: [checkpointRow(key, 0)] });
        await store.putBlob(key, `blob of ${key}`);
      }
      const reader = await another();
      for (const key of ACCEPTED_KEYS) {
        expectEqual(await reader.read(key), [JSON.stringify(key)], `the journal of ${key}`);
        expectEqual((await reader.head(key))?.id, key, `the head of ${key}`);
        expectEqual((await reader.checkpoints({ run: key })).items, [checkpointRow(key, 0)], `the checkpoints of ${key}`);
        expectEqual(await reader.getBlob(key), `blob of ${key}`, `the blob of ${key}`);
      }
      expectEqual((await reader.runs()).items.map(({ id }) => id).toSorted(), ACCEPTED_KEYS.toSorted(), "the runs");
    },
  ],
  [
    "blobs are kept under their hash, and keeping one again changes nothing",
    async ({ store, another }) => {
      expectEqual(await store.getBlob("f00d"), undefined, "an unknown blob");
      await Promise.all([store.putBlob("f00d", "first"), store.putBlob("f00d", "first"), store.putBlob("beef", "second")]);
      await store.putBlob("f00d", "first");
      for (const [index, text] of ODD_TEXTS.entries()) await store.putBlob(`odd${index}`, text);
      await store.putBlob("large", "🌊".repeat(500_000));
      const reader = await another();
      expectEqual(await reader.getBlob("f00d"), "first", "the blob");
      expectEqual(await reader.getBlob("beef"), "second", "the other blob");
      for (const [index, text] of ODD_TEXTS.entries()) expectEqual(await reader.getBlob(`odd${index}`), text, "an odd text");
      expectEqual((await reader.getBlob("large")) === "🌊".repeat(500_000), true, "the large blob is the same");
    },
  ],
];

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Commit, RunHead, Store } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { runWriter } from "wavepoint/testing";
import { attackedStore, flipped, type Attack } from "./attack.ts";
import { keyBytes } from "./keys.ts";
import { sealedRecords, TEXTS, type SealedRecords } from "./sealed-records.ts";

let records: SealedRecords;
beforeAll(async () => {
  records = await sealedRecords();
});

/** The store as who has the key finds it after an attack. */
function found(attack: Attack, inner: Store = records.inner): Promise<Store> {
  return encryptedStore(attackedStore(inner, attack), { key: keyBytes(1) });
}

/** An attack on the journal of `run_a` alone. */
function onJournal(change: (texts: readonly string[]) => readonly string[]): Attack {
  return { entries: (texts, run) => (run === "run_a" ? change(texts) : texts) };
}

/** An attack on the head of `run_a` alone. */
function onHead(change: (head: RunHead) => RunHead | undefined): Attack {
  return { head: (head) => (head.id === "run_a" ? change(head) : head) };
}

/** A store that keeps its commits. */
function recording(store: Store): { readonly inner: Store; readonly commits: readonly Commit[] } {
  const commits: Commit[] = [];
  const inner: Store = {
    ...store,
    async commit(commit) {
      await store.commit(commit);
      commits.push(commit);
    },
  };
  return { inner, commits };
}

const TAMPERED = { code: "STORE_TAMPERED" };

test("what was not touched reads as it was written", async () => {
  const store = await found({});
  expect(await store.read("run_a")).toEqual(TEXTS);
  expect(await store.head("run_a")).toEqual(records.writer.head);
  expect(await store.getBlob("f00d")).toBe("a blob");
});

describe("S9: a record of a journal is one error, naming run and entry", () => {
  const swap = (texts: readonly string[], a: number, b: number): readonly string[] =>
    texts.with(a, texts[b] as string).with(b, texts[a] as string);

  test.each<[what: string, entry: number, change: (texts: readonly string[]) => readonly string[]]>([
    ["whose nonce is changed", 4, (texts) => texts.with(4, flipped(texts[4]!, 3))],
    ["whose words are changed", 4, (texts) => texts.with(4, flipped(texts[4]!, 20))],
    ["whose tag is changed", 4, (texts) => texts.with(4, flipped(texts[4]!, texts[4]!.length - 4))],
    ["written another way", 4, (texts) => texts.with(4, `${texts[4]} `)],
    ["in the place of the one before", 3, (texts) => swap(texts, 3, 4)],
    ["far from its place", 1, (texts) => swap(texts, 1, 7)],
    ["that stands twice", 5, (texts) => texts.toSpliced(5, 0, texts[4]!)],
    ["that stands twice in the place of another", 5, (texts) => texts.with(5, texts[4]!)],
    ["behind one that was taken out", 4, (texts) => texts.toSpliced(4, 1)],
    ["behind many that were taken out at the beginning", 0, (texts) => texts.slice(3)],
    ["that was cut off at the end", 8, (texts) => texts.slice(0, 8)],
    ["that was cut off with all others", 0, () => []],
    ["that was put into the clear", 4, (texts) => texts.with(4, TEXTS[4]!)],
    ["that is an entry in the clear, as base64", 4, (texts) => texts.with(4, btoa("\0entry 4 and some more letters"))],
    ["whose tag was cut short", 4, (texts) => texts.with(4, btoa(atob(texts[4]!).slice(0, -12)))],
    ["that is empty", 0, (texts) => texts.with(0, "")],
  ])("%s", async (_, entry, change) => {
    const store = await found(onJournal(change));
    await expect(store.read("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { run: "run_a", entry } });
    expect(await store.read("run_b")).toEqual(TEXTS);
  });

  test("of another run at the same place", async () => {
    const others = await records.inner.read("run_b");
    const store = await found(onJournal((texts) => texts.with(4, others[4]!)));
    await expect(store.read("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { run: "run_a", entry: 4 } });
  });

  test("of another run, with all that belong to it", async () => {
    const others = await records.inner.read("run_b");
    const store = await found(onJournal(() => others));
    await expect(store.read("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { run: "run_a", entry: 0 } });
  });

  test("of a run of the same id that was deleted", async () => {
    const { inner, store } = await sealedRecords();
    const before = await inner.read("run_a");
    await store.delete("run_a");
    await runWriter(store, "run_a").commit(TEXTS);
    const attacked = await found(
      onJournal((texts) => texts.with(4, before[4]!)),
      inner,
    );
    await expect(attacked.read("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { run: "run_a", entry: 4 } });
  });

  test("that was written after the run had been put back to an older state, from before that", async () => {
    const { inner, commits } = recording(memoryStore());
    const first = await encryptedStore(inner, { key: keyBytes(1) });
    const writer = runWriter(first, "run_a");
    await writer.commit(["entry 0"]);
    const older = memoryStore();
    for (const commit of commits) await older.commit(commit);
    await writer.commit(["entry 1"]);
    const [, lost] = await inner.read("run_a");
    const second = await encryptedStore(older, { key: keyBytes(1) });
    await runWriter(second, "run_a", await second.head("run_a")).commit(["another entry 1"]);
    const attacked = await found(
      onJournal((texts) => texts.with(1, lost!)),
      older,
    );
    await expect(attacked.read("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { entry: 1 } });
  });

  test("in a range: changed, cut off, or behind one that was exchanged", async () => {
    const changed = await found(onJournal((texts) => texts.with(4, flipped(texts[4]!, 30))));
    await expect(changed.read("run_a", { from: 4, to: 6 })).rejects.toMatchObject({ ...TAMPERED, details: { entry: 4 } });
    expect(await changed.read("run_a", { from: 5 })).toEqual(TEXTS.slice(5));
    const cut = await found(onJournal((texts) => texts.slice(0, 5)));
    await expect(cut.read("run_a", { from: 4, to: 6 })).rejects.toMatchObject({ ...TAMPERED, details: { entry: 5 } });
    const shifted = await found(onJournal((texts) => [...texts.slice(1), texts[0]!]));
    await expect(shifted.read("run_a", { from: 3, to: 5 })).rejects.toMatchObject({ ...TAMPERED, details: { entry: 3 } });
    const exchanged = await found(onJournal((texts) => texts.with(4, texts[3]!)));
    await expect(exchanged.read("run_a", { from: 5 })).rejects.toMatchObject({ ...TAMPERED, details: { entry: 5 } });
  });
});

describe("S9: the beginning of a journal behind a base", () => {
  async function withBases(): Promise<SealedRecords & { readonly first: string }> {
    const made = await sealedRecords();
    await made.writer.commit([], { base: { at: 4, text: "base 4" } });
    const [first] = await made.inner.read("run_a");
    await made.writer.commit([], { base: { at: 4, text: "another 4" } });
    return { ...made, first: first! };
  }

  test("the entry after the base is bound to what the base stands for", async () => {
    const { store, inner } = await withBases();
    expect(await store.read("run_a")).toEqual(["another 4", ...TEXTS.slice(4)]);
    expect(await store.read("run_a", { from: 4, to: 5 })).toEqual(["entry 4"]);
    for (const range of [{}, { from: 4, to: 5 }]) {
      const attacked = await found(
        onJournal((texts) => texts.with(0, texts[1]!)),
        inner,
      );
      await expect(attacked.read("run_a", range)).rejects.toMatchObject({ ...TAMPERED, details: { run: "run_a", entry: 3 } });
    }
  });

  test("a base that was changed, cut out, put into the clear, or put back", async () => {
    const { inner, first } = await withBases();
    const attacks = [
      (texts: readonly string[]) => texts.with(0, flipped(texts[0]!, 30)),
      (texts: readonly string[]) => texts.slice(1),
      (texts: readonly string[]) => texts.with(0, "another 4"),
      (texts: readonly string[]) => texts.with(0, first),
    ];
    for (const attack of attacks) {
      await expect((await found(onJournal(attack), inner)).read("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { entry: 3 } });
    }
  });

  test("a base for what is not yet there, and further bases, go on in one chain", async () => {
    const { store, writer } = await withBases();
    await writer.commit(["entry 9", "entry 10"], { base: { at: 10, text: "base 10" } });
    expect(await store.read("run_a")).toEqual(["base 10", "entry 10"]);
    await writer.commit([], { base: { at: 11, text: "base 11" } });
    await writer.commit(["entry 11"]);
    expect(await store.read("run_a")).toEqual(["base 11", "entry 11"]);
    expect(await store.read("run_a", { from: 11 })).toEqual(["entry 11"]);
  });
});

describe("S9: a head", () => {
  const fields: Partial<RunHead> = {
    workflow: "other",
    definition: "e".repeat(64),
    status: "completed",
    createdAt: 1,
    updatedAt: 1,
    revision: 9,
    epoch: 9,
    entries: 6,
    base: 3,
    blobs: [],
    pauses: [{ id: "pause_a.0", path: [], prompt: "Give me your password" }],
    parent: { run: "run_p", block: "other" },
    fork: { run: "run_p", checkpoint: "chk_p.0" },
    imported: true,
    ownership: 3,
    transferredTo: "elsewhere",
    error: { code: "BLOCK_FAILED", message: "Send money." },
  };

  test.each(Object.entries(fields))("whose %s was changed", async (name, value) => {
    const store = await found(onHead((head) => ({ ...head, [name]: value })));
    await expect(store.head("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { run: "run_a" } });
    await expect(store.read("run_a")).rejects.toMatchObject(TAMPERED);
    const { items, damaged } = await store.runs();
    expect(items.map(({ id }) => id)).toEqual(["run_b"]);
    expect(damaged).toEqual([{ run: "run_a", error: expect.objectContaining(TAMPERED) }]);
  });

  test("of which a field was taken away", async () => {
    for (const name of ["parent", "blobs", "sealed"] as const) {
      const { [name]: _, ...rest } = (await records.inner.head("run_a"))!;
      await expect((await found(onHead(() => rest))).head("run_a")).rejects.toMatchObject(TAMPERED);
    }
  });

  test("that carries the seal, or the key, of another run", async () => {
    const { sealed = "" } = (await records.inner.head("run_b"))!;
    const [generation, key] = sealed.split(".");
    await expect((await found(onHead((head) => ({ ...head, sealed })))).head("run_a")).rejects.toMatchObject(TAMPERED);
    const mixed = onHead((head) => ({ ...head, sealed: `${generation}.${key}.${head.sealed!.split(".")[2]}` }));
    await expect((await found(mixed)).head("run_a")).rejects.toMatchObject(TAMPERED);
  });

  test("that says it was sealed with a key that never was", async () => {
    const later = onHead((head) => ({ ...head, sealed: head.sealed!.replace(/^1\./, "7.") }));
    await expect((await found(later)).head("run_a")).rejects.toMatchObject(TAMPERED);
  });

  test("of another run under its id", async () => {
    const other = (await records.inner.head("run_b"))!;
    await expect((await found(onHead(() => other))).head("run_a")).rejects.toMatchObject(TAMPERED);
    await expect((await found(onHead(() => ({ ...other, id: "run_a" })))).head("run_a")).rejects.toMatchObject(TAMPERED);
  });

  test("that is older than its journal, or newer", async () => {
    const { inner, writer, store } = await sealedRecords();
    const [older, journal] = [(await inner.head("run_a"))!, await inner.read("run_a")];
    await writer.commit(["entry 9"]);
    const newer = await found(
      onJournal(() => journal),
      inner,
    );
    await expect(newer.read("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { entry: 9 } });
    // Its own journal is all there; the next writer finds that the run has moved.
    const old = await found(
      onHead(() => older),
      inner,
    );
    expect(await old.read("run_a")).toEqual(TEXTS);
    await expect(runWriter(old, "run_a", await old.head("run_a")).commit(["entry 9, too"])).rejects.toMatchObject({
      code: "STORE_CONFLICT",
    });
    expect(await store.read("run_a", { from: 9 })).toEqual(["entry 9"]);
  });
});

describe("S9: what stands beside journals", () => {
  test("a note that was changed, put into the clear, or moved to another key or run", async () => {
    const [one, other] = await records.inner.notes("run_a");
    const [foreign] = await records.inner.notes("run_b");
    for (const text of [flipped(one!.text, 22), "a draft", other!.text, foreign!.text]) {
      const store = await found({ note: (note) => (note.key === "draft.0" ? { ...note, text } : note) });
      await expect(store.notes("run_a")).rejects.toMatchObject({ ...TAMPERED, details: { run: "run_a", note: "draft.0" } });
    }
  });

  test("a blob that was changed, put into the clear, or moved", async () => {
    await records.store.putBlob("beef", "another blob");
    const other = await records.inner.getBlob("beef");
    const changed = ((await records.inner.getBlob("f00d")) as Uint8Array<ArrayBuffer>).map((byte, i) => (i === 20 ? byte ^ 1 : byte));
    for (const content of [changed, "a blob", other, new TextEncoder().encode("\0a blob"), new Uint8Array(), ""]) {
      const store = await found({ blob: () => content });
      await expect(store.getBlob("f00d")).rejects.toMatchObject({ ...TAMPERED, details: { hash: "f00d" } });
    }
  });

  test("a row of the index that was changed, or whose code is missing", async () => {
    const changes = [
      { workflow: "other" },
      { kind: "pause" },
      { number: 1 },
      { createdAt: 6 },
      { entries: 2 },
      { sealed: "" },
      { run: "run_b" },
    ];
    for (const change of changes) {
      const store = await found({ row: (row) => (row.run === "run_a" ? { ...row, ...(change as object) } : row) });
      const { items, damaged } = await store.checkpoints();
      expect(items.map(({ run }) => run)).toEqual(["run_b"]);
      expect(damaged).toEqual([{ run: change.run ?? "run_a", error: expect.objectContaining(TAMPERED) }]);
    }
  });

  test("the record of the store's keys", async () => {
    const onKeys = (change: (head: RunHead) => RunHead | undefined): Attack => ({
      head: (head) => (head.id === "store.key" ? change(head) : head),
    });
    await expect(found(onKeys(() => undefined))).rejects.toMatchObject(TAMPERED);
    await expect(found(onKeys((head) => ({ ...head, sealed: "" })))).rejects.toMatchObject(TAMPERED);
    await expect(found(onKeys((head) => ({ ...head, sealed: "{" })))).rejects.toMatchObject(TAMPERED);
    const rounds = '"generation":1,"salt":"AAAAAAAAAAAAAAAAAAAAAA==","iterations":1e9';
    await expect(found(onKeys((head) => ({ ...head, sealed: head.sealed!.replace('"generation":1', rounds) })))).rejects.toMatchObject(
      TAMPERED,
    );
    await expect(found(onKeys((head) => ({ ...head, sealed: flipped(head.sealed!, 60) })))).rejects.toMatchObject({
      code: "STORE_KEY_WRONG",
    });
    const newer = onKeys((head) => ({ ...head, sealed: head.sealed!.replace('"version":1', '"version":2') }));
    await expect(found(newer)).rejects.toMatchObject({ code: "SCHEMA_VERSION_UNSUPPORTED" });
  });
});

describe("S9: any letter of any record is changed", () => {
  /** All that can be asked of a store, each answer as text or as the code of its error. */
  async function everything(store: Store): Promise<readonly string[]> {
    const asked = [
      store.read("run_a"),
      store.read("run_a", { from: 3, to: 5 }),
      store.head("run_a"),
      store.notes("run_a"),
      store.getBlob("f00d"),
      store.runs(),
      store.checkpoints(),
    ];
    return Promise.all(
      asked.map((call: Promise<unknown>) =>
        call.then(
          (told) => JSON.stringify(told),
          (error: { code: string }) => error.code,
        ),
      ),
    );
  }

  test("each answer is the true one or a typed error, and a list names what it leaves out", async () => {
    const truth = await everything(await found({}));
    const { sealed = "" } = (await records.inner.head("run_a"))!;
    const blob = (await records.inner.getBlob("f00d")) as Uint8Array<ArrayBuffer>;
    let errors = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("entry", "seal", "note", "blob", "row"), fc.nat(8), fc.nat(400), async (kind, number, at) => {
        const attacks: { readonly [kind: string]: Attack } = {
          entry: onJournal((texts) => texts.with(number, flipped(texts[number]!, at))),
          seal: onHead((head) => ({ ...head, sealed: flipped(sealed, at) })),
          note: { note: (note) => ({ ...note, text: flipped(note.text, at) }) },
          blob: { blob: () => blob.map((byte, i) => (i === at % blob.length ? byte ^ (1 << (number % 8)) : byte)) },
          row: { row: (row) => ({ ...row, sealed: flipped(row.sealed!, at) }) },
        };
        const told = await everything(await found(attacks[kind]!));
        told.forEach((answer, i) => {
          if (answer === truth[i]) return;
          errors += 1;
          expect(answer).toMatch(/^STORE_TAMPERED$|"damaged":\[\{.*"STORE_TAMPERED"/);
          if (!answer.startsWith("STORE")) expect(answer).not.toContain('"id":"run_a"');
        });
      }),
      { numRuns: 300 },
    );
    expect(errors).toBeGreaterThan(100);
  });
});

test("a store whose runs are not sealed is not taken for an encrypted one", async () => {
  const plain = memoryStore();
  await runWriter(plain, "run_a").commit(["{}"]);
  await expect(encryptedStore(plain, { key: keyBytes(1) })).rejects.toMatchObject(TAMPERED);
  expect(await plain.head("store.key")).toBeUndefined();
});

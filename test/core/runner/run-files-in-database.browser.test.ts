import { expect, onTestFinished, test } from "vitest";
import { createExecutor, defineBlock, success, type Executor, type Run, type Store, type Workflow } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../../support/clear-database.ts";
import { seededChance } from "../../support/seeded.ts";

/** Bytes of each file: one that stands in its entry, one just too large for that, and one that spans many pages of a database. */
const SIZES = { "small.bin": 15 * 1024, "blob.bin": 17 * 1024, "large.bin": 2_000_000 };
const NAMES = Object.keys(SIZES) as readonly (keyof typeof SIZES)[];
const HOME = "run-files-home";
const AWAY = "run-files-away";

interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

const known = new Map<string, Promise<Content>>();

/** Bytes that no compression makes shorter and that follow from a word, with their hash. */
function contentOf(word: string, name: keyof typeof SIZES): Promise<Content> {
  const key = `${word} ${name}`;
  let content = known.get(key);
  if (!content) {
    const { between } = seededChance(word.charCodeAt(0) * 1_000 + SIZES[name]);
    const bytes = new Uint8Array(SIZES[name]).map(() => between(0, 255));
    known.set(key, (content = sha256(bytes).then((hash) => ({ bytes, hash }))));
  }
  return content;
}

const hashesOf = (word: string) => Promise.all(NAMES.map(async (name) => (await contentOf(word, name)).hash));

/** What the platform says, not the engine. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const blocks = [
  defineBlock({
    type: "Write",
    async execute({ inputs, files }) {
      const { word } = inputs as { readonly word: string };
      for (const name of NAMES) await files.write(name, (await contentOf(word, name)).bytes, { type: "application/octet-stream" });
      return success({});
    },
  }),
  defineBlock({
    type: "Digest",
    async execute({ files }) {
      const digests = NAMES.map(async (name) => sha256((await files.read(name)).bytes as Uint8Array<ArrayBuffer>));
      return success({ digests: await Promise.all(digests) });
    },
  }),
];

const FLOW: Workflow = {
  name: "album",
  blocks: [
    { id: "word", type: "GetInput", inputs: { prompt: "Which word?" } },
    { id: "write", type: "Write", dependsOn: ["word"], inputs: { word: "${blocks.word.input_value}" } },
    { id: "digest", type: "Digest", dependsOn: ["write"] },
    { id: "sure", type: "ConfirmOperation", dependsOn: ["digest"], inputs: { message: "Sure?" } },
  ],
  outputs: { digests: "${blocks.digest.digests}", large: '${blocks.write.files["large.bin"]}' },
};

/** What is open, so that all of it is closed before a database is opened anew. */
async function reopen(name: string, work: (executor: Executor, store: Store) => Promise<void>): Promise<void> {
  const store = indexedDbStore({ name });
  const executor = createExecutor({ store, workflows: [FLOW], blocks });
  await work(executor, store);
  await executor.close();
  await store.close();
}

async function expectFiles(run: Run, word: string): Promise<void> {
  const hashes = await hashesOf(word);
  const type = "application/octet-stream";
  expect(await run.files()).toEqual(NAMES.map((name, i) => ({ name, size: SIZES[name], type, hash: hashes[i], block: "write" })));
  for (const name of NAMES) {
    const { bytes } = await run.readFile(name);
    // As the platform compares keys: the matcher of the test runner takes seconds for so many bytes.
    expect([bytes.length, indexedDB.cmp(bytes, (await contentOf(word, name)).bytes)]).toEqual([SIZES[name], 0]);
  }
  expect((await run.state()).values["digest"]).toEqual({ digests: hashes });
}

const answer = (run: Run, response: string) => run.answer(run.getSnapshot().pauses[0]!.id, response);

test("files of 15 KiB, 17 KiB and 2 MB are the same bytes in a database after it is opened anew, a revision, a fork and a move", async () => {
  onTestFinished(async () => {
    for (const name of [HOME, AWAY]) await clearDatabase(name);
  });
  let [id, forked, moved, file] = ["", "", "", ""];
  await reopen(HOME, async (executor) => {
    const run = await executor.start("album");
    await run.settled();
    await answer(run, "first");
    ({ id } = run);
  });
  await reopen(HOME, async (executor, store) => {
    const run = await executor.open(id);
    await expectFiles(run, "first");
    // The small one stands in the journal, the others beside it.
    expect([...(await store.head(id))!.blobs!].toSorted()).toEqual((await hashesOf("first")).slice(1).toSorted());
    expect((await store.read(id)).join("").length).toBeLessThan(2 * SIZES["small.bin"]);
    forked = (await executor.fork(run.getSnapshot().pauses[0]!.id)).id;
    await run.revise((await run.answers())[0]!.pause!, "second");
    await expectFiles(run, "second");
  });
  await reopen(HOME, async (executor) => {
    await expectFiles(await executor.open(id), "second");
    await expectFiles(await executor.open(forked), "first");
    file = await executor.runs.export(id);
    await executor.runs.delete(id);
  });
  await reopen(AWAY, async (executor) => {
    moved = (await executor.runs.import(file)).id;
  });
  for (const [name, run, word] of [
    [HOME, forked, "first"],
    [AWAY, moved, "second"],
  ] as const) {
    await reopen(name, async (executor, store) => {
      // Bytes that no run needs go, those of the others stay.
      await createExecutor({ store: { ...store, sweepBlobs: (keep) => store.sweepBlobs(keep, Number.MAX_SAFE_INTEGER) } }).cleanup();
      const there = await executor.open(run);
      await expectFiles(there, word);
      const digests = await hashesOf(word);
      expect(await answer(there, "yes")).toMatchObject({
        status: "success",
        outputs: { digests, large: { name: "large.bin", size: 2_000_000, hash: digests[2] } },
      });
    });
  }
});

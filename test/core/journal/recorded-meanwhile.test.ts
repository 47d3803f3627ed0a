import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type CheckpointPolicy, type RunHead, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Carries so much from one execution to the next that a snapshot is worth its bytes after so many. */
const LENGTH = 12_000;
const ROUNDS = 24;
const carries = defineBlock({
  type: "Carries",
  execute: ({ iteration, nextIteration }) => (iteration < ROUNDS ? nextIteration("x".repeat(LENGTH)) : success({})),
});
const LONG: Workflow = {
  name: "long",
  blocks: [
    { id: "carries", type: "Carries", maxIterations: 2 * ROUNDS },
    { id: "one", type: "GetInput", inputs: { prompt: "One?" } },
    { id: "two", type: "GetInput", inputs: { prompt: "Two?" } },
  ],
};
const ID = "run_long";
const PARTS = { workflows: [LONG], blocks: [carries], host: fakeHost({ autoAdvance: true }) };
/** How many turns of the queue of promises a commit takes. */
const TURNS = 10;
/** How many turns later the answer may come. */
const DELAYS = Array.from({ length: 60 }, (_, delay) => delay);

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await undefined;
}

interface Kept {
  /** Entries that a snapshot stands for, each with those that were stored then. */
  readonly snapshots: (readonly [entries: number, stored: number])[];
  /** Open questions by the head of a commit, each with those of its journal. */
  readonly heads: (readonly [head: readonly string[], journal: readonly string[]])[];
}

/** Starts the run, answers its first question so many turns after one of the last commits before it rests was begun, and gives what was stored. */
async function answerAfter(delay: number, policy: CheckpointPolicy): Promise<Kept> {
  const inside = memoryStore();
  const kept: Kept = { snapshots: [], heads: [] };
  let rounds = 0;
  let answered: Promise<unknown> | undefined;
  const answer = async (): Promise<void> => {
    await turns(delay);
    await run.answer("pause_long.0", "yes");
  };
  const store: Store = {
    ...inside,
    durable: true,
    async commit(commit) {
      rounds += commit.entries.filter((text) => text.startsWith('{"type":"iterated"')).length;
      if (rounds >= ROUNDS - 4) answered ??= answer();
      await turns(TURNS);
      await inside.commit(commit);
      kept.heads.push([questionsOf(commit.head), await questionsStored(inside)]);
    },
    async putNote(id, key, text) {
      if (key === "snapshot.state" && text !== undefined) {
        const { entries } = JSON.parse(text.slice(text.indexOf("{"))) as { readonly entries: number };
        kept.snapshots.push([entries, (await inside.head(id))!.entries]);
      }
      return inside.putNote(id, key, text);
    },
  };
  const run = await createExecutor({ ...PARTS, store, policy }).start("long", {}, { id: "long" });
  await run.settled();
  await answered;
  return kept;
}

const questionsOf = ({ pauses }: Pick<RunHead, "pauses">): readonly string[] => pauses.map(({ id }) => id);

/** The open questions as another process reads them from the journal. */
async function questionsStored(store: Store): Promise<readonly string[]> {
  const run = await createExecutor({ ...PARTS, store }).open(ID);
  return run.getSnapshot().pauses.map(({ id }) => id);
}

test("D6: what is recorded between a commit and a snapshot is not in the snapshot before it is stored", async () => {
  let made = 0;
  for (const delay of DELAYS) {
    const { snapshots } = await answerAfter(delay, {});
    made += snapshots.length;
    for (const [entries, stored] of snapshots) expect(entries, `${delay} turns`).toBeLessThanOrEqual(stored);
  }
  expect(made).toBeGreaterThan(0);
});

test.each([{ retention: "latest" }, { retention: "windowed", window: 1 }] as const)(
  "D2: a head tells of what is stored with it, under %o",
  async (policy) => {
    for (const delay of DELAYS) {
      const { heads } = await answerAfter(delay, policy);
      expect(heads.length).toBeGreaterThan(1);
      for (const [head, journal] of heads) expect(head, `${delay} turns`).toEqual(journal);
    }
  },
);

import type { CheckpointRow, Store } from "wavepoint";
import { checkpointRow, runWriter } from "../../src/testing/conformance/writer.ts";

const RUN = "run_a";
/** Entries of one commit. */
const GROUP = 3;
/** Every how many commits one replaces all that stands before it. */
const BASE_EVERY = 20;
/** Commits after which others get a turn. */
const TURN_EVERY = 4;

let turn: Promise<void> | undefined;

/** Gives others a turn, since a store may never wait. All that wait for the same turn continue at once, so that their next calls are mixed. */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setTimeout(() => {
      turn = undefined;
      resolve();
    }, 0);
  });
  return turn;
}

/**
 * Writes commits of which a reader can tell whether it sees all of them: three numbered entries, a checkpoint row, a question, and a draft
 * that goes when the question has changed.
 */
export async function writeGroups(store: Store, commits: number): Promise<void> {
  const writer = runWriter(store, RUN);
  for (let number = 0; number < commits; number += 1) {
    const first = number * GROUP;
    const base = number % BASE_EVERY === BASE_EVERY - 1 ? { base: { at: first, text: JSON.stringify({ stands: first }) } } : {};
    await writer.commit(
      [0, 1, 2].map((i) => JSON.stringify({ n: first + i })),
      {
        head: { pauses: [{ id: `pause_${RUN}.${number}`, path: ["q"], prompt: `question ${number}` }] },
        checkpoints: [checkpointRow(RUN, number, { entries: first + GROUP })],
        dropNotes: [`draft.${number - 1}`],
        ...base,
      },
    );
    await store.putNote(RUN, `draft.${number}`, "{}");
    if (number % TURN_EVERY === 0) await nextTurn();
  }
}

/** What a reader has seen so far: later looks show no less. */
interface Seen {
  looks: number;
  commits: number;
}

/** Looks at the run with one call after another, and throws where one shows part of a commit, or something older than the one before it. */
async function lookAtGroups(store: Store, seen: Seen): Promise<void> {
  seen.looks += 1;
  const show = (commits: number, what: string): void => {
    if (!Number.isInteger(commits)) throw new Error(`${what} show part of a commit: ${commits} commits`);
    if (commits < seen.commits) throw new Error(`${what} show ${commits} commits, and something before showed ${seen.commits}`);
    seen.commits = commits;
  };
  const head = await store.head(RUN);
  if (head === undefined) return;
  const { revision, pauses } = head;
  show(head.entries / GROUP, "The entries of the head");
  if (revision !== seen.commits || pauses[0]?.prompt !== `question ${revision - 1}`)
    throw new Error(`The head is of two commits: ${JSON.stringify(head)}`);
  show(countEntries(await store.read(RUN)) / GROUP, "Entries");
  show(countRows((await store.checkpoints({ run: RUN, limit: 1_000 })).items), "Checkpoint rows");
  show((await store.runs()).items[0]!.entries / GROUP, "The runs in a list");
  const drafts = (await store.notes(RUN, "draft.")).map(({ key }) => Number(key.slice("draft.".length)));
  // The draft of the newest question may not have come yet, and that of the one before is gone with the commit that asked it.
  if (drafts.some((number) => number < seen.commits - 1))
    throw new Error(`After ${seen.commits} commits there are drafts ${drafts.join()}`);
}

/** How many entries a journal has that goes on without a gap. */
function countEntries(texts: readonly string[]): number {
  const entries = texts.map((text) => JSON.parse(text) as { readonly n?: number; readonly stands?: number });
  const start = entries[0]?.stands;
  const rest = start === undefined ? entries : entries.slice(1);
  rest.forEach(({ n }, i) => {
    if (n !== (start ?? 0) + i) throw new Error(`Entry ${(start ?? 0) + i} is ${String(n)}`);
  });
  return (start ?? 0) + rest.length;
}

/** How many commits the rows are of. */
function countRows(rows: readonly CheckpointRow[]): number {
  rows.forEach(({ number, entries }, i) => {
    if (number !== rows.length - 1 - i || entries !== (number + 1) * GROUP)
      throw new Error(`Row ${i} of ${rows.length} is ${number}, at ${entries}`);
  });
  return rows.length;
}

/** Looks again and again until something is over. */
export async function watchGroups(store: Store, over: Promise<unknown>): Promise<Seen> {
  const seen = { looks: 0, commits: 0 };
  let isOver = false;
  const ending = over.finally(() => (isOver = true));
  ending.catch(() => {});
  while (!isOver) {
    await lookAtGroups(store, seen);
    await nextTurn();
  }
  await ending;
  await lookAtGroups(store, seen);
  return seen;
}

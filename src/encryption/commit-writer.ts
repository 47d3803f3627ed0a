import { WorkflowError } from "../core/model/errors.ts";
import type { Commit, Store } from "../core/ports/store.ts";
import type { Keyring } from "./keyring.ts";
import { readChain } from "./entry-reader.ts";
import { type OpenedRun, type RunSeals, assertRunKey } from "./run-seals.ts";
import { markOf } from "./seal.ts";
import { sealBase, sealEntries } from "./sealed-entries.ts";
import { type ChainEnd, sealHead } from "./sealed-head.ts";
import { sealRow } from "./sealed-lists.ts";

/** Runs whose newest state is remembered. */
const REMEMBERED_RUNS = 64;

/** Seals commits and hands them to the store inside, those of one run one after another. */
export interface CommitWriter {
  commit(commit: Commit): Promise<void>;
  /** Notes how a run was found: it may be another one of the same id than the one that was written. */
  saw(run: string, opened: OpenedRun | undefined): void;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

/** A writer over a store; nothing is known of any run yet. */
export function commitWriter(store: Store, keyring: Keyring, seals: RunSeals): CommitWriter {
  /** How runs stood after the last commit of this writer that was acknowledged; least recently written first. */
  const known = new Map<string, OpenedRun>();
  const busy = new Map<string, Promise<void>>();

  async function standing({ run, expected }: Commit): Promise<OpenedRun> {
    if (!expected) return seals.create(run);
    const remembered = known.get(run);
    const opened = isExpected(remembered, expected) ? remembered : await seals.read(run);
    if (isExpected(opened, expected)) return opened;
    throw new WorkflowError("STORE_CONFLICT", `Another writer changed run ${run} first. Read the run again and decide anew.`, {
      details: { run },
    });
  }

  async function write(commit: Commit): Promise<void> {
    const opened = await standing(commit);
    const { sealed, chain } = await sealCommit(store, keyring, opened, commit);
    await store.commit(sealed);
    remember({ ...opened, head: commit.head, chain });
  }

  function remember(opened: OpenedRun): void {
    known.delete(opened.run);
    known.set(opened.run, opened);
    if (known.size > REMEMBERED_RUNS) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
  }

  return {
    async commit(commit) {
      const { run } = commit;
      assertCommit(commit);
      const before = busy.get(run);
      const written = before === undefined ? write(commit) : before.then(() => write(commit));
      const settled = written.catch(() => {}).finally(() => busy.get(run) === settled && busy.delete(run));
      busy.set(run, settled);
      await written;
    },
    saw(run, opened) {
      if (known.get(run)?.wrapped.text !== opened?.wrapped.text) known.delete(run);
    },
    async settled() {
      await Promise.all(busy.values());
    },
  };
}

/** The commit as the store inside gets it, and the end of the chain after it. */
async function sealCommit(
  store: Store,
  keyring: Keyring,
  opened: OpenedRun,
  commit: Commit,
): Promise<{ readonly sealed: Commit; readonly chain: ChainEnd }> {
  const { head, entries: texts, base, checkpoints } = commit;
  const from = head.entries - texts.length;
  const { entries: sealing, marks } = sealEntries(opened, texts, { from, before: opened.chain.last });
  const sealedBase = base && (await sealBase(opened, base, await linkOf(store, opened, base.at - from, marks)));
  const baseMark = sealedBase === undefined ? opened.chain.base : markOf(sealedBase);
  const chain = { last: marks.at(-1) ?? opened.chain.last, ...(baseMark !== undefined && { base: baseMark }) };
  const [entries, sealedHead, rows] = await Promise.all([
    sealing,
    sealHead(head, chain, opened.wrapped, opened.key),
    checkpoints && Promise.all(checkpoints.map((row) => sealRow(keyring, row))),
  ]);
  const sealed = {
    ...commit,
    head: sealedHead,
    entries,
    ...(base && { base: { at: base.at, text: sealedBase! } }),
    ...(rows && { checkpoints: rows }),
  };
  return { sealed, chain };
}

/** The mark of the last entry that a base stands for. `added`: how many of a commit's entries it stands for; below 0 where stored ones follow it. */
async function linkOf(store: Store, opened: OpenedRun, added: number, marks: readonly string[]): Promise<string> {
  if (added > 0) return marks[added - 1]!;
  if (added === 0) return opened.chain.last;
  const next = opened.head!.entries + added;
  return (await readChain(store, opened, { from: next, to: next + 1 })).before;
}

/** Throws `STORE_KEY_INVALID` or `STORE_FAILED` for a commit that cannot be sealed; the store inside looks at the rest. */
function assertCommit({ run, head, expected, entries, base }: Commit): void {
  assertRunKey(run);
  const follows = head.id === run && head.revision === (expected?.revision ?? 0) + 1 && head.entries >= entries.length;
  const fits = !base || (Number.isInteger(base.at) && base.at > 0 && base.at <= head.entries && base.at === head.base);
  if (follows && fits) return;
  const what = follows ? `a base at ${base?.at} does not belong to its head` : "its head does not follow";
  throw new WorkflowError("STORE_FAILED", `The commit to run ${run} contradicts itself: ${what}. Correct the code that made it.`);
}

function isExpected(opened: OpenedRun | undefined, expected: NonNullable<Commit["expected"]>): opened is OpenedRun {
  return opened?.head?.revision === expected.revision && opened.head.epoch === expected.epoch;
}

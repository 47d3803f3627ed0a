import type { Commit, Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { createGame, startProcess, withoutIds, withoutTimes, type Ending, type Progress } from "../crash-points/crash-run.ts";
import type { Case } from "../corpus/case.ts";
import { loadCase } from "../corpus/run-case.ts";
import { unitName } from "../../src/core/machine/unit.ts";

/** A commit, and how many answers were given when it was written. */
interface Written {
  readonly commit: Commit;
  readonly progress: Progress;
}

/** What came of a case. */
export interface Played {
  readonly ending: Ending;
  /** The journals of the run and of those it called, without times and ids. */
  readonly journals: readonly (readonly string[])[];
}

export interface Recorded extends Played {
  /** The case, gone on with from the prefixes of what was written, after each entry of each commit: from every one, or one in `stride`. */
  prefixes(stride: number, from: number): AsyncGenerator<Played & { readonly prefix: string }>;
}

/** Plays a case to its end and remembers what was written on the way. Nothing where the case does not begin to run. */
export async function recordCase(theCase: Case): Promise<Recorded | undefined> {
  const { workflows, error } = await loadCase(theCase.workflows);
  if (error !== undefined) return undefined;
  const [workflow] = workflows;
  const inner = memoryStore();
  const written: Written[] = [];
  const blobs: Parameters<Store["putBlob"]>[] = [];
  const game = createGame(theCase, workflow!);
  const store: Store = {
    ...inner,
    async putBlob(hash, content) {
      blobs.push([hash, content]);
      await inner.putBlob(hash, content);
    },
    async commit(commit) {
      const progress = game.progress();
      await inner.commit(commit);
      written.push({ commit, progress });
    },
  };
  const first = await startProcess(store, workflows, {}, 1);
  if (first === undefined || !(await game.play(first))) return undefined;
  return {
    ending: await game.ending(first),
    journals: await canonicalJournals(inner),
    async *prefixes(stride, from) {
      let turn = from;
      for (const [i, last] of written.entries()) {
        const { entries } = last.commit;
        for (let kept = 1; kept <= entries.length; kept += 1) {
          if ((turn += 1) % stride !== 0) continue;
          const cut = memoryStore();
          for (const [hash, content] of blobs) await cut.putBlob(hash, content);
          for (const { commit } of written.slice(0, i)) await cut.commit(commit);
          await cut.commit(kept < entries.length ? beginningOf(last.commit, kept) : last.commit);
          const again = createGame(theCase, workflow!, last.progress);
          const second = (await startProcess(cut, workflows, {}, 2))!;
          await again.play(second);
          const prefix = `entry ${kept} of ${entries.length} in commit ${i + 1} of ${written.length}`;
          yield { prefix, ending: await again.ending(second), journals: await canonicalJournals(cut) };
        }
      }
    },
  };
}

/** A commit that was cut short: the entries that are left, and what follows from them alone. */
function beginningOf(commit: Commit, kept: number): Commit {
  const { head, entries, checkpoints = [] } = commit;
  const count = head.entries - entries.length + kept;
  const { error: _, ...rest } = head;
  return {
    ...commit,
    entries: entries.slice(0, kept),
    head: { ...rest, entries: count, status: "running", pauses: [] },
    checkpoints: checkpoints.filter((row) => row.entries <= count),
  };
}

/**
 * Journals without what differs from one process to the next: times, ids, and that a process took a run over. Workflows that are called at the
 * same time end in any order, so where there are some, entries and questions have no order either.
 */
async function canonicalJournals(store: Store): Promise<readonly (readonly string[])[]> {
  const { items } = await store.runs({ limit: 1_000 });
  const journals = await Promise.all(items.map(async ({ id }) => canonicalJournal(await store.read(id))));
  return (items.length > 1 ? journals.map((journal) => journal.toSorted()) : journals).toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
}

function canonicalJournal(texts: readonly string[]): readonly string[] {
  const questions: string[] = [];
  return texts.flatMap((text) => {
    // How many entries a called run had counts those of a recovery too.
    const { type, at: _, childEntries: __, pause, ...entry } = JSON.parse(text) as CanonicalEntry;
    if (type === "recovered" || type === "resumed") return [];
    if (type === "paused") questions[pause!] = unitName(entry.block!, entry.item);
    const question = pause === undefined ? {} : { question: questions[pause] };
    return [withoutIds(JSON.stringify({ type, ...question, ...(withoutTimes(entry) as object) }))];
  });
}

/** What tells one entry from another. */
interface CanonicalEntry {
  readonly type: string;
  readonly at: number;
  readonly childEntries?: number;
  readonly pause?: number;
  readonly block?: string;
  readonly item?: number;
}

import type { ArrivedEntry } from "../model/journal.ts";
import type { RunHead } from "../model/run.ts";
import type { Commit } from "../ports/store.ts";
import { deletedRows, prunedRows, Session, storeCommit } from "../journal/journal.ts";
import type { Services } from "../run/run.ts";
import type { FoldedRun } from "../machine/machine.ts";
import type { CheckedRun } from "./check-run-file.ts";
import type { Standing } from "./compare-run.ts";
import { entriesBefore } from "./run-file.ts";

/**
 * Stores a run of a file, in one atomic step: as a new run, behind the copy that was left when it was handed over, or, where all of it is here,
 * at most that its definition is accepted now. Throws `STORE_CONFLICT` on a concurrent write.
 */
export async function storeRun(services: Services, run: CheckedRun, standing: Standing, accept: boolean): Promise<void> {
  const { store } = services;
  if (standing.is === "known") return standing.head.imported && accept ? acceptRun(services, standing.head) : undefined;
  const commit = commitOf(services, run, { standing, accept });
  await storeCommit(services, commit);
  for (const { key, text } of run.moved.drafts) await store.putNote(run.moved.id, key, text);
  if (run.moved.secrets.size > 0) await (await services.loadGuard()).bring(run.moved.id, run.moved.secrets);
}

async function acceptRun({ store }: Services, known: RunHead): Promise<void> {
  const { imported: _, ...head } = known;
  const { id: run, revision, epoch } = head;
  await store.commit({
    run,
    expected: { revision, epoch },
    head: { ...head, revision: revision + 1 },
    entries: [],
    durability: "strict",
  });
}

function commitOf(
  services: Services,
  { moved, run }: CheckedRun,
  { standing, accept }: { readonly standing: Exclude<Standing, { readonly is: "known" }>; readonly accept: boolean },
): Commit {
  const { state } = run;
  const { id, createdAt, fork, base = 0, texts, blobs } = moved;
  const { parent } = state.started;
  const known = standing.is === "back" ? standing.head : undefined;
  const arrival = arrive(services, run);
  // What the file no longer has one by one is here, unless the run went on beyond it.
  const before = known?.entries ?? 0;
  const replaces = base > before;
  const origin = known ?? { createdAt, ...(parent ? { parent } : {}), ...(fork ? { fork } : {}) };
  const session = new Session(services, run, known, { origin });
  if (known) session.raiseEpoch();
  const isTrusted = accept || isTrustedHere(standing, run);
  return {
    run: id,
    expected: known && { revision: known.revision, epoch: known.epoch },
    head: {
      ...session.describe(known, state.entries - before),
      ...(replaces ? { base } : {}),
      ...blobsOf([...(known?.blobs ?? []), ...blobs]),
      ...(isTrusted ? {} : { imported: true }),
    },
    entries: [...texts.slice(replaces ? 1 : before - entriesBefore(moved)), ...arrival],
    ...(replaces ? { base: { at: base, text: texts[0]! } } : {}),
    checkpoints: moved.checkpoints
      .filter(({ entries }) => replaces || entries > before)
      .map((row) => ({ run: id, workflow: state.started.workflow, ...row })),
    // What was deleted where the run came from is still listed here.
    forgotten: known ? [...deletedRows(state), ...(replaces ? prunedRows(state, known.base ?? 0, base) : [])] : [],
    durability: "strict",
  };
}

/** Whether a run goes on here as it did before, with the definition that it has now. */
export function isTrustedHere(standing: Standing, { state }: FoldedRun): boolean {
  if (standing.is === "new" || standing.head.imported) return false;
  return standing.is === "known" || standing.definition === state.definition;
}

/** Folds that a run which was handed over has arrived; gives the entry, or nothing for a copy. */
function arrive({ host }: Services, run: FoldedRun): readonly string[] {
  const { state } = run;
  if (state.transferredTo === undefined) return [];
  const at = Math.max(state.lastAt, host.now() - state.started.at);
  const entry: ArrivedEntry = { type: "arrived", ownership: state.ownership + 1, at };
  run.apply(entry);
  return [JSON.stringify(entry)];
}

function blobsOf(blobs: readonly string[]): Pick<RunHead, "blobs"> {
  return blobs.length > 0 ? { blobs: [...new Set(blobs)] } : {};
}

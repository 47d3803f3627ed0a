import type { CleanupReport } from "../model/maintenance.ts";
import { MAX_CACHED_RESULTS } from "../model/limits.ts";
import type { RunHead } from "../model/run.ts";
import { blobsOfDraft, type CleanupOptions, type Services } from "../run/run.ts";
import { assertUnsealed, deleteAll, familyOf, groupByCaller, whileClaimed } from "./deletion.ts";
import { assertPolicy, listHeads } from "../journal/journal.ts";
import { dropSurplus } from "./automatic-checkpoints.ts";

/** The claim that the one cleaner of a store holds. */
const CLEANER = "wavepoint-cleaner";
/** Blobs are put before the run that refers to them: younger ones may belong to a run that is just being stored. */
const BLOB_REST_MS = 86_400_000;
const NOTHING: CleanupReport = { runs: 0, checkpoints: 0, blobs: 0, done: false };

/** See `Executor.cleanup`. What it removes, it removes run by run, each in one step: it may stop anywhere. */
export async function cleanUp(services: Services, options: CleanupOptions): Promise<CleanupReport> {
  assertPolicy({ ...services.policy, ...options });
  const release = await services.store.claim(CLEANER);
  if (!release) return NOTHING;
  try {
    const { heads } = await listHeads(services);
    for (const head of heads) assertUnsealed(head);
    const runs = await removeRuns(services, heads, options);
    const checkpoints = await removeCheckpoints(services, options);
    const blobs = await sweepBlobs(services);
    await services.store.cache?.sweep(services.host.now(), MAX_CACHED_RESULTS);
    return { runs, checkpoints, blobs, done: true };
  } finally {
    await release();
  }
}

async function removeRuns(services: Services, heads: readonly RunHead[], options: CleanupOptions): Promise<number> {
  const { ttlMs = services.policy.ttlMs, keepPaused = services.policy.keepPaused } = options;
  const now = services.host.now();
  const present = new Set(heads.map(({ id }) => id));
  const called = groupByCaller(heads);
  const isOld = ({ updatedAt }: RunHead, age: number): boolean => now - updatedAt >= age;
  const goes = (head: RunHead): boolean => {
    // What a run called goes with it; what is left of one that is gone goes too.
    if (head.parent) return !present.has(head.parent.run) && isOld(head, Math.max(ttlMs ?? 0, BLOB_REST_MS));
    return ttlMs !== undefined && isOld(head, ttlMs) && (hasEnded(head) || (head.status === "paused" && !keepPaused));
  };
  let removed = 0;
  for (const head of heads) {
    if (!goes(head)) continue;
    removed += await removeFamily(services, familyOf(head, called));
  }
  return removed;
}

/** Whether nothing more happens to it here: what was handed over goes on elsewhere. */
function hasEnded({ status, transferredTo }: RunHead): boolean {
  return (status !== "running" && status !== "paused") || transferredTo !== undefined;
}

/** Deletes a run as it was listed, and what it called; nothing where one of them continued meanwhile. Gives how many. */
async function removeFamily(services: Services, family: readonly RunHead[]): Promise<number> {
  const { store } = services;
  const removed = await whileClaimed(store, family, async () => {
    for (const { id, revision, epoch } of family) {
      const head = await store.head(id);
      if (head?.revision !== revision || head.epoch !== epoch) return 0;
    }
    await deleteAll(services, family);
    return family.length;
  });
  return removed ?? 0;
}

function removeCheckpoints(services: Services, options: CleanupOptions): Promise<number> {
  const { ttlMs = services.policy.ttlMs, maxPerWorkflow = services.policy.maxPerWorkflow } = options;
  if (ttlMs === undefined && maxPerWorkflow === undefined) return Promise.resolve(0);
  return dropSurplus(services, { before: ttlMs === undefined ? undefined : services.host.now() - ttlMs, maxPerWorkflow });
}

async function sweepBlobs(services: Services): Promise<number> {
  const { heads, damaged } = await listHeads(services);
  // What a damaged run needs is not known, and it may be restored.
  if (damaged.size > 0) return 0;
  const keep = new Set(heads.flatMap(({ definition, blobs = [] }) => [definition, ...blobs]));
  // Files that were attached and not sent.
  for (const { id, status } of heads) {
    if (status === "completed" || status === "cancelled") continue;
    for (const { text } of await services.store.notes(id)) for (const hash of blobsOfDraft(text)) keep.add(hash);
  }
  return services.store.sweepBlobs(keep, services.host.now() - BLOB_REST_MS);
}

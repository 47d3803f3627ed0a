import { errorData, WorkflowError } from "../model/errors.ts";
import type { FailedRun, Recovery } from "../model/maintenance.ts";
import { isDue } from "../machine/machine.ts";
import { sleepUntilAborted } from "../runner/runner.ts";
import { type OpenRun, listHeads, type RecoverOptions, type Services } from "../run/run.ts";
import type { AbortSignalLike } from "../ports/host.ts";

/** Milliseconds between two looks. */
const EVERY_MS = 10_000;

/** Goes on with what a dead process left running, until the caller aborts or the executor is closed; see `Executor.recover`. */
export async function recoverRuns(
  services: Services,
  { watch = false, everyMs = EVERY_MS, signal }: RecoverOptions,
  closing: AbortSignalLike,
): Promise<Recovery> {
  if (!(Number.isSafeInteger(everyMs) && everyMs > 0)) {
    throw new WorkflowError("POLICY_INVALID", "everyMs is a whole number of milliseconds from 1.");
  }
  const found: Found = { runs: new Map(), failed: new Map() };
  const hasEnded = (): boolean => closing.aborted || signal?.aborted === true;
  const ended = services.host.newAbortController();
  const end = (): void => ended.abort();
  closing.addEventListener("abort", end, { once: true });
  signal?.addEventListener("abort", end, { once: true });
  try {
    do {
      await lookOnce(services, found);
      if (watch && !hasEnded()) await sleepUntilAborted(services.host, everyMs, ended.signal);
    } while (watch && !hasEnded());
  } finally {
    closing.removeEventListener("abort", end);
    signal?.removeEventListener("abort", end);
  }
  return { runs: [...found.runs.keys()], failed: [...found.failed.values()] };
}

interface Found {
  readonly runs: Map<string, OpenRun>;
  readonly failed: Map<string, FailedRun>;
}

async function lookOnce(services: Services, found: Found): Promise<void> {
  const { runs, failed } = found;
  const { heads } = await listHeads(services, { status: "running" });
  for (const { id } of heads) {
    // It waits for an instant here, or this executor executes it.
    const held = runs.get(id);
    if (held && (held.active || !isDue(held.next()))) continue;
    const fail = (error: unknown): void => void failed.set(id, { run: id, error: errorData(error, "STORE_FAILED") });
    try {
      // A process that holds the lock is alive.
      const release = await services.store.claim(id);
      if (!release) continue;
      await release();
      const run = await services.find(id);
      await run?.update();
      // It came to rest meanwhile.
      if (!run || run.active || run.result()) continue;
      run.assertHere();
      runs.set(id, run);
      run.goOn().catch(fail);
    } catch (error) {
      fail(error);
    }
  }
}

import { WorkflowError } from "../model/errors.ts";
import { afterConflicts, whyUntrusted } from "../runner/runner.ts";
import type { ImportOptions, Run, Services } from "../run/run.ts";
import { checkRunFile, type CheckedRun } from "./check-run-file.ts";
import { compareRun, type Standing } from "./compare-run.ts";
import { readRunFile } from "./read-run-file.ts";
import type { RunFile } from "./run-file.ts";
import { isTrustedHere, storeRun } from "./store-run.ts";

/**
 * Takes in a run file; see `Executor.runs.import`. Nothing is stored before all of it is checked. Called runs are stored before their
 * callers, so a crash in between leaves unreferenced runs, and the same file again completes what is missing.
 */
export async function importRun(services: Services, text: string, options: ImportOptions): Promise<Run> {
  const { accept = false, passphrase } = options;
  const file = await readRunFile(text, { host: services.host, sealer: () => services.sealer(), passphrase });
  await afterConflicts(services.host, async () => {
    // Arrivals are folded into the states: another try begins with new ones.
    const arrivals: Arrival[] = [];
    for (const run of await checkRunFile(services, file)) arrivals.push({ run, standing: await compareRun(services, run) });
    await takeIn(services, file, { arrivals, accept });
  });
  const run = await services.find(file.run);
  if (!run) throw new WorkflowError("RUN_NOT_FOUND", `Run ${file.run} was deleted while it was imported.`, { details: { run: file.run } });
  await run.refresh();
  return run;
}

/** Throws what taking in a run file would throw, and where its runs could not go on here; see `Executor.runs.checkImport`. */
export async function checkImport(services: Services, text: string, { accept = false, passphrase }: ImportOptions): Promise<void> {
  const file = await readRunFile(text, { host: services.host, sealer: () => services.sealer(), passphrase });
  for (const run of await checkRunFile(services, file)) {
    const standing = await compareRun(services, run);
    const problem = accept || isTrustedHere(standing, run.run) ? undefined : await whyUntrusted(services, run.run);
    if (problem) throw problem;
  }
}

interface Arrival {
  readonly run: CheckedRun;
  readonly standing: Standing;
}

async function takeIn(
  services: Services,
  file: RunFile,
  { arrivals, accept }: { readonly arrivals: readonly Arrival[]; readonly accept: boolean },
): Promise<void> {
  const { store } = services;
  const isNews = arrivals.some(({ standing }) => standing.is !== "known");
  const release = isNews ? await store.claim(file.run) : async () => {};
  if (!release) {
    throw new WorkflowError(
      "RUN_ACTIVE",
      `Run ${file.run} is being imported or executed by another tab or process. Try again later; a dead process frees it within seconds.`,
      {
        details: { run: file.run },
      },
    );
  }
  try {
    for (const [hash, content] of file.blobs) await store.putBlob(hash, content);
    for (const { run } of arrivals) {
      const { state } = run.run;
      for (const hash of [state.started.definition, ...state.formerly, state.definition]) {
        const text = file.definitions.get(hash);
        if (text !== undefined) await store.putBlob(hash, text);
        // What keeps secrets is made for the first definition that may have some.
        await services.definition(hash);
      }
    }
    for (const { run, standing } of arrivals.toReversed()) await storeRun(services, run, standing, accept);
  } finally {
    await release();
  }
}

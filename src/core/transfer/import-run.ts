import { WorkflowError } from "../model/errors.ts";
import { afterConflicts } from "../runner/runner.ts";
import type { ImportOptions, Run, Services } from "../run/run.ts";
import { checkRunFile, type CheckedRun } from "./check-run-file.ts";
import { compareRun, type Standing } from "./compare-run.ts";
import { readRunFile } from "./read-run-file.ts";
import type { RunFile } from "./run-file.ts";
import { storeRun } from "./store-run.ts";

/**
 * Takes in a run file; see `Executor.runs.import`. Nothing is stored before all of it is checked. Called runs are stored before their
 * callers, so a crash in between leaves unreferenced runs, and the same file again completes what is missing.
 */
export async function importRun(services: Services, text: string, options: ImportOptions): Promise<Run> {
  const { accept = false, passphrase } = options;
  const file = await readRunFile(text, { host: services.host, sealer: () => services.sealer(), passphrase });
  await afterConflicts(services.host, async () => {
    // Arrivals are folded into the states: another try begins with new ones.
    const checked = await checkRunFile(services, file);
    const standings: Standing[] = [];
    for (const run of checked) standings.push(await compareRun(services, run));
    await takeIn(services, file, { checked, standings, accept });
  });
  const run = await services.find(file.run);
  if (!run) throw new WorkflowError("RUN_NOT_FOUND", `Run ${file.run} was deleted while it was imported.`, { details: { run: file.run } });
  await run.refresh();
  return run;
}

interface Checked {
  readonly checked: readonly CheckedRun[];
  readonly standings: readonly Standing[];
  readonly accept: boolean;
}

async function takeIn(services: Services, file: RunFile, { checked, standings, accept }: Checked): Promise<void> {
  const { store } = services;
  const release = standings.some(({ is }) => is !== "known") ? await store.claim(file.run) : async () => {};
  if (!release) {
    throw new WorkflowError(
      "RUN_ACTIVE",
      `Run ${file.run} is being imported or executed by another tab or process. Wait until that is done.`,
      {
        details: { run: file.run },
      },
    );
  }
  try {
    for (const [hash, content] of file.blobs) await store.putBlob(hash, content);
    for (const {
      run: { state },
    } of checked) {
      for (const hash of [state.started.definition, ...state.formerly, state.definition]) {
        const text = file.definitions.get(hash);
        if (text !== undefined) await store.putBlob(hash, text);
        // What keeps secrets is made for the first definition that may have some.
        await services.definition(hash);
      }
    }
    for (let i = checked.length - 1; i >= 0; i--) await storeRun(services, checked[i]!, standings[i]!, accept);
  } finally {
    await release();
  }
}

import { WorkflowError } from "../../model/errors.ts";
import { afterConflicts } from "../after-conflicts.ts";
import type { TransferOptions } from "../face.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";
import { findBar } from "./bar.ts";
import { assertOptions, writeFamily } from "./export-run.ts";
import { holdMoved } from "./hold-moved.ts";

/** Characters of the words that say where a run went. */
const MAX_PLACE_LENGTH = 1_000;

/**
 * Exports a run for good; see `Executor.runs.transfer`. That it left is journaled before its journal is read, so what anybody answers is
 * either in the file or refused. Once more after a crash gives the file again.
 */
export async function transferRun(services: Services, run: string, options: TransferOptions): Promise<string> {
  const { to } = options;
  assertOptions(options);
  if (typeof to !== "string" || to.trim() === "" || to.length > MAX_PLACE_LENGTH) {
    throw new WorkflowError("INPUT_INVALID", `Say where the run goes: \`to\` is a text of 1 to ${MAX_PLACE_LENGTH} characters.`);
  }
  return holdMoved(services, run, async (family) => {
    // The caller first: from here on nothing of it goes on, and what called runs are asked is asked through it.
    for (const member of family) await depart(services, member, to);
    return writeFamily(services, family, options);
  });
}

function depart(services: Services, run: LiveRun, to: string): Promise<void> {
  const leave = async (): Promise<void> => {
    const { session } = run;
    const { transferredTo, ownership } = session.state;
    if (transferredTo === to) return;
    if (transferredTo !== undefined) throw session.barred;
    session.raiseEpoch();
    session.record({ type: "transferred", to, ownership, at: session.now() });
    session.barred = await findBar(services, session);
    await session.flushed();
  };
  return afterConflicts(leave, () => run.refresh());
}

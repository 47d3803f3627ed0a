import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import type { TransferredEntry } from "../model/journal.ts";
import { afterConflicts, whyUnavailable } from "../runner/runner.ts";
import type { OpenRun, Services, TransferOptions } from "../run/run.ts";
import type { Session } from "../journal/journal.ts";
import { checkRunFile } from "./check-run-file.ts";
import { assertOptions, holdMoved, writeFile } from "./export-run.ts";
import { packRuns } from "./pack-runs.ts";
import { readRunFile } from "./read-run-file.ts";

/** Characters of the words that say where a run went. */
const MAX_PLACE_LENGTH = 1_000;

/**
 * Exports a run for good; see `Executor.runs.transfer`. That it left is journaled before its journal is read, so each answer is either in the
 * file or refused. Once more after a crash gives the file again.
 */
export async function transferRun(services: Services, run: string, options: TransferOptions): Promise<string> {
  const { to } = options;
  assertOptions(options);
  if (typeof to !== "string" || to.trim() === "" || to.length > MAX_PLACE_LENGTH) {
    throw new WorkflowError("INPUT_INVALID", `Say where the run goes: \`to\` is a text of 1 to ${MAX_PLACE_LENGTH} characters.`);
  }
  return holdMoved(services, run, async (family) => {
    await dryRun(services, family, options);
    // The caller first: from here on nothing of it goes on, and what called runs are asked is asked through it.
    for (const member of family) await depart(services, member, to);
    return writeFile(services, await packRuns(services, family, options), options);
  });
}

/** Reads the file back that is about to be written, before anything is let go. Throws `RUN_FILE_INVALID`, and what writing it throws. */
async function dryRun(services: Services, family: readonly OpenRun[], options: TransferOptions): Promise<void> {
  const { to, passphrase } = options;
  const staying = new Map(family.filter(({ session }) => session.state.transferredTo === undefined).map((run) => [run.id, run.session]));
  if (staying.size === 0) return;
  const packed = await packRuns(services, family, options);
  const runs = packed.runs.map((moved) => {
    const session = staying.get(moved.id);
    return session ? { ...moved, texts: [...moved.texts, JSON.stringify(departureOf(session, to))] } : moved;
  });
  const text = await writeFile(services, { ...packed, runs }, options);
  try {
    const { host } = services;
    await checkRunFile(services, await readRunFile(text, { host, sealer: () => services.sealer(), passphrase }));
  } catch (cause) {
    const id = family[0]!.id;
    throw new WorkflowError(
      "RUN_FILE_INVALID",
      `Run ${id} was not handed over, because no other place could take in its file. It goes on here as before. ${isWorkflowError(cause) ? cause.message : ""}`.trim(),
      { details: { run: id }, cause },
    );
  }
}

function departureOf(session: Session, to: string): TransferredEntry {
  return { type: "transferred", to, ownership: session.state.ownership, at: session.now() };
}

function depart(services: Services, run: OpenRun, to: string): Promise<void> {
  const leave = async (): Promise<void> => {
    const { session } = run;
    const { transferredTo } = session.state;
    if (transferredTo === to) return;
    if (transferredTo !== undefined) throw session.unavailable;
    session.raiseEpoch();
    session.record(departureOf(session, to));
    session.unavailable = await whyUnavailable(services, session);
    await session.flushed();
  };
  return afterConflicts(services.host, leave, () => run.refresh());
}

import { isWorkflowError, type WorkflowError } from "../model/errors.ts";
import { isDeeperThan } from "../model/json-depth.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH, MIN_SECRET_LENGTH } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { foldRun, hasCheckpoint, isEntryShaped, isMarker } from "../journal/journal.ts";
import type { Services } from "../run/run.ts";
import { addressesOf, callersOf, type FoldedRun, type RunState } from "../machine/machine.ts";
import { entriesOf, invalidFile, type MovedRun, type RunFile } from "./run-file.ts";
import { stagedServices } from "./services-over-file.ts";

/** Levels of the deepest entry: those of a value, and those around it. */
const MAX_ENTRY_DEPTH = MAX_VALUE_DEPTH + 20;

/** Characters of the longest entry: more than any that is written. */
const MAX_ENTRY_LENGTH = 2 * MAX_VALUE_LENGTH;
const BASE_FACTOR = 4;

/** A run of a file whose journal holds. */
export interface CheckedRun {
  readonly moved: MovedRun;
  readonly run: FoldedRun;
}

/**
 * Checks everything in a file that can be checked before it is stored: definitions and blobs by their hashes, journals by folding them, called
 * runs by their callers. Throws `RUN_FILE_INVALID`, `SCHEMA_VERSION_UNSUPPORTED`.
 */
export async function checkRunFile(services: Services, file: RunFile): Promise<readonly CheckedRun[]> {
  for (const [hash, content] of file.blobs) {
    if ((await services.host.hash(content)) !== hash) throw invalidFile(`the blob ${hash} has another hash`);
  }
  const staged = stagedServices(services, file);
  const checked = new Map<string, CheckedRun>();
  for (const moved of file.runs) {
    const run = await fold(staged, moved);
    await checkDefinitions(staged, run);
    await checkCaller(services, run.state, checked);
    checkParts(moved, run, file);
    checked.set(moved.id, { moved, run });
  }
  return [...checked.values()];
}

async function fold(staged: Services, moved: MovedRun): Promise<FoldedRun> {
  try {
    for (const text of moved.texts) assertEntry(text, staged.policy.maxCheckpointBytes);
    const run = await foldRun(staged, moved.id, entriesOf(moved));
    run.base = moved.base ?? 0;
    return run;
  } catch (error) {
    if (isWorkflowError(error) && PASSED_ON.has(error.code)) throw error;
    throw invalidFile(`the journal of run ${moved.id} cannot be true (${isWorkflowError(error) ? error.message : "it is damaged"})`, error);
  }
}

/** A journal of this store needs no such look; one from elsewhere may hold anything. */
function assertEntry(text: string, maxCheckpointBytes: number): void {
  // A base holds what many entries held: the values of a run, and what it says of each.
  const limit = text.startsWith('{"type":"base"') ? BASE_FACTOR * maxCheckpointBytes : MAX_ENTRY_LENGTH;
  if (text.length > limit || isDeeperThan(text, MAX_ENTRY_DEPTH)) throw new TypeError("An entry that is longer or deeper than any.");
  if (!isEntryShaped(JSON.parse(text))) throw new TypeError("An entry that is none.");
}

const PASSED_ON: ReadonlySet<WorkflowError["code"]> = new Set<WorkflowError["code"]>(["RUN_FILE_INVALID", "SCHEMA_VERSION_UNSUPPORTED"]);

/** What is stored under a hash is what it was made of, also where only an old part of the journal refers to it. */
async function checkDefinitions(staged: Services, { compiled, state }: FoldedRun): Promise<void> {
  const { started, formerly, definition } = state;
  for (const hash of [started.definition, ...formerly]) await staged.definition(hash);
  if ((await staged.definition(definition)).workflow !== (compiled.base ?? compiled).workflow)
    throw invalidFile(`the definition ${definition} is not that of its run`);
}

/** The first run was called by none; each other one by one that stands before it. */
async function checkCaller(services: Services, { id, started }: RunState, checked: ReadonlyMap<string, CheckedRun>): Promise<void> {
  const { parent } = started;
  if (checked.size === 0) {
    if (parent === undefined) return;
    throw invalidFile(`run ${id} works for another one, which is not in it`);
  }
  const caller = isRecord(parent) ? checked.get(String(parent["run"]))?.run : undefined;
  const calls = caller ? callersOf(caller.state).flatMap((unit) => addressesOf(caller, unit)) : [];
  if (!caller || !calls.includes(String(parent!.block)) || (await services.childId(caller.state.id, parent!.block)) !== id) {
    throw invalidFile(`run ${id} was called by none that is in it`);
  }
}

function checkParts(moved: MovedRun, run: FoldedRun, { blobs, definitions }: RunFile): void {
  const { state } = run;
  for (const { kind, number, entries } of moved.checkpoints) {
    if (!hasCheckpoint(run, { kind, number }) || entries > state.entries) {
      throw invalidFile(`run ${moved.id} has no ${kind} ${number}`);
    }
  }
  const missing = moved.blobs.find((hash) => !blobs.has(hash) && !definitions.has(hash));
  if (missing !== undefined) throw invalidFile(`the blob ${missing} is missing`);
  // A secret input of a few characters is never admitted: it would be masked in all that is written, ids among it.
  const short = [...moved.secrets].find(([name, value]) => !isMarker(name) && String(value).length < MIN_SECRET_LENGTH);
  if (short) throw invalidFile(`the secret ${short[0]} of run ${moved.id} is shorter than any`);
  const stray = moved.drafts.find(({ key }) => Number(key.slice("draft.".length)) >= state.pauses.length);
  if (stray) throw invalidFile(`run ${moved.id} has no pause for its ${stray.key}`);
}

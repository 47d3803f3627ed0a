import { WorkflowError } from "./errors.ts";
import { CHECKPOINT_KINDS, type CheckpointKind } from "./checkpoint.ts";
import { FORBIDDEN_KEYS } from "./value.ts";

const STORE_KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
/** The form of workflow names and block ids, as {@link isName} has it. */
export const NAME: RegExp = /^[A-Za-z0-9_-]{1,128}$/;

/** The one grammar of run ids and workflow names in every store. */
export function isStoreKey(value: unknown): value is string {
  return typeof value === "string" && STORE_KEY.test(value) && !FORBIDDEN_KEYS.has(value);
}

/** Throws `STORE_KEY_INVALID` for what {@link isStoreKey} refuses. */
export function assertStoreKey(value: unknown, what: string): asserts value is string {
  if (isStoreKey(value)) return;
  throw new WorkflowError(
    "STORE_KEY_INVALID",
    `${what} ${JSON.stringify(value)?.slice(0, 140)} is not a valid key. Use 1 to 128 letters, digits, "_", "." or "-", starting with a letter or digit.`,
  );
}

/** The grammar of workflow names and block ids: letters, digits, `_`, `-`. */
export function isName(value: unknown): value is string {
  return typeof value === "string" && NAME.test(value) && !FORBIDDEN_KEYS.has(value) && value !== "__internal__";
}

const RUN = "run_";
const PAUSE = "pause_";

/** Makes a run id from the random part a host gives. */
export function runId(random: string): string {
  return RUN + random;
}

/** The id of a run whose `run_` was left out: a chosen id may omit it. */
export function fullRunId(id: string): string {
  // What is no text at all is refused where it is looked up.
  return typeof id !== "string" || id.startsWith(RUN) ? id : runId(id);
}

/** `pause_…`: a pause of a run, which is a checkpoint too. */
export function pauseId(run: string, pause: number): string {
  return checkpointId(run, "pause", pause);
}

/** The key of the note that holds the draft of an answer, by the number of the pause. */
export function draftKey(pause: number): string {
  return `draft.${pause}`;
}

/** What stands before the run and before the number in the id of a checkpoint. */
const MARKS: { readonly [kind in CheckpointKind]: readonly [before: string, number: string] } = {
  wave: ["chk_", ""],
  requested: ["chk_", "r"],
  pause: [PAUSE, ""],
};

/** `chk_…` or `pause_…`: a checkpoint of a run. */
export function checkpointId(run: string, kind: CheckpointKind, number: number): string {
  const [before, mark] = MARKS[kind];
  return `${before}${run.slice(RUN.length)}.${mark}${number}`;
}

/** The parts of a checkpoint id; nothing for what is none. */
export function parseCheckpointId(
  id: unknown,
): { readonly run: string; readonly kind: CheckpointKind; readonly number: number } | undefined {
  const [, before, run, mark, number] = (typeof id === "string" && /^(chk_|pause_)([A-Za-z0-9_-]+)\.(r?)(\d{1,9})$/.exec(id)) || [];
  const kind = CHECKPOINT_KINDS.find((one) => MARKS[one][0] === before && MARKS[one][1] === mark);
  return kind && { run: RUN + run!, kind, number: Number(number) };
}

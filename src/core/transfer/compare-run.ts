import { WorkflowError } from "../model/errors.ts";
import type { RunHead } from "../model/run.ts";
import type { Services } from "../run/run.ts";
import type { CheckedRun } from "./check-run-file.ts";
import { readTexts } from "../journal/journal.ts";
import { entriesBefore } from "./run-file.ts";

/** How a run of a file stands to what the store has. */
export type Standing =
  | { readonly is: "new" }
  /** All of it is here already. */
  | { readonly is: "known"; readonly head: RunHead }
  /** It was handed over, and comes back. */
  | { readonly is: "back"; readonly head: RunHead; readonly definition: string };

/** Compares a run of a file with the one of the same id that is here. Throws `RUN_EXISTS` where that has another history. */
export async function compareRun(services: Services, { moved, run }: CheckedRun): Promise<Standing> {
  const { state } = run;
  const here = await services.find(moved.id);
  if (!here) return { is: "new" };
  if (!here.active) await here.refresh();
  await here.session.flushed();
  const { head } = here.session;
  const local = here.session.state;
  const texts = head && (await readTexts(services, moved.id, { to: head.entries }));
  const isSame = texts && JSON.stringify(local.started) === JSON.stringify(state.started) && agree({ base: head.base, texts }, moved);
  if (!head || !isSame || (state.entries > head.entries && local.transferredTo === undefined)) throw exists(moved.id);
  const isBack = local.transferredTo !== undefined && state.entries >= head.entries;
  return isBack ? { is: "back", head, definition: local.definition } : { is: "known", head };
}

interface Journal {
  readonly base?: number | undefined;
  readonly texts: readonly string[];
}

/** Whether two journals say the same where both still have entries. */
function agree(one: Journal, other: Journal): boolean {
  const before = entriesBefore(one);
  const otherBefore = entriesBefore(other);
  // Where one has a base, the other may have the last of the entries that it stands for.
  const from = Math.max(before, otherBefore) + (one.base === other.base ? 0 : 1);
  const to = Math.min(before + one.texts.length, otherBefore + other.texts.length);
  for (let at = from; at < to; at++) if (one.texts[at - before] !== other.texts[at - otherBefore]) return false;
  return true;
}

function exists(run: string): WorkflowError {
  return new WorkflowError(
    "RUN_EXISTS",
    `Run ${run} is here already, with another history than in the file. To take in the one of the file, delete the one that is here; nothing was stored.`,
    { details: { run } },
  );
}

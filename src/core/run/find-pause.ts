import { WorkflowError } from "../model/errors.ts";
import { pauseId, parseCheckpointId } from "../model/ids.ts";
import { checkpointNotFound } from "../journal/journal.ts";
import type { PauseState } from "../machine/machine.ts";
import type { OpenRun } from "./services.ts";

/** The number of a pause of a run. Throws `CHECKPOINT_NOT_FOUND` for what cannot be one. */
export function pauseNumber(run: OpenRun, pause: string): number {
  const place = parseCheckpointId(pause);
  if (place?.kind === "pause" && place.run === run.id) return place.number;
  const open = run.pauses().map(({ id }) => id);
  throw new WorkflowError(
    "CHECKPOINT_NOT_FOUND",
    `Pause ${JSON.stringify(pause)} was not found in run ${run.id}. Its open pauses: ${open.join(", ") || "none"}.`,
  );
}

/** The pause with a number. Throws `CHECKPOINT_NOT_FOUND` where there is none, or none any more. */
export function pauseAt({ id, session }: Pick<OpenRun, "id" | "session">, number: number): PauseState {
  const pause = session.state.pauses[number];
  if (!pause || pause.forgotten) throw checkpointNotFound(pauseId(id, number));
  return pause;
}

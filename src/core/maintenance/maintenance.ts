/**
 * Maintenance: what is done for all runs of a store. Removes old checkpoints and runs, because a policy says so or a user asks, counts what a store holds, and
 * goes on with runs that a dead process left. Its door is `maintenanceRoom`; `schedules.ts` starts runs at their times, and is loaded by itself because of what reads cron.
 */
import type { MaintenanceRoom } from "../run/run.ts";
import { cleanUp } from "./cleanup.ts";
import { deleteCheckpoint, deleteRun } from "./deletion.ts";
import { measure } from "./metrics.ts";
import { recoverRuns } from "./recover.ts";
import { trimCheckpoints } from "./automatic-checkpoints.ts";

/** What the room gives to the executor. */
export const maintenanceRoom: MaintenanceRoom = {
  cleanUp,
  measure,
  trimCheckpoints,
  deleteCheckpoint,
  deleteRun,
  recoverRuns,
};

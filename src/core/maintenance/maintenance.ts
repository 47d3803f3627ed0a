/**
 * Maintenance: removes old checkpoints and runs, because a policy says so or a user asks, and counts what a store holds. Its door is `maintenanceRoom`.
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

import type { MaintenanceRoom } from "../run/run.ts";
import { cleanUp } from "./cleanup.ts";
import { deleteCheckpoint, deleteRun } from "./deletion.ts";
import { measure } from "./metrics.ts";
import { trimCheckpoints } from "./automatic-checkpoints.ts";

/** Removing what a policy or a user lets go, and counting what is there. */
export const maintenanceRoom: MaintenanceRoom = {
  cleanUp,
  measure,
  trimCheckpoints,
  deleteCheckpoint,
  deleteRun,
};

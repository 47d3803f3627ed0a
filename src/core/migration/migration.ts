import type { MigrationRoom } from "../run/run.ts";
import { moveRun } from "./move-run.ts";
import { planMove } from "./plan-move.ts";

/** Moving a run to another definition of its workflow. */
export const migrationRoom: MigrationRoom = { moveRun, planMove };

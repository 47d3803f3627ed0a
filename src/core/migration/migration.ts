/**
 * Migration: a run that was begun with one definition of a workflow continues with another. First a plan says what stays and what stands in the way;
 * then one entry of the journal moves the run. Its door is `migrationRoom`.
 */
import type { MigrationRoom } from "../run/run.ts";
import { moveRun } from "./move-run.ts";
import { planMove } from "./plan-move.ts";

/** What the room gives to the executor. */
export const migrationRoom: MigrationRoom = { moveRun, planMove };

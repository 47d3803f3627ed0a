/**
 * Schedules: starts runs of workflows at the times that they name. Its door is `schedulesRoom`.
 */
import { assertSchedule } from "../definition/definition.ts";
import type { SchedulesRoom } from "../run/run.ts";
import { runSchedules } from "./run-schedules.ts";

/** What the room gives to the executor. */
export const schedulesRoom: SchedulesRoom = { assertSchedule, runSchedules };

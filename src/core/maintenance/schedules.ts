/**
 * Schedules: starts runs of workflows at the times that they name. Its door is `schedulesRoom`.
 */
import { Cron } from "croner";
import { assertSchedule } from "../definition/definition.ts";
import { errorData, isWorkflowError } from "../model/errors.ts";
import type { Schedule, Workflow } from "../model/workflow.ts";
import type { AbortSignalLike, Host } from "../ports/host.ts";
import type { ResultCache } from "../ports/store.ts";
import type { Services, WaitOptions, SchedulesRoom } from "../run/run.ts";
import { sleepUntilAborted, withAnySignal } from "../runner/runner.ts";

/** At most so many milliseconds lie between two looks: a computer sleeps, a clock is set, a workflow is loaded. */
const LOOK_MS = 60_000;
/** The last instant that there is: marks are kept for good. */
const FOR_GOOD = 8_640_000_000_000_000;
/** Names of workflows that stand in ids and keys as they are. */
const PLAIN_NAME = /^[A-Za-z0-9-]{1,80}$/;
/** Digits of a hash that stands for another name. */
const HASH_LENGTH = 32;
/** Times that passed are made up for as far back as this many. */
const MAX_CAUGHT_UP = 1_000;
/** A run that starts so many milliseconds after its time is on time. */
const ON_TIME_MS = 60_000;

/** What the room gives to the executor. */
export const schedulesRoom: SchedulesRoom = { assertSchedule, runSchedules };

/** Starts runs at their times until the caller aborts or the executor is closed; see `Executor.runSchedules`. */
async function runSchedules(services: Services, { signal }: WaitOptions, closing: AbortSignalLike): Promise<void> {
  const { host, store } = services;
  const marks = marksIn(host, store.cache);
  await withAnySignal(host, [closing, signal], async (ended) => {
    while (!ended.aborted) {
      const now = host.now();
      let next = now + LOOK_MS;
      for (const workflow of services.workflows()) {
        const { name, schedule } = workflow;
        if (!schedule || ended.aborted) continue;
        const times = timesOf(schedule);
        try {
          const since = await marks.get(name);
          if (since === undefined) await marks.set(name, now);
          for (const time of times.due(since ?? now, now)) {
            if (ended.aborted || !(await startAt(services, { workflow, schedule, time }))) break;
            await marks.set(name, time);
          }
        } catch (error) {
          // A server that is started anew is back at one of the next looks.
          if (!isWorkflowError(error) || error.code !== "STORE_LOST") throw error;
        }
        next = Math.min(next, times.next(now) ?? next);
      }
      await sleepUntilAborted(host, Math.max(1, next - host.now()), ended);
    }
  });
}

interface DueRun {
  readonly workflow: Workflow;
  readonly schedule: Schedule;
  readonly time: number;
}

/** Gives whether this time is done with; where the store failed, it is tried again. */
async function startAt(services: Services, due: DueRun): Promise<boolean> {
  const what = { type: "scheduled", workflow: due.workflow.name, time: due.time } as const;
  try {
    const { id } = await services.startRun(await requestFor(services, due));
    services.onEvent?.({ ...what, run: id });
    return true;
  } catch (thrown) {
    const error = errorData(thrown, "STORE_FAILED");
    // Another tab or process was first, or one that died before it could leave its mark.
    if (error.code === "RUN_EXISTS") return true;
    services.onEvent?.({ ...what, error });
    return !error.code.startsWith("STORE_");
  }
}

/** The id says workflow and time, so that one time has one run however many processes look. */
async function requestFor({ host }: Services, { workflow, schedule, time }: DueRun): Promise<Parameters<Services["startRun"]>[0]> {
  const iso = new Date(time).toISOString().replace(".000Z", "Z");
  return {
    workflow,
    id: `${await plainName(host, workflow.name)}-${iso.replaceAll(/[-:]/g, "")}`,
    inputs: { ...schedule.inputs, ...(schedule.timeInput === undefined ? {} : { [schedule.timeInput]: iso }) },
  };
}

async function plainName(host: Host, workflow: string): Promise<string> {
  return PLAIN_NAME.test(workflow) ? workflow : (await host.hash(workflow)).slice(0, HASH_LENGTH);
}

interface Marks {
  /** The last time that was done with, in milliseconds since the epoch. */
  get(workflow: string): Promise<number | undefined>;
  set(workflow: string, time: number): Promise<void>;
}

/** Marks of a store outlive the process. Where it loses one, nothing is made up for, and nothing is done twice. */
function marksIn(host: Host, cache: ResultCache | undefined): Marks {
  const own = new Map<string, number>();
  const keyOf = async (workflow: string): Promise<string> => `schedule.${await plainName(host, workflow)}`;
  return {
    async get(workflow) {
      const text = own.has(workflow) ? undefined : await cache?.get(await keyOf(workflow));
      if (text !== undefined && Number.isFinite(Number(text))) own.set(workflow, Number(text));
      return own.get(workflow);
    },
    async set(workflow, time) {
      own.set(workflow, time);
      await cache?.put(await keyOf(workflow), String(time), FOR_GOOD);
    },
  };
}

/** The times of a schedule, in milliseconds since the epoch. */
interface Times {
  /** The first one after an instant; nothing where there is none. */
  next(after: number): number | undefined;
  /** Those for which runs start now, the oldest first: of the ones after `since` and up to `now`, the ones that are made up for. */
  due(since: number, now: number): readonly number[];
}

export function timesOf({ cron, timeZone = "UTC", catchUp = "last" }: Schedule): Times {
  const times = new Cron(cron, { timezone: timeZone, mode: "5-part" });
  return {
    next: (after) => times.nextRun(new Date(after))?.getTime(),
    due(since, now) {
      const passed = times.previousRuns(catchUp === "all" ? MAX_CAUGHT_UP : 1, new Date(now + 1));
      const made = passed.map((time) => time.getTime()).filter((time) => time > since);
      return (catchUp === "none" ? made.filter((time) => now - time < ON_TIME_MS) : made).toReversed();
    },
  };
}

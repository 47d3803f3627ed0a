import type { ErrorCode } from "../../core/model/errors.ts";
import type { Executor, Run } from "../../core/run/run.ts";
import type { Pause } from "../../core/model/run.ts";
import type { RunResult } from "../../core/model/result.ts";
import { ANSWERS, isDeclined } from "./simulated-blocks.ts";
import { turn } from "./world.ts";

/** What a person replies to a question. */
export type Respond = (pause: Pause) => string;

/** Gives a question what it gets: a decline, word about a block that must not run twice, or an answer. */
export function settlePause(run: Run, pause: Pause, respond: Respond): Promise<RunResult> {
  if (isDeclined(pause.prompt)) return run.decline(pause.id);
  const block = pause.path.at(-1)!;
  // No other question of a simulation is about a block that must not run twice: one that was interrupted, or is given something else.
  if (!isAsked(pause)) {
    const isChanged = pause.schema.properties?.["outcome"]?.oneOf?.some((choice) => choice.const === "keep");
    return run.answer(
      pause.id,
      isChanged ? { outcome: respond(pause) === ANSWERS[0] ? "keep" : "again" } : { outcome: "done", outputs: { once: block } },
    );
  }
  return run.answer(pause.id, respond(pause));
}

/** Whether a block asks, and not the engine. */
export function isAsked({ prompt }: Pause): boolean {
  return /^(?:ask|listen|read)/.test(prompt) || isDeclined(prompt);
}

function isTooLate(code: ErrorCode): boolean {
  return code === "PAUSE_ALREADY_ANSWERED" || code === "PAUSE_WITHDRAWN";
}

/** Opens a run and lets it go on until it waits or has ended. */
export async function goOn(executor: Executor, id: string): Promise<{ readonly run: Run; readonly result: RunResult }> {
  const run = await executor.open(id);
  const { status, reason } = run.getSnapshot();
  const result = status === "running" || reason === "stopped" ? await run.resume() : await run.settled();
  return { run, result };
}

/** What is to happen outside of a run that waits for no answer. Gives whether anything did. */
export type Nudge = (executor: Executor) => Promise<boolean>;

/** Rounds in which nothing may have happened outside, since what did before is still on its way to the run. */
const IDLE_ROUNDS = 100;

/** Goes on and answers all that is asked, until the run has ended. */
export async function finishRun(executor: Executor, id: string, respond: Respond, nudge: Nudge): Promise<Run> {
  const { run, result: first } = await goOn(executor, id);
  let result = first;
  let idle = 0;
  while (result.status === "paused") {
    const [pause] = result.pauses;
    if (pause !== undefined) result = await settlePause(run, pause, respond);
    const isLate = result.status === "failure" && isTooLate(result.error.code);
    // What a signal has ended in a called run that was stopped is still shown: it has to be woken.
    const hasHappened = (pause === undefined || idle > 0) && (await nudge(executor));
    idle = hasHappened || !(isLate || pause === undefined) ? 0 : idle + 1;
    if (idle > IDLE_ROUNDS) throw new Error(`${id} waits, for nothing that could happen.`);
    if (idle > 0) await turn();
    // A crash came between what a called run came to and its caller's taking note of it: the caller looks again, and goes on from here.
    if (pause === undefined) result = await run.resume();
    else if (isLate) result = await run.settled();
  }
  const { status } = run.getSnapshot();
  if (status === "running" || status === "paused") throw new Error(`${id} is ${status}, and an answer gave ${JSON.stringify(result)}.`);
  return run;
}

import type { ErrorCode } from "../../core/model/errors.ts";
import type { Executor, Run } from "../../core/run/run.ts";
import type { Pause } from "../../core/model/run.ts";
import type { RunResult } from "../../core/model/result.ts";
import { ANSWERS, isDeclined } from "./simulated-blocks.ts";

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
  return prompt.startsWith("ask") || isDeclined(prompt);
}

function isTooLate(code: ErrorCode): boolean {
  return code === "PAUSE_ALREADY_ANSWERED" || code === "PAUSE_WITHDRAWN";
}

/** Opens a run and lets it go on until it waits or has ended. */
export async function goOn(executor: Executor, id: string): Promise<{ readonly run: Run; readonly result: RunResult }> {
  const run = await executor.open(id);
  const result = run.getSnapshot().status === "running" ? await run.resume() : await run.settled();
  return { run, result };
}

/** Goes on and answers all that is asked, until the run has ended. */
export async function finishRun(executor: Executor, id: string, respond: Respond): Promise<Run> {
  const { run, result: first } = await goOn(executor, id);
  let result = first;
  while (result.status === "paused") {
    result = await settlePause(run, result.pauses[0]!, respond);
    // A crash came between the answer to a called run, or its withdrawal, and its caller's taking note of it: the run goes on from here.
    if (result.status === "failure" && isTooLate(result.error.code)) result = await run.settled();
  }
  const { status } = run.getSnapshot();
  if (status === "running" || status === "paused") throw new Error(`${id} is ${status}, and an answer gave ${JSON.stringify(result)}.`);
  return run;
}

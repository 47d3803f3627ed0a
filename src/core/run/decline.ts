import type { RunResult } from "../model/result.ts";
import { pauseNumber, replyTo } from "./answer-pause.ts";
import { cancelRun, type HeldRun } from "../runner/runner.ts";
import type { DeclineOptions } from "./api.ts";
import type { OpenRun } from "./open-run.ts";
import type { Services } from "./services.ts";

/** Why nothing has changed. */
const REFUSALS: ReadonlySet<string> = new Set(["PAUSE_ALREADY_ANSWERED", "RESPONSE_INVALID"]);

/** Says that there will be no answer; see `Run.decline`. A cancelled question ends the run that asks and all those it was called for. */
export async function declinePause(
  services: Services,
  run: OpenRun,
  pause: string,
  { action = "decline" }: DeclineOptions,
): Promise<RunResult> {
  const result = await replyTo(services, run, pauseNumber(run, pause), { response: null, action });
  if (result.status === "failure" && REFUSALS.has(result.error.code)) return result;
  if (action === "cancel") await cancelFamily(services, run, pause);
  else await run.informCaller();
  return run.settled();
}

async function cancelFamily(services: Services, run: OpenRun, pause: string): Promise<void> {
  const reason = `its question ${pause} was cancelled.`;
  for (let one: HeldRun | undefined = run; one; one = await one.caller()) await cancelRun(services, one, { reason });
}

import { CALLING_TYPES } from "../../model/calling-types.ts";
import { WorkflowError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import type { ReviseOptions, Run } from "../face.ts";
import { forkAt } from "../fork-run.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";
import { answeredPlace } from "./answered-place.ts";
import { carryDrafts } from "./carry-drafts.ts";
import { isOnce } from "./donors.ts";
import { previewPlace } from "./preview-revision.ts";

/** See `Run.revise`. */
export async function reviseRun(
  services: Services,
  run: LiveRun,
  pause: string,
  response: Value,
  { confirm = false }: ReviseOptions,
): Promise<Run> {
  const place = await answeredPlace(services, run, pause, response);
  if (!confirm && mayRepeat(services, run)) {
    const { once } = await previewPlace(services, place);
    if (once.length > 0) throw unconfirmed(once);
  }
  const fork = await services.find(await forkAt(services, place, { revises: true, confirmed: confirm }));
  await carryDrafts(services, run, fork!);
  fork!.drive();
  return fork!;
}

/** Whether the run, or one that it called, may do what must not happen twice. */
function mayRepeat(services: Services, { session }: LiveRun): boolean {
  const { blocks } = session.state.compiled.workflow;
  return blocks.some(({ type }, block) => CALLING_TYPES.has(type) || isOnce(services, session.state, block));
}

function unconfirmed(blocks: readonly string[]): WorkflowError {
  const names = blocks.map((block) => `"${block}"`).join(", ");
  return new WorkflowError(
    "EFFECT_UNCONFIRMED",
    `With this answer, what must not run twice would run again: ${names}. Nothing was changed. If that is meant, revise with confirm: true.`,
    { details: { blocks } },
  );
}

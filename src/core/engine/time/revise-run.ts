import { WorkflowError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import type { ReviseOptions, Run } from "../face.ts";
import { forkAt } from "../fork-run.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";
import { answeredPlace } from "./answered-place.ts";
import { carryDrafts } from "./carry-drafts.ts";
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
  if (!confirm) {
    const { once } = await previewPlace(services, place);
    if (once.length > 0) throw unconfirmed(once);
  }
  const fork = await services.find(await forkAt(services, place, { revises: true, confirmed: confirm }));
  await carryDrafts(services, run, fork!);
  fork!.drive();
  return fork!;
}

function unconfirmed(blocks: readonly string[]): WorkflowError {
  const names = blocks.map((block) => `"${block}"`).join(", ");
  return new WorkflowError(
    "EFFECT_UNCONFIRMED",
    `With this answer, what must not run twice would run again: ${names}. Nothing was changed. If that is meant, revise with confirm: true.`,
    { details: { blocks } },
  );
}

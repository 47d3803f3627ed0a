import type { BlockView, RunView, WaveView } from "wavepoint";
import { questionText } from "./question-text.ts";
import { goesOnAt, instantText, titleOf } from "./wording.ts";

/** What changed between two views of a run, as sentences for people who listen to the page. The first view tells how the run stands. */
export function announce(before: RunView | undefined, after: RunView): readonly string[] {
  const known = before?.id === after.id ? before : undefined;
  const sentences: string[] = [];
  after.waves.forEach((wave, index) => {
    const earlier = known?.waves[index];
    if (earlier && isFinished(wave) && !isFinished(earlier)) sentences.push(`Wave ${index + 1} of ${after.waves.length} finished.`);
  });
  if (after.status !== known?.status && isOver(after.status)) sentences.push(`Run ${after.status}: ${titleOf(after.workflow)}.`);
  const waited = new Set(
    known &&
      blocksOf(known)
        .filter(isWaiting)
        .map(({ id }) => id),
  );
  for (const block of blocksOf(after).filter(isWaiting)) {
    if (!waited.has(block.id)) sentences.push(`${titleOf(block.id)} goes on at ${instantText(goesOnAt(block), after.updatedAt)}.`);
  }
  const asked = new Set(known?.pauses.map((pause) => pause.id));
  for (const pause of after.pauses) if (!asked.has(pause.id)) sentences.push(`Question: ${questionText(pause)}`);
  return sentences;
}

/** Whether nothing of the wave is left to happen. */
export function isFinished(wave: WaveView): boolean {
  return wave.blocks.every((block) => block.status === "completed" || block.status === "skipped" || block.status === "failed");
}

function blocksOf({ waves }: RunView): readonly BlockView[] {
  return waves.flatMap((wave) => wave.blocks);
}

function isWaiting({ status }: BlockView): boolean {
  return status === "waiting";
}

function isOver(status: RunView["status"]): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

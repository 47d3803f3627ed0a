import type { RunView, WaveView } from "wavepoint";

/** The waves that ended between two views of a run, as sentences for people who listen to the page. Questions and the end the elements tell. */
export function announce(before: RunView | undefined, after: RunView): readonly string[] {
  const known = before?.id === after.id ? before : undefined;
  return after.waves.flatMap((wave, index) => {
    const earlier = known?.waves[index];
    return earlier && isFinished(wave) && !isFinished(earlier) ? [`Wave ${index + 1} of ${after.waves.length} finished.`] : [];
  });
}

/** Whether nothing of the wave is left to happen. */
function isFinished(wave: WaveView): boolean {
  return wave.blocks.every((block) => block.status === "completed" || block.status === "skipped" || block.status === "failed");
}

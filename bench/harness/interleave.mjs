/** A subject whose single run takes longer is measured no further: it would only keep the others waiting. */
const LONGEST_RUN_MS = 20_000;

/**
 * Lets the subjects take turns, A B C A B C …, so that whatever else the machine does meets all of them alike, and gives for each name the
 * median and the least of its times in milliseconds. A subject's `run` is timed as a whole, unless it gives the milliseconds itself.
 */
export async function interleave(subjects, { samples, warmups = 1 }) {
  const times = new Map(subjects.map(({ name }) => [name, []]));
  const stopped = new Set();
  for (let round = -warmups; round < samples; round++) {
    for (const { name, prepare, run, finish } of subjects) {
      if (stopped.has(name)) continue;
      const prepared = await prepare?.();
      globalThis.gc?.();
      const start = performance.now();
      const own = await run(prepared);
      const took = typeof own === "number" ? own : performance.now() - start;
      await finish?.(prepared);
      if (round >= 0) times.get(name).push(took);
      if (took > LONGEST_RUN_MS) stopped.add(name);
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, stopped.has(name) ? STOPPED : summarize(list)]));
}

/** Stands for a subject that took too long. */
export const STOPPED = { stopped: true };

function summarize(list) {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], samples: sorted.length };
}

/** The same summary in another unit, for a run that did the same thing several times. */
export function divide(summary, by) {
  if (summary === undefined || summary.stopped) return summary;
  return { median: summary.median / by, min: summary.min / by, samples: summary.samples };
}

/** Whether a run ten times as long is likely to take too long. */
export function willTakeTooLong(summary, factor) {
  return summary !== undefined && (summary.stopped || summary.median * factor > LONGEST_RUN_MS);
}

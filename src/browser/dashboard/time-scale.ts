/** A stretch of time, in milliseconds since the epoch. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The part that a gap takes of the whole, and all of them together at most. */
const GAP_SHARE = 0.05;
const MAX_GAPS_SHARE = 0.4;

/** Pauses of work that are shorter are drawn as long as they were, in milliseconds. */
const SHORT_MS = 150;

/**
 * Gives the place of an instant on a line, 0 to 1, on which blocks that work have most of the room: while a run only waits, for an answer or an instant,
 * time passes in a short piece, however long it was.
 */
export function timeScale({ from, to }: Stretch, work: readonly Stretch[]): (at: number) => number {
  const gaps = gapsBetween({ from, to }, work);
  const gapShare = gaps.length === 0 ? 0 : Math.min(GAP_SHARE, MAX_GAPS_SHARE / gaps.length);
  const worked = to - from - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const workShare = 1 - gapShare * gaps.length;
  return (at) => {
    let passed = 0;
    let place = 0;
    for (const gap of gaps) {
      if (at <= gap.from) break;
      const within = Math.min(at, gap.to) - gap.from;
      passed += within;
      place += (gapShare * within) / (gap.to - gap.from);
    }
    const share = worked > 0 ? (Math.min(Math.max(at, from), to) - from - passed) / worked : 0;
    return Math.min(1, Math.max(0, place + workShare * share));
  };
}

/** The stretches in which nothing works. */
function gapsBetween({ from, to }: Stretch, work: readonly Stretch[]): readonly Stretch[] {
  const gaps: Stretch[] = [];
  let end = from;
  for (const one of unite(work)) {
    if (one.from - end > SHORT_MS) gaps.push({ from: end, to: one.from });
    end = Math.max(end, one.to);
  }
  if (to - end > SHORT_MS) gaps.push({ from: end, to });
  return gaps;
}

/** Stretches in their order, those that overlap as one. */
export function unite(stretches: readonly Stretch[]): readonly Stretch[] {
  const united: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = united.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else united.push({ from, to });
  }
  return united;
}

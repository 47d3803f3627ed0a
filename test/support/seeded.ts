/** Whole numbers that follow from a seed, so that what chance broke can be broken again. */
export interface Chance {
  readonly seed: number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
}

/** Without a seed draws from `WAVEPOINT_SEED` where it is set, else from one of its own. A test that uses it names the seed where it fails. */
export function seededChance(seed: number = Number(process.env.WAVEPOINT_SEED ?? Math.floor(Math.random() * 2 ** 31))): Chance {
  let state = seed >>> 0;
  // The generator "mulberry32".
  function draw(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return { seed, between: (from, to) => from + Math.floor(draw() * (to - from + 1)) };
}

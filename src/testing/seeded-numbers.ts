/** Numbers from 0 to below 1 that follow from a whole number, by the generator "mulberry32". */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws that follow from a seed. */
export interface Chance {
  /** A number from 0 to below 1. */
  draw(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** True in this share of all cases. */
  happens(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Draws from a seed. */
export function chanceOf(seed: number): Chance {
  const draw = seededNumbers(seed);
  const between = (from: number, to: number): number => from + Math.floor(draw() * (to - from + 1));
  return { draw, between, happens: (share) => draw() < share, pick: (from) => from[between(0, from.length - 1)]! };
}

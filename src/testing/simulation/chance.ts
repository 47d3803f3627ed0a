import { seededNumbers } from "../seeded-numbers.ts";

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

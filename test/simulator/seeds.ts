const chosen = "process" in globalThis ? process.env["WAVEPOINT_SEED"] : undefined;

/** The seeds of a test: one after another, or the one that is to be tried again. */
export function seedsFrom(first: number, count: number): readonly number[] {
  return chosen === undefined ? Array.from({ length: count }, (_, index) => first + index) : [Number(chosen)];
}

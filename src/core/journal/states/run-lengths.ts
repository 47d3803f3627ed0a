/** Numbers as pairs of one and how often it follows itself: most of what is counted for each block is the same for many in a row. */
export function packRuns(numbers: ArrayLike<number>): readonly number[] {
  const runs: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    if (i > 0 && numbers[i] === numbers[i - 1]) runs[runs.length - 1]!++;
    else runs.push(numbers[i]!, 1);
  }
  return runs;
}

/** The numbers that {@link packRuns} packed. Throws any error for what it cannot have given, or gives more than `most` numbers. */
export function unpackRuns(packed: unknown, most: number): Int32Array {
  const runs = packed as readonly number[];
  if (!Array.isArray(packed) || runs.length % 2 !== 0) throw new TypeError("Runs of numbers are a list of pairs.");
  let length = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const count = runs[i + 1]!;
    // Only what a small integer can hold comes out as it went in.
    if (!Number.isSafeInteger(count) || count < 1 || (runs[i]! | 0) !== runs[i]) throw new TypeError("Runs of numbers that are none.");
    length += count;
  }
  if (length > most) throw new TypeError(`${length} numbers, where there are ${most} at most.`);
  const numbers = new Int32Array(length);
  let at = 0;
  for (let i = 0; i < runs.length; i += 2) numbers.fill(runs[i]!, at, (at += runs[i + 1]!));
  return numbers;
}

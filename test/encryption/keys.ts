/** A key of its own for each number. */
export function keyBytes(number: number): Uint8Array {
  return new Uint8Array(32).fill(number);
}

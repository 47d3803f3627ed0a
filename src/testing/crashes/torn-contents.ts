import type { FileNode } from "./disk-nodes.ts";

/** How finely a write is torn. */
export interface Tearing {
  readonly sectorBytes: number;
  /** Most sectors of which every combination is tried. */
  readonly sectors: number;
}

/**
 * What a file may hold after a power cut beside what was synced and what was written: as it was after an earlier write, cut inside the new
 * bytes, or whole in length with sectors that never reached the disk, which hold what stood there before or NULs.
 */
export function* tornContents(file: FileNode, { sectorBytes, sectors }: Tearing): Generator<Uint8Array, void, undefined> {
  const { bytes, durable, pending } = file;
  yield* pending.slice(0, -1);
  for (const length of cuts(durable.length, bytes.length, sectorBytes)) yield bytes.subarray(0, length);
  const changed = changedSectors(bytes, durable, sectorBytes);
  for (const missing of subsets(changed, sectors)) {
    const torn = bytes.slice();
    for (const start of missing) {
      const end = Math.min(start + sectorBytes, torn.length);
      torn.fill(0, start, end);
      torn.set(durable.subarray(Math.min(start, durable.length), Math.min(end, durable.length)), start);
    }
    yield torn;
  }
}

/** Lengths between two: around each end of a sector, in its middle, and around both ends. */
function* cuts(from: number, to: number, sectorBytes: number): Generator<number, void, undefined> {
  const lengths = new Set([from + 1, to - 1]);
  for (let at = Math.floor(from / sectorBytes) * sectorBytes; at <= to; at += sectorBytes / 2) {
    for (const length of [at - 1, at, at + 1]) lengths.add(length);
  }
  for (const length of lengths) if (length > from && length < to) yield length;
}

function changedSectors(bytes: Uint8Array, durable: Uint8Array, sectorBytes: number): number[] {
  const found: number[] = [];
  for (let start = 0; start < bytes.length; start += sectorBytes) {
    const end = Math.min(start + sectorBytes, bytes.length);
    const isSame = end <= durable.length && bytes.subarray(start, end).every((byte, index) => byte === durable[start + index]);
    if (!isSame) found.push(start);
  }
  return found;
}

/** Combinations of which sectors are missing. */
function* subsets(sectors: readonly number[], most: number): Generator<readonly number[], void, undefined> {
  if (sectors.length <= most) {
    for (let chosen = 1; chosen < 2 ** sectors.length; chosen += 1) yield sectors.filter((_, index) => chosen & (1 << index));
    return;
  }
  for (const [index, sector] of sectors.entries()) {
    yield [sector];
    yield sectors.filter((other) => other !== sector);
    yield sectors.slice(index);
    yield sectors.slice(0, index);
  }
}

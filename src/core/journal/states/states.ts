/**
 * States that are kept whole, so that the journal before them need not be read: bases, which take its place, and snapshots, which stand beside it.
 */
export { readBase, readableBase, writeBase } from "./bases.ts";
export { dropSnapshot, findSnapshot, keepSnapshot } from "./snapshots.ts";

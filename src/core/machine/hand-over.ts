import type { ArrivedEntry, TransferredEntry } from "../model/journal.ts";
import type { RunState } from "./state.ts";
import { corrupt } from "./turns.ts";

/** Folds that a run left for another store, or came from one. Throws `RUN_CORRUPT`. */
export function handOver(state: RunState, entry: TransferredEntry | ArrivedEntry): void {
  const arrives = entry.type === "arrived";
  if (arrives !== (state.transferredTo !== undefined))
    throw corrupt(state, arrives ? "an arrival of a run that had not left" : "a second departure");
  if (entry.ownership !== state.ownership + (arrives ? 1 : 0)) throw corrupt(state, `a change of hands out of its turn`);
  if (!arrives && typeof entry.to !== "string") throw corrupt(state, "a departure to nowhere");
  state.ownership = entry.ownership;
  state.transferredTo = arrives ? undefined : entry.to;
}

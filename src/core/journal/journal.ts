/**
 * Journals: the entries of a run on their way into a store and back. Encodes values, writes in order, merges what others wrote first, keeps
 * snapshots so that reading stays short, and reads a run again. A `Session` is one run's state together with its journal.
 */
export { allPages, checkpointRows, listHeads } from "./all-pages.ts";
export {
  checkpointNotFound,
  deletedRows,
  entriesAt,
  hasCheckpoint,
  isNewest,
  isTakenBack,
  openUntil,
  parsePlace,
  pruned,
  summarize,
  type CheckpointPlace,
} from "./checkpoints.ts";
export { isEntryShaped } from "./entry-shape.ts";
export type { EntryGuard, Hidden, HideOptions, JournalParts, Maskable, MaskedEntry } from "./journal-parts.ts";
export { dropSnapshot, isFarAhead, keepLastCheckpoint, keepShort, prunedRows } from "./shorten-journal.ts";
export { KeptSecrets, MASK, isMarker, markerOf, withoutMarkers } from "./kept-secrets.ts";
export { holdsSecrets, mapSecrets, withoutSecrets } from "./map-secrets.ts";
export { loadStates } from "./load-states.ts";
export { assertPolicy, assertRunPolicy, resolvePolicy, type CheckpointPolicy, type Policy } from "./policy.ts";
export { foldRun, readPast } from "./read-run.ts";
export { Session } from "./session.ts";
export { storeCommit } from "./store-commit.ts";
export { encodedForm, lengthBesideBytes } from "./values/encoded-forms.ts";
export { isPacked } from "./values/pack-text.ts";
export { readTexts } from "./values/read-texts.ts";
export { decodeValue, encodeValue, loadRichCodec, openFiles, readFile } from "./values/rich-values.ts";

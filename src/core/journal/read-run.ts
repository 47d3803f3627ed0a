import { WorkflowError } from "../model/errors.ts";
import { type Entry, JOURNAL_VERSION } from "../model/journal.ts";
import { isDeeperThan } from "../model/json-depth.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { isEntryShaped } from "./entry-shape.ts";
import { addedPart, type FoldedRun, beginFolding, holdsValues } from "../machine/machine.ts";
import { decodeEntry } from "./values/decode-entry.ts";
import { readTexts, unreadable } from "./values/read-texts.ts";
import { loadStates } from "./load-states.ts";
import { pruned } from "./checkpoints.ts";
import type { JournalParts } from "./journal-parts.ts";

/** Characters of the longest entry that is read: more than any that is written. */
const MAX_ENTRY_LENGTH = 2 * MAX_VALUE_LENGTH;
/** Entries from which on a snapshot is looked for: shorter journals are read as fast. */
const SNAPSHOT_ENTRIES = 1_000;
/** Levels of the deepest entry that is read: those of a value, and those around it. */
const MAX_ENTRY_DEPTH = MAX_VALUE_DEPTH + 20;

/** A run after its first `count` entries. */
export async function foldRun(services: JournalParts, run: string, count: number): Promise<FoldedRun> {
  // A cache: where its code cannot be loaded now, the journal is read as a whole.
  const states = count >= SNAPSHOT_ENTRIES ? await loadStates().catch(() => undefined) : undefined;
  const known = await states?.findSnapshot(services, run, count);
  let size = 0;
  let tail = 0;
  const entries = await readPast(services, run, known?.state.entries ?? 0, count, (entry, length) => {
    if (holdsValues(entry)) size += length;
    if (entry.type !== "base") tail += length;
  });
  const folded = known ?? (await beginRun(services, run, entries.shift()));
  await knowDefinitions(services, folded, entries);
  for (const entry of entries) folded.apply(entry);
  folded.size += size;
  folded.tail = tail;
  const found = folded.state.entries;
  if (found !== count) {
    throw new WorkflowError("RUN_CORRUPT", `The journal of run ${run} has ${found} of ${count} entries. The run was left as it is.`, {
      details: { run },
    });
  }
  return folded;
}

/** Entries that a run had when its head was read. Throws `CHECKPOINT_PRUNED` and `RUN_NOT_FOUND` where others have dropped them since, and what `readEntries` throws. */
export async function readPast(...[services, run, from, to, tell]: Parameters<typeof readEntries>): Promise<Entry[]> {
  const entries = await readEntries(services, run, from, to, tell);
  if (entries.length > 0 || from >= to) return entries;
  const head = await services.store.head(run);
  if (!head) throw new WorkflowError("RUN_NOT_FOUND", `Run ${run} was deleted.`, { details: { run } });
  const { base = 0 } = head;
  if (base > to) throw pruned({ state: { id: run }, base }, "What was looked at");
  return entries;
}

/** The run after the first entry that is kept. */
async function beginRun(services: JournalParts, run: string, first: Entry | undefined): Promise<FoldedRun> {
  if (first) assertVersion(first);
  if (first?.type === "started") return beginFolding(run, await services.definition(first.definition), first);
  if (first?.type === "base") return (await loadStates()).readBase(services, run, first);
  throw new WorkflowError("RUN_CORRUPT", `The journal of run ${run} does not begin with a start. The run was left as it is.`, {
    details: { run },
  });
}

function assertVersion(entry: Entry): void {
  if (!("version" in entry) || entry.version === JOURNAL_VERSION) return;
  throw new WorkflowError(
    "SCHEMA_VERSION_UNSUPPORTED",
    `This run was written in version ${String(entry.version)} of the journal; this copy of wavepoint reads version ${JOURNAL_VERSION}. Update it; the run was left as it is.`,
    { details: { found: entry.version, supported: JOURNAL_VERSION } },
  );
}

/** The entries of a run from one place to another, decoded; `tell` gets the length of each. Throws `RUN_CORRUPT`. */
export async function readEntries(
  services: JournalParts,
  run: string,
  from: number,
  to: number,
  tell?: (entry: Entry, length: number) => void,
): Promise<Entry[]> {
  const texts = await readTexts(services, run, { from, to });
  const entries: Entry[] = [];
  let position = from;
  let isOurs = true;
  for (const text of texts) {
    try {
      const decoded = decodeEntry(services, parseEntry(text));
      const entry = decoded instanceof Promise ? await decoded : decoded;
      // What another version means by its entries is not for this one to judge.
      if ("version" in entry) isOurs = entry.version === JOURNAL_VERSION;
      if (isOurs && !isSound(entry)) throw new TypeError(`An entry of the kind "${entry.type}" is not written like that.`);
      entries.push(entry);
      tell?.(entry, text.length);
      // A base reads as the last of the entries it stands for.
      position = entry.type === "base" ? entry.entries : position + 1;
    } catch (cause) {
      throw unreadable(run, position, cause);
    }
  }
  return entries;
}

/** Most entries by far are completions, of which few members are looked at before they are shown. */
function isSound(entry: Entry): boolean {
  // What a preview takes for granted is never written.
  if (entry.type === "assumed") return false;
  if (entry.type !== "completed" || entry.added !== undefined) return isEntryShaped(entry);
  const { block, at, item = 0 } = entry;
  return typeof block === "string" && Number.isFinite(at) && Number.isSafeInteger(item);
}

function parseEntry(text: string): { readonly [key: string]: unknown } {
  // A base holds what many entries held.
  const isBase = text.startsWith('{"type":"base"');
  if ((text.length > MAX_ENTRY_LENGTH && !isBase) || isDeeperThan(text, MAX_ENTRY_DEPTH))
    throw new TypeError("No entry is as long or as deep as this.");
  const entry: unknown = JSON.parse(text);
  if (isRecord(entry) && typeof entry["type"] === "string") return entry;
  throw new TypeError("An entry is an object with a type.");
}

/**
 * Makes the definitions known to which entries move the run, and loads the code of blocks that they add, before they are folded. Throws `RUN_CORRUPT` where a
 * definition is missing.
 */
async function knowDefinitions(services: JournalParts, run: FoldedRun, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    if ("added" in entry && entry.added) await services.loadBlocks(entry.added);
    if (entry.type === "supplied" || (entry.type === "reentered" && entry.units)) await addedPart.load();
    if (entry.type === "moved") run.know(entry.definition, await services.definition(String(entry.definition)));
  }
}

import { WorkflowError } from "../model/errors.ts";
import { FORBIDDEN_KEYS, isRecord } from "../model/value.ts";
import { pack } from "./state-encoding.ts";
import { areRecords } from "./state-shape.ts";
import { type RunState, type StepRecord, StepRecords } from "../machine/machine.ts";

/** Blocks whose records are read together: some of a stretch. */
export const TOGETHER = 64;
/** Stands around values that are decoded at once: a value that takes a promise cannot be decoded on demand. */
const RICH = '"~value"';
const NOTHING = "null";
/** Records of blocks of which none has begun. */
export const NO_RECORDS = "[]";
const WHOLE = { from: 0, to: Infinity };

/** The records of a state, cut into texts that can be read one by one. */
export interface StoredRecords {
  /** Those of {@link TOGETHER} blocks each. */
  readonly texts: readonly string[];
  /** Those that hold more than plain JSON, by their block. */
  readonly rich: ReadonlyMap<number, StepRecord>;
}

/** Cuts the records of a state: of all its blocks, or of those in a range that begins where a text does. */
export function storeRecords({ records, blocks }: RunState, { from: first, to }: { from: number; to: number } = WHOLE): StoredRecords {
  const texts: string[] = [];
  const rich = new Map<number, StepRecord>();
  const count = Math.min(to, blocks.length);
  for (let from = first; from < count; from += TOGETHER) {
    const parts: string[] = [];
    let isEmpty = true;
    for (let block = from; block < Math.min(count, from + TOGETHER); block++) {
      const record = records.get(block);
      const text = record ? JSON.stringify(shorten(record)) : NOTHING;
      const isRich = text.includes(RICH);
      if (isRich) rich.set(block, record!);
      parts.push(isRich ? NOTHING : text);
      isEmpty &&= record === undefined;
    }
    texts.push(isEmpty ? NO_RECORDS : `[${parts.join(",")}]`);
  }
  return { texts, rich };
}

/** Leaves out what the place of a record implies for most records. */
function shorten(record: StepRecord): unknown {
  const { at, ms, outputs } = record;
  for (const name in record) {
    if (name !== "at" && name !== "ms" && name !== "outputs") return pack(record, "");
  }
  return outputs === undefined ? record : [at, ms, pack(outputs, "outputs")];
}

/**
 * The records that {@link storeRecords} cut, read on demand: reading one throws `RUN_CORRUPT` where it cannot belong to blocks with these
 * codes. Throws any error where their number is not that of the blocks.
 */
export function restoreRecords(run: string, { texts, rich }: StoredRecords, codes: Uint8Array): StepRecords {
  if (texts.length !== Math.ceil(codes.length / TOGETHER)) throw new TypeError("Not the records of these blocks.");
  const waiting: (string | undefined)[] = [...texts];
  // What follows the snapshot changes the codes.
  const stored = codes.slice();
  // Filled from the start: a list that is made with more than 100,000 places at once is a slow one.
  const unread: undefined[] = [];
  for (const _ of codes) unread.push(undefined);
  return new StepRecords(unread, (block, known: (StepRecord | undefined)[]) => {
    const part = Math.floor(block / TOGETHER);
    const text = waiting[part];
    if (text === undefined) return;
    const from = part * TOGETHER;
    const records = readPart(run, text, { stored: stored.subarray(from, from + TOGETHER), rich: (i) => rich.get(from + i) });
    waiting[part] = undefined;
    records.forEach((record, i) => (known[from + i] = record));
  });
}

interface Part {
  readonly stored: Uint8Array;
  readonly rich: (place: number) => StepRecord | undefined;
}

function readPart(run: string, text: string, { stored, rich }: Part): readonly (StepRecord | undefined)[] {
  try {
    const records = (JSON.parse(text) as unknown[]).map((short, i) => rich(i) ?? lengthen(short));
    if (areRecords(records, stored)) return records as (StepRecord | undefined)[];
  } catch {
    // Told below.
  }
  throw new WorkflowError("RUN_CORRUPT", `The snapshot of run ${run} holds steps that no run has. The run was left as it is.`, {
    details: { run },
  });
}

function lengthen(short: unknown): unknown {
  if (Array.isArray(short)) return { at: short[0] as unknown, ms: short[1] as unknown, outputs: short[2] as unknown };
  if (isRecord(short) && Object.keys(short).some((name) => FORBIDDEN_KEYS.has(name))) throw new TypeError("A record with a forbidden key.");
  return short ?? undefined;
}

import { WorkflowError } from "../model/errors.ts";
import { FORBIDDEN_KEYS, isRecord } from "../model/value.ts";
import { pack } from "./state-encoding.ts";
import { areRecords } from "./state-shape.ts";
import type { RunState, StepRecord } from "./state.ts";
import { StepRecords } from "./step-records.ts";

/** Blocks whose records are read together. */
const TOGETHER = 64;
/** Stands around values that are decoded at once: what takes a promise cannot wait until somebody asks. */
const RICH = '"~value"';
const NOTHING = "null";

/** The records of a state, cut into texts that can be read one by one. */
export interface StoredRecords {
  /** Those of {@link TOGETHER} blocks each. */
  readonly texts: readonly string[];
  /** Those that hold more than plain JSON, by their block. */
  readonly rich: ReadonlyMap<number, StepRecord>;
}

/** Cuts the records of a state. */
export function storeRecords({ records, compiled }: RunState): StoredRecords {
  const texts: string[] = [];
  const rich = new Map<number, StepRecord>();
  const count = compiled.plan.ids.length;
  for (let from = 0; from < count; from += TOGETHER) {
    const parts: string[] = [];
    for (let block = from; block < Math.min(count, from + TOGETHER); block++) {
      const record = records.get(block);
      const text = record ? JSON.stringify(shorten(record)) : NOTHING;
      const isRich = text.includes(RICH);
      if (isRich) rich.set(block, record!);
      parts.push(isRich ? NOTHING : text);
    }
    texts.push(`[${parts.join(",")}]`);
  }
  return { texts, rich };
}

/** What most records hold is told by its place. */
function shorten(record: StepRecord): unknown {
  const { at, ms, outputs, ...rest } = record;
  const packed = pack(record, "") as { readonly [name: string]: unknown };
  return outputs !== undefined && Object.keys(rest).length === 0 ? [at, ms, packed["outputs"]] : packed;
}

/**
 * The records that {@link storeRecords} cut, read when somebody asks for them: reading one throws `RUN_CORRUPT` where it cannot belong to blocks with
 * these codes. Throws, whatever, where their number is not that of the blocks.
 */
export function restoreRecords(run: string, { texts, rich }: StoredRecords, codes: Uint8Array): StepRecords {
  if (texts.length !== Math.ceil(codes.length / TOGETHER)) throw new TypeError("Not the records of these blocks.");
  const waiting: (string | undefined)[] = [...texts];
  // What follows the snapshot changes the codes.
  const stored = codes.slice();
  return new StepRecords(new Array<StepRecord | undefined>(codes.length), (block, known) => {
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

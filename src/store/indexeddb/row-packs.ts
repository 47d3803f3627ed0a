import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { Commit } from "../../core/ports/store.ts";
import { compareRows, isRow } from "../listing.ts";
import { longRow, shortRow } from "../short-row.ts";
import type { RowFrame } from "../short-row.ts";
import { keysOf } from "./schema.ts";
import type { RowPack, Writing } from "./schema.ts";

/** Rows of a pack: enough to share the cost of a record, and few enough that a page reads little more than it shows. */
const PACK_ROWS = 32;
/** The most time between the oldest and the newest row of a pack, in milliseconds: so a page of a list reads few packs in vain. */
export const PACK_SPAN_MS = 10_000;

/** The rows that a commit adds to the index, in as few packs as hold them. */
export function packRows({ head }: Pick<Commit, "head">, rows: readonly CheckpointRow[]): RowPack[] {
  const packs: CheckpointRow[][] = [];
  for (const row of rows.toSorted(compareRows)) {
    const pack = packs.at(-1);
    if (pack && pack.length < PACK_ROWS && row.createdAt - pack[0]!.createdAt <= PACK_SPAN_MS) pack.push(row);
    else packs.push([row]);
  }
  const { id: run, revision, workflow, entries } = head;
  return packs.map((pack, part) => packOf(pack, { run, revision, part, workflow, entries }));
}

function packOf(rows: readonly CheckpointRow[], about: Omit<RowPack, "newest" | "rows">): RowPack {
  const newest = rows.at(-1)!.createdAt;
  let frame = frameOf({ ...about, newest });
  const short = rows.map((row) => {
    const written = shortRow(row, frame);
    frame = after(row, frame);
    return written;
  });
  return { ...about, newest, rows: short };
}

/** Returns the rows of a pack, oldest first; nothing if it is damaged. */
export function rowsOf(pack: RowPack): CheckpointRow[] | undefined {
  const { rows } = pack;
  if (!Array.isArray(rows) || rows.some((row) => !Array.isArray(row))) return undefined;
  let frame = frameOf(pack);
  const found = rows.map((written) => {
    const row = longRow(written, frame);
    frame = after(row, frame);
    return row;
  });
  return found.every(isRow) ? found : undefined;
}

/** What the first row of a pack is relative to. */
function frameOf({ run, workflow, newest, entries }: Omit<RowPack, "rows">): RowFrame {
  return { id: run, workflow, updatedAt: newest, entries };
}

/** What a row behind another one is relative to: most follow at once, one entry later. */
function after({ createdAt, entries }: CheckpointRow, frame: RowFrame): RowFrame {
  return { ...frame, updatedAt: createdAt, entries: entries + 1 };
}

/** Takes forgotten rows out of the packs of a run. */
export async function forgetRows(
  transaction: Writing,
  run: string,
  isForgotten: (row: CheckpointRow) => boolean,
): Promise<Promise<unknown>[]> {
  const store = transaction.objectStore("rows");
  const changed: Promise<unknown>[] = [];
  for (const pack of await store.getAll(keysOf(run))) {
    const rows = rowsOf(pack);
    const kept = rows?.filter((row) => !isForgotten(row));
    if (kept === undefined || kept.length === rows!.length) continue;
    changed.push(store.delete([run, pack.newest, pack.revision, pack.part]));
    if (kept.length > 0) changed.push(store.put(packOf(kept, pack)));
  }
  return changed;
}

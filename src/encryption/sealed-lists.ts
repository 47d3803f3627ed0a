import { isWorkflowError } from "../core/model/errors.ts";
import type { RunHead } from "../core/model/run.ts";
import { refuseSearch } from "../core/model/search.ts";
import type { DamagedRun, Page, RunQuery, Store } from "../core/ports/store.ts";
import { KEY_RUN, KEY_STATUS } from "./key-record.ts";
import type { RunSeals } from "./run-seals.ts";
import { encodeBase64 } from "../core/model/base64.ts";
import type { CheckpointRow } from "../core/model/checkpoint.ts";
import type { Keyring } from "./keyring.ts";
import { tampered } from "./tampering.ts";
import { webCrypto } from "./seal.ts";

/** The lists of a store. Heads and rows that were tampered with are named as damaged on the page where they stand. */
export function sealedLists(store: Store, keyring: Keyring, seals: RunSeals): Pick<Store, "runs" | "checkpoints"> {
  /** Whether the run that is none is on the list. */
  function hasKeyRun({ workflow = KEY_RUN, status = KEY_STATUS }: RunQuery): boolean {
    return workflow === KEY_RUN && [status].flat().includes(KEY_STATUS);
  }

  /** Whether nothing comes after a page but the run that is none: it was changed before all others. */
  async function isAtEnd(query: RunQuery, after: string): Promise<boolean> {
    if (query.oldestFirst === true || !hasKeyRun(query)) return false;
    const { items, next } = await store.runs({ ...query, limit: 1, after });
    return next === undefined && items.every(({ id }) => id === KEY_RUN);
  }

  /** A page of what is stored, behind the run that is none where it is the first one. */
  async function readPage(query: RunQuery): Promise<Page<RunHead>> {
    if (query.oldestFirst !== true || query.after !== undefined || !hasKeyRun(query)) return store.runs(query);
    const first = await store.runs({ ...query, limit: 1 });
    if (first.next === undefined || first.items[0]?.id !== KEY_RUN) return store.runs(query);
    const page = await store.runs({ ...query, after: first.next });
    const damaged = [...(first.damaged ?? []), ...(page.damaged ?? [])];
    return { ...page, ...(damaged.length > 0 && { damaged }) };
  }

  return {
    async runs(query = {}) {
      refuseSearch(query.where, "what they are found by is sealed");
      const page = await readPage(query);
      const stored = page.items.filter(({ id }) => id !== KEY_RUN);
      const opened = await openPage({ ...page, items: stored }, async (head): Promise<RunHead> => (await seals.open(head)).head!, "id");
      const { next, ...last } = opened;
      return next !== undefined && (await isAtEnd(query, next)) ? last : opened;
    },
    async checkpoints(query) {
      return openPage(await store.checkpoints(query), (row: CheckpointRow) => openRow(keyring, row), "run");
    },
  };
}

async function openPage<T>(page: Page<T>, open: (item: T) => Promise<T>, id: keyof T): Promise<Page<T>> {
  const damaged = new Map<string, DamagedRun>(page.damaged?.map((one) => [one.run, one]));
  const items: T[] = [];
  for (const [i, outcome] of (await Promise.allSettled(page.items.map(open))).entries()) {
    if (outcome.status === "fulfilled") {
      items.push(outcome.value);
      continue;
    }
    const error: unknown = outcome.reason;
    if (!isWorkflowError(error) || error.code !== "STORE_TAMPERED") throw error;
    const run = String(page.items[i]![id]);
    damaged.set(run, { run, error: error.toJSON() });
  }
  return { ...page, items, ...(damaged.size > 0 && { damaged: [...damaged.values()] }) };
}

/** Bytes kept of a row's code. */
const CODE_BYTES = 18;

/** The row with a code that only the store's key can make: it stays in the clear, and cannot be changed. */
export async function sealRow(keyring: Keyring, row: CheckpointRow): Promise<CheckpointRow> {
  return { ...row, sealed: await codeOf(keyring, row) };
}

/** The row that was sealed. Throws `STORE_TAMPERED`. */
async function openRow(keyring: Keyring, { sealed, ...row }: CheckpointRow): Promise<CheckpointRow> {
  if (sealed === (await codeOf(keyring, row))) return row;
  throw tampered(`A row of run ${row.run} in the index of checkpoints`, { run: row.run });
}

async function codeOf(keyring: Keyring, { run, workflow, kind, number, createdAt, entries }: CheckpointRow): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([run, workflow, kind, number, createdAt, entries]));
  const code = await webCrypto().subtle.sign("HMAC", keyring.rows, text);
  return encodeBase64(new Uint8Array(code, 0, CODE_BYTES));
}

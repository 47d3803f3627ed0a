import type { RunHead } from "../core/model/run.ts";
import type { WrappedKey } from "./run-key.ts";
import { openText, sealText } from "./seal.ts";
import type { Place } from "./seal.ts";
import { decodePlain, encodePlain } from "./plain-bytes.ts";
import { tampered } from "./tampering.ts";

/** Where the chain of a run's records ends: what the next one is bound to. */
export interface ChainEnd {
  /** Mark of the last entry; where a base stands for all of them, of the entry it stands for; nothing before the first. */
  readonly last: string;
  /** Mark of the base, where there is one. */
  readonly base?: string;
}

/** Members of a head that hold people's words. */
type Words = Partial<Pick<RunHead, "label" | "search" | "pauses" | "error" | "transferredTo">>;
/** All other members stand in the clear. A new member of a head does not compile until it is named here, or among the words. */
const CLEAR: { readonly [name in Exclude<keyof RunHead, keyof Words | "sealed">]: true } = {
  id: true,
  workflow: true,
  definition: true,
  status: true,
  reason: true,
  createdAt: true,
  updatedAt: true,
  changedAt: true,
  revision: true,
  epoch: true,
  entries: true,
  base: true,
  blobs: true,
  parent: true,
  fork: true,
  previous: true,
  imported: true,
  revised: true,
  ownership: true,
};

/** `sealed` of a head in its parts. */
export interface HeadSeal {
  readonly wrapped: WrappedKey;
  readonly text: string;
}

/**
 * The head as the store inside gets it: words sealed, the rest in the clear and bound to the seal, so that no field of it can be changed by
 * itself.
 */
export async function sealHead(head: RunHead, chain: ChainEnd, wrapped: WrappedKey, key: CryptoKey): Promise<RunHead> {
  const { label, search, pauses, error, transferredTo } = head;
  const words: Words = {
    ...(label !== undefined && { label }),
    ...(search && { search }),
    ...(pauses.length > 0 && { pauses }),
    ...(error && { error }),
    ...(transferredTo !== undefined && { transferredTo }),
  };
  const clear = { ...pickClear(head), pauses: [] };
  const text = await sealText(key, encodePlain(JSON.stringify([words, chain])), placeOf(clear, wrapped));
  return { ...clear, sealed: `${wrapped.generation}.${wrapped.text}.${text}` };
}

function pickClear(head: RunHead): Omit<RunHead, "pauses"> {
  const members = Object.entries(head).filter(([name]) => Object.hasOwn(CLEAR, name));
  return Object.fromEntries(members) as unknown as Omit<RunHead, "pauses">;
}

/** Takes apart what {@link sealHead} wrote. Throws `STORE_TAMPERED` for a head without a seal. */
export function readSeal({ id, sealed }: RunHead): HeadSeal {
  const [, generation, wrapped, text] = /^([1-9]\d{0,8})\.([^.]+)\.([^.]+)$/.exec(sealed ?? "") ?? [];
  if (wrapped === undefined || text === undefined) throw tampered(`The head of run ${id}`, { run: id });
  return { wrapped: { generation: Number(generation), text: wrapped }, text };
}

/** The head that was sealed, and the end of its chain. Throws `STORE_TAMPERED`. */
export async function openHead(stored: RunHead, { wrapped, text }: HeadSeal, key: CryptoKey): Promise<{ head: RunHead; chain: ChainEnd }> {
  const { sealed: _, ...clear } = stored;
  const bytes = await openText(key, text, placeOf(clear, wrapped));
  if (!bytes) throw tampered(`The head of run ${stored.id}`, { run: stored.id });
  const [words, chain] = JSON.parse(decodePlain(bytes) as string) as [Words, ChainEnd];
  return { head: { ...clear, ...words }, chain };
}

function placeOf(clear: RunHead, { generation, text }: WrappedKey): Place {
  const fields = Object.entries(clear).filter(([, value]) => value !== undefined);
  return ["head", fields.toSorted(([a], [b]) => (a < b ? -1 : 1)), generation, text];
}

import type { Base } from "../core/ports/store.ts";
import { decodePlain, encodePlain } from "./plain-bytes.ts";
import { drawNonce, MARK_LENGTH, markOf, markOfNonce, openText, sealText } from "./seal.ts";
import type { Place } from "./seal.ts";
import { tampered } from "./tampering.ts";

/** The mark before the first entry. */
export const NO_MARK: string = "A".repeat(MARK_LENGTH);

/** Entries that are opened at the same time. */
const ENTRIES_AT_ONCE = 1_000;

/** What stands before the entries: the number of the first, and the mark of the one before it. */
export interface Predecessor {
  readonly from: number;
  readonly before: string;
}

/** What a run's records are sealed with. */
export interface RunSeal {
  readonly run: string;
  readonly key: CryptoKey;
}

/**
 * Seals entries from a position on, each bound to the run, its number and the mark of the one before. Marks are drawn beforehand, so all are
 * sealed at the same time, and their marks are known at once.
 */
export function sealEntries(
  { run, key }: RunSeal,
  texts: readonly string[],
  { from, before }: Predecessor,
): { readonly entries: Promise<readonly string[]>; readonly marks: readonly string[] } {
  const nonces = texts.map(drawNonce);
  const marks = nonces.map(markOfNonce);
  const sealing = texts.map((text, i) => sealText(key, encodePlain(text), entryPlace(run, from + i, marks[i - 1] ?? before), nonces[i]));
  return { entries: Promise.all(sealing), marks };
}

/** Opens entries from a position on. Throws `STORE_TAMPERED` for the first that is not the one that follows there. */
export async function openEntries({ run, key }: RunSeal, sealed: readonly string[], { from, before }: Predecessor): Promise<string[]> {
  const texts: string[] = [];
  for (let first = 0; first < sealed.length; first += ENTRIES_AT_ONCE) {
    const opening = sealed.slice(first, first + ENTRIES_AT_ONCE).map((text, i) => {
      const at = first + i;
      return openText(key, text, entryPlace(run, from + at, at === 0 ? before : markOf(sealed[at - 1]!)));
    });
    for (const bytes of await Promise.all(opening)) {
      if (!bytes) throw entryTampered(run, from + texts.length);
      texts.push(decodePlain(bytes) as string);
    }
  }
  return texts;
}

/** Seals a base together with the mark of the entry it stands for, to which the next one is bound. */
export function sealBase({ run, key }: RunSeal, { at, text }: Base, link: string): Promise<string> {
  return sealText(key, encodePlain(link + text), ["base", run, at]);
}

/** Opens the base that the head knows by its mark. Throws `STORE_TAMPERED`. */
export async function openBase(
  { run, key }: RunSeal,
  sealed: string | undefined,
  { at, mark }: { readonly at: number; readonly mark: string | undefined },
): Promise<{ readonly text: string; readonly link: string }> {
  const bytes = sealed !== undefined && markOf(sealed) === mark ? await openText(key, sealed, ["base", run, at]) : undefined;
  if (!bytes) throw entryTampered(run, at - 1);
  const plain = decodePlain(bytes) as string;
  return { link: markOf(plain), text: plain.slice(MARK_LENGTH) };
}

/** The error of an entry that is not the one that was sealed there. */
export function entryTampered(run: string, entry: number): Error {
  return tampered(`Entry ${entry} of run ${run}`, { run, entry });
}

function entryPlace(run: string, number: number, before: string): Place {
  return ["entry", run, number, before];
}

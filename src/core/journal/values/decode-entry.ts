import type { Entry } from "../../model/journal.ts";
import { FORBIDDEN_KEYS, isRecord } from "../../model/value.ts";
import type { JournalParts } from "../journal-parts.ts";
import { decodeValue } from "./rich-values.ts";

/** An object as JSON gave it, with no other reference to it yet. */
type Holder = { [member: string]: unknown };

/** Members of an entry that hold one value of a block or a person. */
const VALUES = ["inputs", "outputs", "metadata", "response", "value", "prefill", "writes", "channels"] as const;

/**
 * Decodes the values in an entry that was just read, in the entry itself. Gives a promise only for one that holds more than plain JSON; it rejects
 * as `decodeValue` does.
 */
export function decodeEntry(services: JournalParts, entry: { readonly [member: string]: unknown }): Entry | Promise<Entry> {
  const later: Promise<void>[] = [];
  const decode = (holder: unknown, member: string): void => {
    if (!isRecord(holder) || !Object.hasOwn(holder, member)) return;
    if (FORBIDDEN_KEYS.has(member)) throw new TypeError("An entry with a forbidden key.");
    const value = decodeValue(holder[member], services);
    if (value instanceof Promise) later.push(value.then((decoded) => void ((holder as Holder)[member] = decoded)));
  };
  for (const member of VALUES) decode(entry, member);
  if (entry["type"] === "paused") decode(entry["earlier"], "response");
  const decoded = entry as unknown as Entry;
  return later.length === 0 ? decoded : Promise.all(later).then(() => decoded);
}

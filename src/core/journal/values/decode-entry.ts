import type { Entry } from "../../model/journal.ts";
import { isRecord } from "../../model/value.ts";
import type { JournalParts } from "../journal-parts.ts";
import { decodeValue } from "./rich-values.ts";

/** An object as JSON gave it, with no other reference to it yet. */
type Holder = { readonly [member: string]: unknown };

/** Members of an entry that hold one value of a block or a person. */
const VALUES = [
  "inputs",
  "outputs",
  "metadata",
  "response",
  "value",
  "prefill",
  "writes",
  "channels",
  "checkpoint",
  "previousOutputs",
  "reference",
] as const;

/**
 * Decodes the values in an entry that was just read, in the entry itself. Gives a promise only for one that holds more than plain JSON; it rejects
 * as `decodeValue` does.
 */
export function decodeEntry(services: JournalParts, entry: Holder): Entry | Promise<Entry> {
  // Very few entries hold such a value.
  let later: Promise<void>[] | undefined;
  for (const member of VALUES) {
    const slow = decodeMember(services, entry, member);
    if (slow) (later ??= []).push(slow);
  }
  const { earlier } = entry;
  const slow = entry["type"] === "paused" && isRecord(earlier) && decodeMember(services, earlier, "response");
  if (slow) (later ??= []).push(slow);
  const decoded = entry as unknown as Entry;
  return later ? Promise.all(later).then(() => decoded) : decoded;
}

/** Resolves once a member is decoded, where that takes a promise; plain JSON stays as it is. */
function decodeMember(services: JournalParts, holder: Holder, member: string): Promise<void> | undefined {
  const value = decodeValue(holder[member], services);
  if (!(value instanceof Promise)) return undefined;
  return value.then((decoded) => void ((holder as { [name: string]: unknown })[member] = decoded));
}

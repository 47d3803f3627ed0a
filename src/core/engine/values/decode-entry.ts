import type { Entry } from "../../model/journal.ts";
import { FORBIDDEN_KEYS, isRecord } from "../../model/value.ts";
import type { Services } from "../services.ts";
import { decodeValue } from "./decode-value.ts";

/** An object as JSON gave it: nobody else has it yet. */
type Holder = { [member: string]: unknown };

/** Members of an entry that hold one value of a block or a person. */
const VALUES = ["inputs", "outputs", "metadata", "response", "value", "prefill"] as const;

/**
 * Decodes the values in an entry that was just read, in the entry itself. Gives a promise only for one that holds more than plain JSON; it rejects
 * as `decodeValue` does.
 */
export function decodeEntry(services: Services, entry: { readonly [member: string]: unknown }): Entry | Promise<Entry> {
  const later: Promise<void>[] = [];
  const decode = (holder: unknown, member: string): void => {
    if (!isRecord(holder) || !Object.hasOwn(holder, member)) return;
    if (FORBIDDEN_KEYS.has(member)) throw new TypeError("An entry with a forbidden key.");
    const value = decodeValue(holder[member], services);
    if (value instanceof Promise) later.push(value.then((decoded) => void ((holder as Holder)[member] = decoded)));
  };
  for (const member of VALUES) decode(entry, member);
  const { type, earlier, answers } = entry;
  if (type === "paused") decode(earlier, "response");
  if (type === "revises") {
    for (const pause of namesOf(answers)) decode(answers, pause);
    for (const pause of namesOf(earlier)) decode((earlier as Holder)[pause], "response");
  }
  const decoded = entry as unknown as Entry;
  return later.length === 0 ? decoded : Promise.all(later).then(() => decoded);
}

function namesOf(holder: unknown): readonly string[] {
  return isRecord(holder) ? Object.keys(holder) : [];
}

import { encodePlain, isRichForm, type Encoded } from "../../model/encoding.ts";
import type { StoredFile } from "../../model/run-file.ts";
import type { JournalParts } from "../journal-parts.ts";
import type * as RichCodec from "./rich-codec.ts";

let codec: typeof RichCodec | undefined;

/** Loads the code for values that JSON cannot hold: before the first block of a run that may give one, and where one is read. */
export async function loadRichCodec(): Promise<typeof RichCodec> {
  return (codec ??= await import("./rich-codec.ts"));
}

/**
 * Encodes a value for the journal, with its secrets masked where it is more than plain JSON; its large bytes are stored before it resolves. What
 * the run keeps is what reading the journal would give. Rejects with `VALUE_UNSERIALIZABLE`, `LIMIT_EXCEEDED` and what the store throws.
 */
export function encodeValue(value: unknown, options: RichCodec.EncodeOptions): Encoded | Promise<Encoded> {
  const plain = encodePlain(value);
  if (plain) return plain;
  // Once it is loaded, the value is copied at once: a block may change it afterwards.
  return codec ? codec.encodeRich(value, options) : loadRichCodec().then(({ encodeRich }) => encodeRich(value, options));
}

/**
 * Decodes what a journal holds. Gives a promise only for values that are not plain JSON; it rejects for what was never encoded: other
 * software may have written to the store. `RUN_CORRUPT` for blobs that are missing or damaged, `SERIALIZER_MISSING`.
 */
export function decodeValue(encoded: unknown, services: JournalParts): unknown {
  return isRichForm(encoded) ? loadRichCodec().then(({ decodeRich }) => decodeRich(encoded, services)) : encoded;
}

/** Keeps the bytes of a file that a block gives to its run; see `keepFile`. */
export async function keepFile(...given: Parameters<typeof RichCodec.keepFile>): Promise<StoredFile> {
  return (await loadRichCodec()).keepFile(...given);
}

/** The bytes of a file of a run. Rejects with `RUN_CORRUPT` for what is missing or damaged. */
export async function readFile(...given: Parameters<typeof RichCodec.readFile>): Promise<Uint8Array<ArrayBuffer>> {
  return (await loadRichCodec()).readFile(...given);
}

/** A value with the bytes of the files of its run that it refers to; see `openFiles`. */
export async function openFiles<T>(value: T, services: JournalParts): Promise<T> {
  return (await (await loadRichCodec()).openFiles(value, services)) as T;
}

import { encodePlain, type Encoded } from "../../model/encoding.ts";
import type { EncodeOptions } from "./encode-rich.ts";
import type { RichCodec } from "./rich-codec.ts";

let codec: RichCodec | undefined;

/** Loads the code for values that JSON cannot hold: before the first block of a run that may give one, and where one is read. */
export async function loadRichCodec(): Promise<RichCodec> {
  return (codec ??= (await import("./rich-codec.ts")).richCodec);
}

/**
 * Encodes a value for the journal, with its secrets masked where it is more than plain JSON; its large bytes are stored before it resolves. What
 * the run keeps is what reading the journal would give. Rejects with `VALUE_UNSERIALIZABLE`, `LIMIT_EXCEEDED` and what the store throws.
 */
export function encodeValue(value: unknown, options: EncodeOptions): Encoded | Promise<Encoded> {
  const plain = encodePlain(value);
  if (plain) return plain;
  // Once it is loaded, the value is copied at once: a block may change it afterwards.
  return codec ? codec.encodeRich(value, options) : loadRichCodec().then(({ encodeRich }) => encodeRich(value, options));
}

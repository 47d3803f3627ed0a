import { isRichForm } from "../../model/encoding.ts";
import type { JournalParts } from "../journal-parts.ts";
import { loadRichCodec } from "./rich-values.ts";

/**
 * Decodes what a journal holds. Gives a promise only for values that are not plain JSON; it rejects for what was never encoded: other
 * software may have written to the store. `RUN_CORRUPT` for blobs that are missing or damaged, `SERIALIZER_MISSING`.
 */
export function decodeValue(encoded: unknown, services: JournalParts): unknown {
  return isRichForm(encoded) ? loadRichCodec().then(({ decodeRich }) => decodeRich(encoded, services)) : encoded;
}

import { isRichForm } from "../../model/encoding.ts";
import { isDeeperThan } from "../../model/json-depth.ts";
import { MAX_ANSWER_LENGTH, MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../../model/limits.ts";
import { isRecord } from "../../model/value.ts";

/** What a draft's text holds, encoded as in a journal; nothing where none was ever written so. */
export function parseDraft(text: string): unknown {
  return parseNote(text, MAX_ANSWER_LENGTH);
}

/** A note as JSON; nothing where it cannot be read. One that cannot is as good as lost: nothing true depends on it. */
export function parseNote(text: string, limit: number = MAX_VALUE_LENGTH): unknown {
  if (text.length > limit || isDeeperThan(text, MAX_VALUE_DEPTH)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The hashes of the blobs with the bytes of a draft: of the draft itself, or of one that is carried along for a question that comes later. */
export function blobsOfDraft(text: string): readonly string[] {
  const parsed = parseNote(text);
  const carried = isRecord(parsed) ? parsed["text"] : undefined;
  const form = typeof carried === "string" ? parseDraft(carried) : parsed;
  return isRichForm(form) ? (form.blobs ?? []).filter((hash: unknown) => typeof hash === "string") : [];
}

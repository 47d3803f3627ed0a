import { isRichForm } from "../model/encoding.ts";
import { isDeeperThan } from "../model/json-depth.ts";
import { MAX_ANSWER_LENGTH, MAX_VALUE_DEPTH } from "../model/limits.ts";
import type { Value } from "../model/value.ts";

/** What a person has typed so far. */
export interface SavedDraft {
  /** As JSON; equal texts are the same draft. */
  readonly text: string;
  readonly value: Value;
}

/** What a draft's text holds, encoded as in a journal; nothing where none was ever written so. One that cannot be read is as good as lost. */
export function parseDraft(text: string): unknown {
  if (text.length > MAX_ANSWER_LENGTH || isDeeperThan(text, MAX_VALUE_DEPTH)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The hashes of the blobs with the bytes of a draft. */
export function blobsOfDraft(text: string): readonly string[] {
  const form = parseDraft(text);
  return isRichForm(form) ? (form.blobs ?? []).filter((hash: unknown) => typeof hash === "string") : [];
}

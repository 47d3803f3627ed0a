import { isHostError, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import type { JournalParts } from "../journal-parts.ts";
import { isPacked, unpackText } from "./pack-text.ts";

/**
 * The entries of a stored run as plain texts, packed or not. Throws `RUN_CORRUPT` for a packed one that is damaged, or gives
 * more than an entry can hold.
 */
export async function readTexts(
  services: JournalParts,
  run: string,
  range: { readonly from?: number; readonly to?: number },
): Promise<string[]> {
  const { store, host, onEvent } = services;
  const startedAt = onEvent ? host.now() : 0;
  const stored = await store.read(run, range);
  if (onEvent) {
    const length = stored.reduce((sum, text) => sum + text.length, 0);
    onEvent({ type: "loaded", run, entries: stored.length, length, tookMs: host.now() - startedAt });
  }
  const texts: string[] = [];
  for (const text of stored) {
    try {
      texts.push(isPacked(text) ? await unpackText(text, host) : text);
    } catch (cause) {
      throw unreadable(run, (range.from ?? 0) + texts.length, cause);
    }
  }
  return texts;
}

/** A tampered store may hold anything, but nothing in it may do more harm than a damaged entry. */
export function unreadable(run: string, entry: number, cause: unknown): WorkflowError {
  if (isHostError(cause)) return cause;
  const reason = isWorkflowError(cause) ? ` ${cause.message}` : "";
  return new WorkflowError(
    "RUN_CORRUPT",
    `Entry ${entry} of run ${run} is not readable.${reason} The run was left as it is; other runs are not touched.`,
    { details: { ...(isWorkflowError(cause) ? cause.details : {}), run, entry }, cause },
  );
}

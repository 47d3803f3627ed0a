import { isWorkflowError } from "../model/errors.ts";
import type { Commit } from "../ports/store.ts";
import type { JournalParts } from "./journal-parts.ts";
import { packText } from "./values/pack-text.ts";

/** Characters from which on a text is packed: shorter ones cost more time than their bytes are worth. */
const LONG_TEXT = 16_384;

/**
 * Hands a commit to the store, with its long texts packed; an event says how long the store took. Where the store is full, it makes room once and
 * writes again. Rejects as the store does.
 */
export async function storeCommit(services: JournalParts, commit: Commit): Promise<void> {
  try {
    await store(services, commit);
  } catch (error) {
    if (!isWorkflowError(error) || error.code !== "STORE_QUOTA") throw error;
    await services.makeRoom();
    await store(services, commit);
  }
}

function store(services: JournalParts, commit: Commit): Promise<void> {
  const isLong = commit.entries.some(({ length }) => length > LONG_TEXT) || (commit.base?.text.length ?? 0) > LONG_TEXT;
  if (isLong) return storePacked(services, commit);
  return services.onEvent ? storeAndTell(services, commit) : services.store.commit(commit);
}

async function storePacked(services: JournalParts, commit: Commit): Promise<void> {
  const pack = (text: string): string | Promise<string> => (text.length > LONG_TEXT ? packText(text, services.host) : text);
  const { base } = commit;
  return storeAndTell(services, {
    ...commit,
    entries: await Promise.all(commit.entries.map(pack)),
    ...(base ? { base: { ...base, text: await pack(base.text) } } : {}),
  });
}

async function storeAndTell({ store, host, onEvent }: JournalParts, commit: Commit): Promise<void> {
  const startedAt = host.now();
  await store.commit(commit);
  const { run, entries } = commit;
  const length = entries.reduce((sum, text) => sum + text.length, 0);
  const event = { type: "saved", run, entries: entries.length, length, tookMs: host.now() - startedAt } as const;
  // What a listener throws is no failure of the store.
  void Promise.resolve().then(() => onEvent?.(event));
}

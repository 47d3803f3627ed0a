import { isHostError, WorkflowError } from "../model/errors.ts";
import { isRichForm } from "../model/encoding.ts";
import { draftKey, pauseId } from "../model/ids.ts";
import { isDeeperThan } from "../model/json-depth.ts";
import { MAX_ANSWER_LENGTH, MAX_VALUE_DEPTH } from "../model/limits.ts";
import type { Value } from "../model/value.ts";
import { decodeValue, encodeValue, withoutSecrets } from "../journal/journal.ts";
import { pauseAt, pauseNumber } from "./find-pause.ts";
import type { OpenRun, SavedDraft, Services } from "./services.ts";

const KEY = /^draft\.(\d{1,9})$/;

/** Keeps what was typed so far beside the run; see `Run.saveDraft`. */
export async function saveDraft(services: Services, run: OpenRun, pause: string, draft: Value | undefined): Promise<void> {
  const { store, values } = services;
  const number = pauseNumber(run, pause);
  if (run.session.broken || !run.session.state.open.has(number)) await run.catchUp();
  run.assertHere();
  assertWanted(run, number);
  if (run.session.state.pauses[number]!.entry.sensitive) return;
  await services.guard?.secure(run.session);
  const open = withoutSecrets(draft, values.isSecretKey);
  const saved = open === undefined ? undefined : await encodeDraft(services, run, services.guard?.mask(run.id, open) ?? open);
  // The question may still be on its way to the store.
  await run.session.flushed();
  await store.putNote(run.id, draftKey(number), saved?.text);
  const head = await store.head(run.id);
  if (!head || head.status === "cancelled" || !head.pauses.some(({ id }) => id === pause)) {
    await run.update();
    // The question was answered meanwhile, and its draft removed before this one came.
    if (!isWanted(run, number)) await store.putNote(run.id, draftKey(number), undefined);
    assertWanted(run, number);
  }
  run.showDraft(number, saved);
}

/** Whether a question takes a draft: it waits, or it was withdrawn without an answer and may be asked again. */
function isWanted({ session: { state } }: OpenRun, number: number): boolean {
  const pause = state.pauses[number];
  const isTakenBack = pause?.withdrawn === true && pause.answer === undefined;
  return (state.open.has(number) || isTakenBack) && state.finished?.status !== "cancelled";
}

function assertWanted(run: OpenRun, number: number): void {
  pauseAt(run, number);
  if (isWanted(run, number)) return;
  const id = pauseId(run.id, number);
  throw new WorkflowError("PAUSE_ALREADY_ANSWERED", `Pause ${id} takes no answer any more, so a draft of it was not kept.`, {
    details: { pause: id },
  });
}

async function encodeDraft(services: Services, { id }: OpenRun, draft: Value): Promise<SavedDraft> {
  // The bytes of files are stored as blobs, which no run but the draft names: they go once it has gone.
  const { encoded, value } = await encodeValue(draft, { what: "The draft", services, run: id, blobs: new Set() });
  const text = JSON.stringify(encoded);
  if (text.length <= MAX_ANSWER_LENGTH) return { text, value: value as Value };
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `The draft takes ${text.length} characters; ${MAX_ANSWER_LENGTH} are allowed. Nothing was saved.`,
    { details: { length: text.length, limit: MAX_ANSWER_LENGTH } },
  );
}

/**
 * The drafts that are stored beside a run, by the number of the pause. A draft that cannot be read is left out, since nothing depends on it. Those that
 * are `known` are not read again.
 */
export async function readDrafts(
  services: Services,
  run: string,
  known: ReadonlyMap<number, SavedDraft>,
): Promise<ReadonlyMap<number, SavedDraft>> {
  const drafts = new Map<number, SavedDraft>();
  for (const { key, text } of await services.store.notes(run, "draft.")) {
    const number = Number(KEY.exec(key)?.[1]);
    const draft = known.get(number)?.text === text ? known.get(number) : await readDraft(services, text);
    if (draft && !Number.isNaN(number)) drafts.set(number, draft);
  }
  return drafts;
}

async function readDraft(services: Services, text: string): Promise<SavedDraft | undefined> {
  const encoded = parseDraft(text);
  if (encoded === undefined) return undefined;
  try {
    return { text, value: (await decodeValue(encoded, services)) as Value };
  } catch (error) {
    if (isHostError(error)) throw error;
    return undefined;
  }
}

/** The value of a stored draft, encoded as in a journal. Nothing for a text that was never a draft: it counts as lost. */
function parseDraft(text: string): unknown {
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

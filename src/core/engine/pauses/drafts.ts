import { encodePlain, type Encoded } from "../../model/encoding.ts";
import { isHostError, WorkflowError } from "../../model/errors.ts";
import { draftKey, pauseId } from "../../model/ids.ts";
import { MAX_ANSWER_LENGTH } from "../../model/limits.ts";
import type { Value } from "../../model/value.ts";
import { pauseNumber } from "../answer-pause.ts";
import { checkpointNotFound } from "../checkpoints.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";
import { decodeValue } from "../values/decode-value.ts";
import { parseDraft } from "./draft-text.ts";

/** What somebody has typed so far. */
export interface SavedDraft {
  /** As JSON; equal texts are the same draft. */
  readonly text: string;
  readonly value: Value;
}

const KEY = /^draft\.(\d{1,9})$/;

/** Keeps what somebody has typed so far beside the run; see `Run.saveDraft`. */
export async function saveDraft(services: Services, run: LiveRun, pause: string, draft: Value | undefined): Promise<void> {
  const { store, guard } = services;
  const number = pauseNumber(run, pause);
  if (run.session.broken || !run.session.state.open.has(number)) await run.catchUp();
  run.assertHere();
  assertOpen(run, number);
  if (run.session.state.pauses[number]!.entry.sensitive) return;
  await guard?.secure(run.session);
  const saved = draft === undefined ? undefined : await encodeDraft(services, run, guard?.mask(run.id, draft) ?? draft);
  // The question may still be on its way to the store.
  await run.session.flushed();
  await store.putNote(run.id, draftKey(number), saved?.text);
  const head = await store.head(run.id);
  if (!head || head.status === "cancelled" || !head.pauses.some(({ id }) => id === pause)) {
    // Somebody answered meanwhile, and took the draft before this one came.
    await store.putNote(run.id, draftKey(number), undefined);
    await run.update();
    assertOpen(run, number);
  }
  run.showDraft(number, saved);
}

function assertOpen(run: LiveRun, number: number): void {
  const { state } = run.session;
  const id = pauseId(run.id, number);
  const pause = state.pauses[number];
  if (!pause || pause.forgotten) throw checkpointNotFound(id);
  if (state.open.has(number) && state.finished?.status !== "cancelled") return;
  throw new WorkflowError("PAUSE_ALREADY_ANSWERED", `Pause ${id} takes no answer any more, so a draft of it was not kept.`, {
    details: { pause: id },
  });
}

async function encodeDraft(services: Services, run: LiveRun, draft: Value): Promise<SavedDraft> {
  const { encoded, value } = encodePlain(draft) ?? (await encodeFiles(services, run, draft));
  const text = JSON.stringify(encoded);
  if (text.length <= MAX_ANSWER_LENGTH) return { text, value: value as Value };
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `The draft takes ${text.length} characters; ${MAX_ANSWER_LENGTH} are allowed. Nothing was saved.`,
    {
      details: { length: text.length, limit: MAX_ANSWER_LENGTH },
    },
  );
}

/** The bytes of files are stored as blobs, which no run but the draft names: they go once it has gone. */
async function encodeFiles(services: Services, { id }: LiveRun, draft: Value): Promise<Encoded> {
  const { encodeRich } = await import("../values/encode-rich.ts");
  return encodeRich(draft, { what: "The draft", services, run: id, blobs: new Set() });
}

/**
 * The drafts that are kept beside a run, by the number of the pause. One that cannot be read is left out: nothing true depends on it. Those that are
 * `known` are not read again.
 */
export async function readDrafts(
  services: Services,
  run: string,
  known: ReadonlyMap<number, SavedDraft> = new Map(),
): Promise<ReadonlyMap<number, SavedDraft>> {
  const drafts = new Map<number, SavedDraft>();
  for (const { key, text } of await services.store.notes(run, "draft.")) {
    const number = Number(KEY.exec(key)?.[1] ?? Number.NaN);
    const draft = known.get(number)?.text === text ? known.get(number) : await readDraft(services, text);
    if (draft && !Number.isNaN(number)) drafts.set(number, draft);
  }
  return drafts;
}

async function readDraft(services: Services, text: string): Promise<SavedDraft | undefined> {
  try {
    const encoded = parseDraft(text);
    return encoded === undefined ? undefined : { text, value: (await decodeValue(encoded, services)) as Value };
  } catch (error) {
    if (isHostError(error)) throw error;
    return undefined;
  }
}

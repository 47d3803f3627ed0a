import { encodePlain } from "../../model/encoding.ts";
import { WorkflowError } from "../../model/errors.ts";
import { draftKey, pauseId } from "../../model/ids.ts";
import { isDeeperThan } from "../../model/json-depth.ts";
import { MAX_ANSWER_LENGTH, MAX_VALUE_DEPTH } from "../../model/limits.ts";
import type { Value } from "../../model/value.ts";
import { pauseNumber } from "../answer-pause.ts";
import { checkpointNotFound } from "../checkpoints.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";

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
  const saved = draft === undefined ? undefined : encodeDraft(guard?.mask(run.id, draft) ?? draft);
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

function encodeDraft(draft: Value): SavedDraft {
  const plain = encodePlain(draft);
  if (!plain)
    throw new WorkflowError("VALUE_UNSERIALIZABLE", "A draft is plain JSON: texts, finite numbers, booleans, null, lists and objects.");
  const text = JSON.stringify(plain.encoded);
  if (text.length <= MAX_ANSWER_LENGTH) return { text, value: plain.value as Value };
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `The draft takes ${text.length} characters; ${MAX_ANSWER_LENGTH} are allowed. Nothing was saved.`,
    {
      details: { length: text.length, limit: MAX_ANSWER_LENGTH },
    },
  );
}

/** The drafts that are kept beside a run, by the number of the pause. One that cannot be read is left out: nothing true depends on it. */
export async function readDrafts({ store }: Services, run: string): Promise<ReadonlyMap<number, SavedDraft>> {
  const drafts = new Map<number, SavedDraft>();
  for (const { key, text } of await store.notes(run, "draft.")) {
    const number = KEY.exec(key)?.[1];
    const value = number === undefined ? undefined : parseDraft(text);
    if (value !== undefined) drafts.set(Number(number), { text, value });
  }
  return drafts;
}

function parseDraft(text: string): Value | undefined {
  if (text.length > MAX_ANSWER_LENGTH || isDeeperThan(text, MAX_VALUE_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

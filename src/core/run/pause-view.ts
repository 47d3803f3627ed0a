import { type Session, withoutMarkers } from "../journal/journal.ts";
import { askedPauses, deadlineOf, type FoldedRun, openPauses, pausePath, type RunReading } from "../machine/machine.ts";
import { pauseId } from "../model/ids.ts";
import type { Pause, RunProgress } from "../model/run.ts";
import type { Value, Values } from "../model/value.ts";
import type { SavedDraft } from "./saved-draft.ts";

/** What questions show beside themselves, and how they were shown before. */
export interface AroundPauses {
  readonly progress: RunProgress;
  /** What was typed so far, by the number of the pause. */
  readonly drafts: ReadonlyMap<number, SavedDraft>;
  readonly before: readonly Pause[];
}

/** The questions that wait for an answer, as pages see them: the same objects, in the same list, where nothing changed. */
export function viewPauses(session: Session, { progress, drafts, before }: AroundPauses): readonly Pause[] {
  const { state } = session;
  // A run that failed goes on with an answer; one that was given up never does.
  if (state.open.size === 0 || state.finished?.status === "cancelled") return before.length === 0 ? before : [];
  const known = new Map(before.map((pause) => [pause.id, pause]));
  const canGoBack = hasAnswer(session.folded);
  const pauses = openPauses(state).map((number) => {
    const last = known.get(pauseId(state.id, number));
    const draft = drafts.get(number)?.value;
    const isSame = last && last.draft === draft && last.progress === progress && last.allows.back === canGoBack;
    return isSame ? last : pauseView(session, number, { draft, progress, canGoBack });
  });
  return pauses.length === before.length && pauses.every((pause, i) => pause === before[i]) ? before : pauses;
}

/** What of a question follows from the whole run. */
interface Around {
  readonly draft: Value | undefined;
  readonly progress: RunProgress;
  readonly canGoBack: boolean;
}

/** A question as pages see it. */
function pauseView({ compiled, state }: RunReading, number: number, { draft, progress, canGoBack }: Around): Pause {
  const { entry, block, metadata } = state.pauses[number]!;
  const until = deadlineOf(state, number);
  const { earlier, title, sensitive, skippable } = entry;
  const again = sensitive || earlier?.state === "invalid" ? undefined : earlier?.response;
  const prefill = again === undefined ? entry.prefill : again;
  return {
    id: pauseId(state.id, number),
    run: state.id,
    path: pausePath(entry),
    type: entry.asks ?? compiled.workflow.blocks[block]!.type,
    ...(title === undefined ? {} : { title }),
    prompt: entry.prompt,
    schema: entry.schema,
    ...(prefill === undefined ? {} : { prefill: withoutMarkers(prefill) as Value }),
    ...(sensitive ? { sensitive } : {}),
    allows: { decline: entry.about === undefined, cancel: true, back: canGoBack, skip: skippable === true },
    progress,
    metadata: metadata as Values,
    askedAt: state.started.at + entry.at,
    ...(until === undefined ? {} : { expiresAt: state.started.at + until }),
    ...(draft === undefined ? {} : { draft }),
    ...(earlier ? { earlier } : {}),
  };
}

/** Whether there is a question to go back to; see `Run.back`. */
function hasAnswer({ state }: FoldedRun): boolean {
  for (const { answer, entry, forgotten, withdrawn } of askedPauses(state)) {
    if (answer !== undefined && answer.by !== "timeout" && entry.about === undefined && !forgotten && !withdrawn) return true;
  }
  return false;
}

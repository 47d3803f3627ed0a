import { withoutMarkers } from "../journal/journal.ts";
import { deadlineOf, isUnanswered, openPauses, pausePath, type PauseState, type RunReading, type RunState } from "../machine/machine.ts";
import { pauseId } from "../model/ids.ts";
import type { Pause, RunProgress } from "../model/run.ts";
import type { Value, Values } from "../model/value.ts";
import type { SavedDraft } from "./services.ts";

interface Asking {
  readonly session: RunReading;
  /** What was typed so far, by the number of the pause. */
  readonly drafts: ReadonlyMap<number, SavedDraft>;
}

/** The questions that wait for an answer, as pages see them: the same objects, in the same list, where nothing changed. */
export function viewPauses({ session, drafts }: Asking, progress: RunProgress, before: readonly Pause[] = []): readonly Pause[] {
  const { state } = session;
  // An answer continues a failed run, and never a cancelled one.
  if (state.open.size === 0 || state.finished?.status === "cancelled") return before.length === 0 ? before : [];
  const known = new Map(before.map((pause) => [pause.id, pause]));
  const back = hasAnswer(state);
  const pauses = openPauses(state).map((number) => {
    const last = known.get(pauseId(state.id, number));
    const draft = drafts.get(number)?.value;
    const again = timesAsked(state, number);
    const isSame =
      last && last.draft === draft && last.progress === progress && last.allows.back === back && again === (last.again?.times ?? 1);
    return isSame ? last : { ...viewPause(session, number, back), progress, ...(draft === undefined ? {} : { draft }) };
  });
  return pauses.length === before.length && pauses.every((pause, i) => pause === before[i]) ? before : pauses;
}

/** How often the question of a pause was asked. */
function timesAsked({ pauses }: RunState, number: number): number {
  return pauses[number]!.asked?.times ?? 1;
}

function viewPause({ compiled, state }: RunReading, number: number, back: boolean): Omit<Pause, "progress" | "draft"> {
  const { entry, block, metadata, asked } = state.pauses[number]!;
  const startedAt = state.started.at;
  const until = deadlineOf(state, number);
  const { earlier, title, sensitive, skippable, declinable, onEvent } = entry;
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
    allows: { decline: declinable === true, cancel: true, back, skip: skippable === true },
    metadata: metadata as Values,
    askedAt: startedAt + entry.at,
    ...(until === undefined ? {} : { expiresAt: startedAt + until }),
    ...(onEvent ? { events: Object.keys(onEvent) } : {}),
    ...(earlier ? { earlier } : {}),
    ...(asked ? { again: { times: asked.times, firstAt: startedAt + asked.firstAt, lastAt: startedAt + asked.lastAt } } : {}),
  };
}

function hasAnswer({ pauses }: RunState): boolean {
  return pauses.some((pause) => pause.block >= 0 && isPersonsAnswer(pause));
}

/** Whether a question was answered by a person, so that it can be gone back to; see `Run.back`. */
export function isPersonsAnswer({ answer, entry, forgotten, withdrawn }: PauseState): boolean {
  return answer !== undefined && !isUnanswered(answer) && entry.about === undefined && !forgotten && !withdrawn;
}

import { type Draft, freeze, produce } from "immer";
import type { Session } from "../journal/journal.ts";
import {
  begunAt,
  codeOf,
  type QuestionCounter,
  recordOf,
  STATUS_NAMES,
  statusOf,
  type Unit,
  type UnitKey,
  unitKey,
} from "../machine/machine.ts";
import type { Plan } from "../definition/definition.ts";
import type { ErrorData } from "../model/errors.ts";
import type { Pause } from "../model/run.ts";
import type { BlockView, RunView, WaveView } from "../model/view.ts";
import type { SavedDraft } from "./saved-draft.ts";
import { type ItemChanges, type UnitView, viewItems } from "./item-views.ts";
import { viewPauses } from "./pause-view.ts";

/** What a view shows: the run as it was read, and what only this process knows of it. */
export interface Shown {
  readonly session: Session;
  readonly counter: QuestionCounter;
  readonly active: boolean;
  readonly trouble: ErrorData | undefined;
  readonly running: ReadonlyMap<UnitKey, Unit & { readonly startedAt: number }>;
  /** The runs that blocks called. */
  readonly children: ReadonlyMap<UnitKey, string>;
  /** What was typed so far, by the number of the pause. */
  readonly drafts: ReadonlyMap<number, SavedDraft>;
}

/** The blocks of which a view may show something else now, and which of their items. */
export type ChangedBlocks = ReadonlyMap<number, ReadonlySet<number> | undefined>;

/** The view of a run that was not looked at yet. */
export function firstView(shown: Shown): RunView {
  const { state, compiled, origin, createdAt } = shown.session;
  const view: RunView = {
    id: state.id,
    workflow: state.started.workflow,
    createdAt,
    inputs: state.started.inputs,
    waves: compiled.plan.waves.map((wave, index) => ({ index, blocks: wave.map((block) => blockView(shown, block)) })),
    ...(origin.parent && { parent: origin.parent }),
    ...(origin.fork && { fork: origin.fork }),
    ...overview(shown, []),
  };
  return freeze(view, true);
}

/** The view that follows: a new object only where something changed, and in it the same parts where they did not. */
export function nextView(view: RunView, shown: Shown, changed: ChangedBlocks): RunView {
  return produce(view, (draft) => {
    const fields: Overview = overview(shown, view.pauses);
    Object.assign(draft, fields);
    if (!fields.error) delete draft.error;
    if (!fields.outdated) delete draft.outdated;
    if (!fields.transferredTo) delete draft.transferredTo;
    if (!fields.outputs) delete draft.outputs;
    if (changed.size > 0) draft.waves = nextWaves(view.waves, shown, changed) as Draft<WaveView[]>;
  });
}

/**
 * The waves with what changed made anew. Each list is copied once for all that changed in it, and frozen here: drafts of thousands of waves
 * would take longer than running their blocks.
 */
function nextWaves(known: readonly WaveView[], shown: Shown, changed: ChangedBlocks): readonly WaveView[] {
  const { plan } = shown.session.compiled;
  const copies = new Map<number, BlockView[]>();
  for (const [block, items] of changed) {
    const [wave, place] = [plan.waveOf[block]!, placeInWave(plan, block)];
    let blocks = copies.get(wave);
    if (!blocks) copies.set(wave, (blocks = [...known[wave]!.blocks]));
    blocks[place] = freeze(blockView(shown, block, { known: blocks[place]!.items, items }), true);
  }
  const waves = [...known];
  for (const [index, blocks] of copies) waves[index] = Object.freeze({ index, blocks: Object.freeze(blocks) });
  return Object.freeze(waves);
}

/** What a view says of the run as a whole, and what changes of it. */
type Overview = Pick<
  RunView,
  "status" | "updatedAt" | "active" | "progress" | "pauses" | "error" | "outdated" | "transferredTo" | "outputs"
>;

function overview({ session, counter, active, trouble, drafts }: Shown, before: readonly Pause[]): Overview {
  const { state } = session;
  const error = state.finished?.error ?? trouble;
  const progress = counter.count(session);
  return {
    status: statusOf(state),
    updatedAt: Math.max(session.createdAt, state.started.at + state.lastAt),
    active,
    progress,
    pauses: viewPauses(session, { progress, drafts, before }),
    ...(error && { error }),
    ...(session.isOutdated && { outdated: true }),
    ...(state.transferredTo !== undefined && { transferredTo: state.transferredTo }),
    ...(state.outputs && { outputs: state.outputs }),
  };
}

function blockView(shown: Shown, block: number, since?: ItemChanges): BlockView {
  const { compiled, state } = shown.session;
  const { id, type, description } = compiled.workflow.blocks[block]!;
  const view = { id, type, ...(description === undefined ? {} : { description }), ...unitView(shown, { block }) };
  if (!state.items.has(block)) return view;
  const running = [...shown.running.values()];
  return { ...view, ...viewItems(state, { block, view: (unit) => unitView(shown, unit), running, since }) };
}

function unitView({ session: { state }, running, children }: Shown, unit: Unit): UnitView {
  const record = recordOf(state, unit);
  const begun = running.get(unitKey(unit));
  const status = begun ? "running" : STATUS_NAMES[codeOf(state, unit)]!;
  const startedAt = record ? begunAt(record) : begun?.startedAt;
  const child = children.get(unitKey(unit));
  return {
    status,
    ...(startedAt === undefined ? {} : { startedAt: state.started.at + startedAt }),
    ...(record && status !== "running" && status !== "pending" ? { tookMs: record.ms } : {}),
    ...(record?.skipped ? { skipped: record.skipped } : {}),
    ...(record?.error && !begun ? { error: record.error } : {}),
    ...(record?.attempts === undefined ? {} : { attempts: record.attempts }),
    ...(record?.until === undefined || begun ? {} : { until: state.started.at + record.until }),
    ...(child ? { child } : {}),
  };
}

const places = new WeakMap<object, Int32Array>();

/** The place of a block among those of its wave, counted once for each plan. */
function placeInWave(plan: Plan, block: number): number {
  let place = places.get(plan);
  if (!place) {
    place = new Int32Array(plan.ids.length);
    for (const wave of plan.waves) wave.forEach((member, i) => (place![member] = i));
    places.set(plan, place);
  }
  return place[block]!;
}

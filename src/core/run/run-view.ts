import { type Draft, freeze, produce } from "immer";
import type { Session } from "../journal/journal.ts";
import {
  begunAt,
  channelValues,
  codeOf,
  filesOf,
  iterationOf,
  OPENED,
  outputsOf,
  PAUSED,
  PENDING,
  type QuestionCounter,
  reasonOf,
  recordOf,
  showFiles,
  STATUS_NAMES,
  statusOf,
  STOPPED,
  type Unit,
  type UnitKey,
  unitKey,
} from "../machine/machine.ts";
import type { ErrorData } from "../model/errors.ts";
import { DEFAULT_ITERATIONS } from "../model/limits.ts";
import type { BlockView, ItemView, RunView, WaveView } from "../model/view.ts";
import { sameValue } from "../model/fingerprint.ts";
import type { RunFile } from "../model/run-file.ts";
import type { SavedDraft } from "./services.ts";
import { viewOutputSchema } from "./output-schema.ts";
import { viewPauses } from "./pause-view.ts";

/** What a view is made from: the run as it was read, and what only this process knows of it. */
export interface Shown {
  session: Session;
  readonly counter: QuestionCounter;
  active: boolean;
  /** The error that ended the work, if one did. */
  trouble: ErrorData | undefined;
  /** The blocks and items that are executed right now. */
  readonly running: Map<UnitKey, Unit & { readonly startedAt: number }>;
  /** The runs that blocks called. */
  readonly children: Map<UnitKey, string>;
  /** What was typed so far, by the number of the pause. */
  drafts: ReadonlyMap<number, SavedDraft>;
}

/** The blocks of which a view may show something else than the one before, and which of their items. */
export type ChangedBlocks = ReadonlyMap<number, ReadonlySet<number>>;

/** A run as pages see it. Parts that have not changed are the objects of the earlier view; so is the whole view if nothing has. */
export function viewRun(shown: Shown, changed: ChangedBlocks, before?: RunView): RunView {
  const { session, counter, active, trouble } = shown;
  const { state, origin, createdAt } = session;
  const error = state.finished?.error ?? state.compensation?.error ?? trouble;
  const progress = counter.count(session);
  const outputs = outputsOf(state);
  const channels = channelValues(session);
  const view: RunView = {
    id: state.id,
    workflow: state.started.workflow,
    definition: state.definition,
    status: statusOf(state),
    ...reasonOf(state),
    createdAt,
    updatedAt: Math.max(createdAt, state.started.at + state.lastAt),
    active,
    progress,
    inputs: state.started.inputs,
    waves: viewWaves(shown, changed, before?.waves),
    ...(state.compensation && { compensations: viewCompensations(shown) }),
    pauses: viewPauses(shown, progress, before?.pauses),
    ...(state.finished && { endedAt: state.started.at + state.finished.at }),
    ...(error && { error }),
    ...(origin.parent && { parent: origin.parent }),
    ...(origin.fork && { fork: origin.fork }),
    ...(state.started.policy && { policy: state.started.policy }),
    ...(state.started.previous && { previous: state.started.previous }),
    ...(session.isOutdated && { outdated: true }),
    ...(state.transferredTo !== undefined && { transferredTo: state.transferredTo }),
    ...(channels && { channels }),
    ...(state.hasFiles && { files: viewFiles(session, before?.files) }),
    ...(outputs && { outputs, outputSchema: outputs === before?.outputs ? before.outputSchema : viewOutputSchema(session, outputs) }),
  };
  if (!before) return freeze(view, true);
  return produce(before, (draft: Draft<RunView>) => {
    for (const key of Object.keys(before)) if (!Object.hasOwn(view, key)) Reflect.deleteProperty(draft, key);
    Object.assign(draft, view);
  });
}

function viewFiles(session: Session, known: readonly RunFile[] = []): readonly RunFile[] {
  const files = showFiles(session, filesOf(session));
  return sameValue(files, known) ? known : files;
}

/** Copies a list once for all changes in it, and freezes it. Immer drafts of thousands of waves would take longer than running their blocks. */
function viewWaves(shown: Shown, changed: ChangedBlocks, known?: readonly WaveView[]): readonly WaveView[] {
  const { plan } = shown.session.compiled;
  if (!known) return plan.waves.map((wave, index) => ({ index, blocks: wave.map((block) => viewBlock(shown, block)) }));
  if (changed.size === 0) return known;
  const waves = [...known];
  for (const index of new Set([...changed.keys()].map((block) => plan.waveOf[block]!))) {
    // Undefined if the block was added here, still executes, and was not added in the stored run.
    if (!(index >= 0)) continue;
    const { blocks } = known[index]!;
    const viewed = plan.waves[index]!.map((block, i) => {
      const items = changed.get(block);
      return items ? viewBlock(shown, block, { known: blocks[i]!.items, items }) : blocks[i]!;
    });
    waves[index] = freeze({ index, blocks: viewed }, true);
  }
  return Object.freeze(waves);
}

/** The blocks that undo something, as far as they had, or have, something to undo. */
function viewCompensations(shown: Shown): readonly BlockView[] {
  const { compiled, state } = shown.session;
  const due = new Set(state.compensation!.left.map(({ block }) => block));
  const blocks = [...compiled.plan.compensations.values()].toSorted((a, b) => a - b);
  return blocks.filter((block) => due.has(block) || state.records.get(block)).map((block) => viewBlock(shown, block));
}

/** Which items of a block changed since an earlier view of it. */
interface ItemChanges {
  readonly known: readonly ItemView[] | undefined;
  readonly items: ReadonlySet<number>;
}

function viewBlock(shown: Shown, block: number, since?: ItemChanges): BlockView {
  const { compiled, state } = shown.session;
  const { id, type, description } = compiled.workflow.blocks[block]!;
  const view = { id, type, ...(description === undefined ? {} : { description }), ...viewUnit(shown, { block }) };
  const list = state.items.get(block);
  if (!list) return view;
  const items = list.keys.map((key, item) => {
    const known = since?.items.has(item) ? undefined : since?.known?.[item];
    return known ?? { key, ...viewUnit(shown, { block, item }) };
  });
  return { ...view, status: state.blocks[block] === OPENED ? statusOfItems(shown, block, list.codes) : view.status, items };
}

/** The status of a block with items: it runs while one of them does or can; else it waits as they do. */
function statusOfItems({ running }: Shown, block: number, codes: Uint8Array): BlockView["status"] {
  if ([...running.values()].some((unit) => unit.block === block)) return "running";
  if (codes.includes(STOPPED)) return "stopped";
  return codes.includes(PENDING) ? "running" : codes.includes(PAUSED) ? "paused" : "waiting";
}

function viewUnit({ session: { compiled, state }, running, children }: Shown, unit: Unit): Omit<ItemView, "key"> {
  const key = unitKey(unit);
  const record = recordOf(state, unit);
  const begun = running.get(key);
  const status = begun ? "running" : STATUS_NAMES[codeOf(state, unit)]!;
  const startedAt = record ? begunAt(record) : begun?.startedAt;
  const child = children.get(key);
  const iteration = iterationOf(state, unit);
  // A block that undoes several executions of another is executed once for each, without limit.
  const repeats = iteration > 1 && compiled.plan.waveOf[unit.block]! >= 0;
  return {
    status,
    ...(startedAt === undefined ? {} : { startedAt: state.started.at + startedAt }),
    ...(record && status !== "running" && status !== "pending" ? { tookMs: record.ms } : {}),
    ...(record?.skipped ? { skipped: record.skipped } : {}),
    ...(record?.error && !begun ? { error: record.error } : {}),
    ...(record?.attempts === undefined ? {} : { attempts: record.attempts }),
    ...(record?.cached ? { cached: { ...record.cached } } : {}),
    ...(repeats ? { iteration, maxIterations: compiled.workflow.blocks[unit.block]!.maxIterations ?? DEFAULT_ITERATIONS } : {}),
    ...(record?.until === undefined || begun ? {} : { until: state.started.at + record.until }),
    ...(record?.events === undefined || begun ? {} : { events: [...record.events] }),
    ...(child ? { child } : {}),
  };
}

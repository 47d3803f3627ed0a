import { produce, type Draft } from "immer";
import { pauseId } from "../model/ids.ts";
import type { ErrorData } from "../model/errors.ts";
import type { Pause, RunProgress } from "../model/run.ts";
import type { Value, Values } from "../model/value.ts";
import type { BlockView, RunView } from "../model/view.ts";
import type { BlockType } from "../ports/block.ts";
import type { Session } from "./session.ts";
import { STATUS_NAMES } from "./block-code.ts";
import type { ItemChanges, UnitView } from "./item-views.ts";
import type { SavedDraft } from "./pauses/drafts.ts";
import { QuestionCounter } from "./progress.ts";
import { begunAt, codeOf, deadlineOf, openPauses, recordOf, statusOf, type RunState } from "./state.ts";
import { pausePath, unitKey, type Unit, type UnitKey } from "./unit.ts";

/**
 * Keeps the immutable view of a run for its subscribers. The view is built only when somebody looks, and only what changed since is made
 * anew, so that a run nobody watches costs nothing and a page can compare parts by identity.
 */
export class ViewKeeper {
  #session: Session;
  #view: RunView | undefined;
  /** Blocks whose part of the view is not up to date, and which of their items. */
  readonly #dirty = new Map<number, Set<number>>();
  #changed = false;
  #active = false;
  #trouble: ErrorData | undefined;
  readonly #running = new Map<UnitKey, Unit & { readonly startedAt: number }>();
  readonly #children = new Map<UnitKey, string>();
  /** What somebody has typed so far, by the number of the pause. */
  #drafts: ReadonlyMap<number, SavedDraft> = new Map();
  /** With what each was told last: whoever looks in between makes a new view, of which nobody else knows yet. */
  readonly #listeners = new Map<(view: RunView) => void, RunView>();
  #announced = false;
  readonly #counter: QuestionCounter;

  constructor(session: Session, types: ReadonlyMap<string, BlockType>) {
    this.#session = session;
    this.#counter = new QuestionCounter(types);
    this.#follow(session);
  }

  /** The blocks and items that are executed right now. */
  running(): readonly Unit[] {
    return [...this.#running.values()];
  }

  /** Another reading of the run takes the place of this one. */
  replace(session: Session): void {
    this.#session.onChange = () => {};
    // The blocks of another definition have other numbers.
    if (session.state.definition !== this.#session.state.definition) this.#children.clear();
    this.#session = session;
    this.#view = undefined;
    this.#counter.forget();
    this.#dirty.clear();
    this.#running.clear();
    this.#follow(session);
    this.#announce();
  }

  setRunning(unit: Unit, startedAt: number | undefined): void {
    if (startedAt === undefined) this.#running.delete(unitKey(unit));
    else this.#running.set(unitKey(unit), { block: unit.block, item: unit.item, startedAt });
    this.#touch(unit);
  }

  setActive(active: boolean, trouble: ErrorData | undefined): void {
    if (active === this.#active && trouble === this.#trouble) return;
    this.#active = active;
    this.#trouble = trouble;
    this.#touch(undefined);
  }

  setChild(unit: Unit, run: string): void {
    this.#children.set(unitKey(unit), run);
    this.#touch(unit);
  }

  get drafts(): ReadonlyMap<number, SavedDraft> {
    return this.#drafts;
  }

  setDrafts(drafts: ReadonlyMap<number, SavedDraft>): void {
    const before = this.#drafts;
    // Pages compare by identity: a draft that says the same is the same.
    this.#drafts = new Map(
      [...drafts].map(([number, draft]) => [number, before.get(number)?.text === draft.text ? before.get(number)! : draft]),
    );
    this.#touch(undefined);
  }

  snapshot(): RunView {
    if (!this.#view) {
      this.#view = this.#firstView();
      this.#changed = true;
    }
    if (this.#changed) {
      this.#changed = false;
      this.#view = produce(this.#view, (draft) => this.#update(draft as Draft<RunView>));
      this.#dirty.clear();
    }
    return this.#view;
  }

  /** The questions that wait for an answer, without the rest of the view. */
  pauses(): readonly Pause[] {
    const { state } = this.#session;
    // A run that failed goes on with an answer; one that was given up never does.
    if (state.open.size === 0 || state.finished?.status === "cancelled") return [];
    const before = new Map(this.#view?.pauses.map((pause) => [pause.id, pause]));
    const progress = this.#counter.count(state);
    const canGoBack = hasAnswer(state);
    return openPauses(state).map((number) => {
      const known = before.get(pauseId(state.id, number));
      const draft = this.#drafts.get(number)?.value;
      const isKnown = known && known.draft === draft && known.progress === progress && known.allows.back === canGoBack;
      return isKnown ? known : pauseView(state, number, { draft, progress, canGoBack });
    });
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: (view: RunView) => void): () => void {
    // What one listener throws is not caught, and the others are told.
    const own = async (view: RunView): Promise<void> => listener(view);
    const view = this.snapshot();
    this.#listeners.set(own, view);
    listener(view);
    return () => {
      this.#listeners.delete(own);
    };
  }

  #follow(session: Session): void {
    session.onChange = (entry) => {
      if (entry?.type === "answered" && this.#drafts.has(entry.pause)) {
        this.#drafts = new Map([...this.#drafts].filter(([number]) => number !== entry.pause));
      }
      // Nobody looks at most runs: which block changed is only found out for those who do.
      const block = this.#view && entry && "block" in entry ? session.state.compiled.plan.index.get(entry.block) : undefined;
      this.#touch(block === undefined ? undefined : { block, item: (entry as { readonly item?: number }).item });
      // What was revived, or stands elsewhere now, the entry does not tell.
      if (entry?.type === "resumed" || entry?.type === "moved") {
        this.#view = undefined;
        this.#counter.forget();
      }
    };
  }

  #touch(unit: Unit | undefined): void {
    this.#changed = true;
    if (this.#view && unit) {
      const items = this.#dirty.get(unit.block) ?? new Set();
      if (unit.item !== undefined) items.add(unit.item);
      this.#dirty.set(unit.block, items);
    }
    if (this.#listeners.size > 0) this.#announce();
  }

  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    void this.#tell();
  }

  /** What changes within the same turn is told once. */
  async #tell(): Promise<void> {
    await Promise.resolve();
    this.#announced = false;
    const view = this.snapshot();
    for (const [listener, told] of this.#listeners) {
      if (told === view) continue;
      this.#listeners.set(listener, view);
      listener(view);
    }
  }

  /** The blocks as they stand; the rest is filled in by the first update. */
  #firstView(): RunView {
    const { state, origin, createdAt } = this.#session;
    return {
      id: state.id,
      workflow: state.started.workflow,
      status: "running",
      createdAt,
      updatedAt: createdAt,
      inputs: state.started.inputs,
      waves: state.compiled.plan.waves.map((wave, index) => ({ index, blocks: wave.map((block) => this.#blockView(block)) })),
      pauses: [],
      progress: this.#counter.count(state),
      active: false,
      ...(origin.parent ? { parent: origin.parent } : {}),
      ...(origin.fork ? { fork: origin.fork } : {}),
    };
  }

  #update(draft: Draft<RunView>): void {
    const { state } = this.#session;
    const { plan } = state.compiled;
    draft.status = statusOf(state);
    draft.updatedAt = Math.max(this.#session.createdAt, state.started.at + state.lastAt);
    draft.active = this.#active;
    const error = state.finished?.error ?? this.#trouble;
    if (error) draft.error = error as Draft<ErrorData>;
    else delete draft.error;
    if (this.#session.isOutdated) draft.outdated = true;
    else delete draft.outdated;
    if (state.transferredTo === undefined) delete draft.transferredTo;
    else draft.transferredTo = state.transferredTo;
    if (state.outputs) draft.outputs = state.outputs as Draft<Values>;
    else delete draft.outputs;
    draft.progress = this.#counter.count(state);
    this.#updatePauses(draft);
    for (const [block, items] of this.#dirty) {
      const [wave, place] = [plan.waveOf[block]!, placeInWave(state, block)];
      const known = this.#view!.waves[wave]!.blocks[place]!.items;
      draft.waves[wave]!.blocks[place] = this.#blockView(block, { known, items }) as Draft<BlockView>;
    }
  }

  #updatePauses(draft: Draft<RunView>): void {
    const pauses = this.pauses();
    const before = this.#view!.pauses;
    if (pauses.length !== before.length || pauses.some((pause, i) => pause !== before[i])) draft.pauses = pauses as Draft<Pause[]>;
  }

  #blockView(block: number, since?: ItemChanges): BlockView {
    const { state } = this.#session;
    const { id, type, description } = state.compiled.workflow.blocks[block]!;
    const view = { id, type, ...(description === undefined ? {} : { description }), ...this.#unitView({ block }) };
    if (!state.items.has(block)) return view;
    return {
      ...view,
      ...state.compiled.items.view(state, { block, view: (unit) => this.#unitView(unit), running: this.running(), since }),
    };
  }

  #unitView(unit: Unit): UnitView {
    const { state } = this.#session;
    const record = recordOf(state, unit);
    const running = this.#running.get(unitKey(unit));
    const status = running ? "running" : STATUS_NAMES[codeOf(state, unit)]!;
    const startedAt = record ? begunAt(record) : running?.startedAt;
    const child = this.#children.get(unitKey(unit));
    return {
      status,
      ...(startedAt === undefined ? {} : { startedAt: state.started.at + startedAt }),
      ...(record && status !== "running" && status !== "pending" ? { tookMs: record.ms } : {}),
      ...(record?.skipped ? { skipped: record.skipped } : {}),
      ...(record?.error && !running ? { error: record.error } : {}),
      ...(record?.attempts === undefined ? {} : { attempts: record.attempts }),
      ...(record?.until === undefined || running ? {} : { until: state.started.at + record.until }),
      ...(child ? { child } : {}),
    };
  }
}

const places = new WeakMap<object, Int32Array>();

/** The place of a block among those of its wave, counted once for each plan. */
function placeInWave(state: RunState, block: number): number {
  const { plan } = state.compiled;
  let place = places.get(plan);
  if (!place) {
    place = new Int32Array(plan.ids.length);
    for (const wave of plan.waves) wave.forEach((member, i) => (place![member] = i));
    places.set(plan, place);
  }
  return place[block]!;
}

/** What of a question follows from the whole run. */
interface Around {
  readonly draft: Value | undefined;
  readonly progress: RunProgress;
  readonly canGoBack: boolean;
}

/** A question as pages see it. */
function pauseView(state: RunState, number: number, { draft, progress, canGoBack }: Around): Pause {
  const { entry, block, metadata } = state.pauses[number]!;
  const until = deadlineOf(state, number);
  const earlier = state.revises?.earlier?.[number] ?? entry.earlier;
  const { title, sensitive, skippable } = entry;
  const again = sensitive || earlier?.state === "invalid" ? undefined : earlier?.response;
  const prefill = again === undefined ? entry.prefill : again;
  return {
    id: pauseId(state.id, number),
    run: state.id,
    path: pausePath(entry),
    type: entry.asks ?? state.compiled.workflow.blocks[block]!.type,
    ...(title === undefined ? {} : { title }),
    prompt: entry.prompt,
    schema: entry.schema,
    ...(prefill === undefined ? {} : { prefill: prefill as Value }),
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
function hasAnswer({ pauses, base }: RunState): boolean {
  return pauses.some(
    ({ answer, entry, forgotten }) =>
      answer !== undefined && answer.by !== "timeout" && answer.place >= base && entry.about === undefined && !forgotten,
  );
}

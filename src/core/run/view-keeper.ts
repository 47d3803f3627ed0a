import type { Session } from "../journal/journal.ts";
import { QuestionCounter, statusOf, type Unit, type UnitKey, unitKey } from "../machine/machine.ts";
import type { ErrorData } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { Pause, RunStatus } from "../model/run.ts";
import type { RunView } from "../model/view.ts";
import type { BlockType } from "../ports/block.ts";
import type { Host } from "../ports/host.ts";
import type { SavedDraft } from "./saved-draft.ts";
import { viewPauses } from "./pause-view.ts";
import { firstView, nextView, type Shown } from "./run-view.ts";

export interface ViewKeeperOptions {
  readonly types: ReadonlyMap<string, BlockType>;
  readonly host: Pick<Host, "sleep">;
}

/**
 * Keeps the immutable view of a run for its subscribers. A view is built only for those who look, and only what changed since the last one
 * is made anew: a run without subscribers costs nothing, and a page can compare parts by identity.
 *
 * While blocks execute, subscribers get one view for all that happens in one turn of the event loop: a page can draw no more often. A change
 * of status, and each change of a run that executes nothing, comes in the next microtask, so the last view is there before `settled()` resolves.
 */
export class ViewKeeper {
  #session: Session;
  #view: RunView | undefined;
  /** Blocks whose part of the view is not up to date, and which of their items. */
  readonly #dirty = new Map<number, Set<number> | undefined>();
  #changed = false;
  #active = false;
  #trouble: ErrorData | undefined;
  readonly #running = new Map<UnitKey, Unit & { readonly startedAt: number }>();
  readonly #children = new Map<UnitKey, string>();
  /** What was typed so far, by the number of the pause. */
  #drafts: ReadonlyMap<number, SavedDraft> = new Map();
  /** Each with the view it got last: a look in between makes a new view, which the subscribers do not have yet. */
  readonly #listeners = new Map<(view: RunView) => void, RunView>();
  /** The status in the view that the subscribers got last. */
  #toldStatus: RunStatus | undefined;
  /** Whether a call of {@link #tell} is under way already. */
  readonly #announced = { microtask: false, turn: false };
  readonly #host: ViewKeeperOptions["host"];
  readonly #counter: QuestionCounter;

  constructor(session: Session, { types, host }: ViewKeeperOptions) {
    this.#session = session;
    this.#host = host;
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
    if (!this.#view) this.#view = firstView(this.#shown());
    else if (this.#changed) this.#view = nextView(this.#view, this.#shown(), this.#dirty);
    this.#changed = false;
    this.#dirty.clear();
    return this.#view;
  }

  /** The questions that wait for an answer, without the rest of the view. */
  pauses(): readonly Pause[] {
    const progress = this.#counter.count(this.#session);
    return viewPauses(this.#session, { progress, drafts: this.#drafts, before: this.#view?.pauses ?? [] });
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: (view: RunView) => void): () => void {
    // What one listener throws is not caught, and the others are still called.
    const own = async (view: RunView): Promise<void> => listener(view);
    const view = this.snapshot();
    this.#listeners.set(own, view);
    this.#toldStatus = view.status;
    listener(view);
    return () => {
      this.#listeners.delete(own);
    };
  }

  #shown(): Shown {
    return {
      session: this.#session,
      counter: this.#counter,
      active: this.#active,
      trouble: this.#trouble,
      running: this.#running,
      children: this.#children,
      drafts: this.#drafts,
    };
  }

  #follow(session: Session): void {
    session.onChange = (entry) => {
      if (entry?.type === "answered" && this.#drafts.has(entry.pause)) {
        this.#drafts = new Map([...this.#drafts].filter(([number]) => number !== entry.pause));
      }
      // Most runs have no reader: which block changed is only determined for those that have one.
      const block = this.#view && entry && "block" in entry ? session.compiled.plan.index.get(entry.block) : undefined;
      this.#touch(block === undefined ? undefined : { block, item: (entry as { readonly item?: number }).item });
      // What was revived, or stands elsewhere now, the entry does not tell.
      if (entry && RESHAPES.has(entry.type)) {
        this.#view = undefined;
        this.#counter.forget();
      }
    };
  }

  #touch(unit: Unit | undefined): void {
    this.#changed = true;
    if (this.#view && unit) {
      const items = this.#dirty.get(unit.block);
      if (unit.item === undefined) this.#dirty.set(unit.block, items);
      else this.#dirty.set(unit.block, (items ?? new Set()).add(unit.item));
    }
    if (this.#listeners.size > 0) this.#announce();
  }

  #announce(): void {
    const isWorking = this.#active && this.#toldStatus === "running" && statusOf(this.#session.state) === "running";
    const when = isWorking ? "turn" : "microtask";
    if (this.#announced[when]) return;
    this.#announced[when] = true;
    void this.#tellAfter(isWorking ? this.#host.sleep(0) : Promise.resolve(), when);
  }

  async #tellAfter(waited: Promise<void>, when: "microtask" | "turn"): Promise<void> {
    await waited;
    this.#announced[when] = false;
    this.#tell();
  }

  /** Gives the current view to all subscribers that do not have it. */
  #tell(): void {
    if (this.#listeners.size === 0) return;
    const view = this.snapshot();
    this.#toldStatus = view.status;
    for (const [listener, told] of this.#listeners) {
      if (told === view) continue;
      this.#listeners.set(listener, view);
      listener(view);
    }
  }
}

/** Entries that change more than the block they name. */
const RESHAPES: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["resumed", "moved", "revised", "reentered", "kept"]);

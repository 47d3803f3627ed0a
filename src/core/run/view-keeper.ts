import type { Session } from "../journal/journal.ts";
import { QuestionCounter, statusOf, type Unit, unitKey } from "../machine/machine.ts";
import type { ErrorData } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { Pause, RunStatus } from "../model/run.ts";
import type { RunView } from "../model/view.ts";
import type { BlockType } from "../ports/block.ts";
import type { Host } from "../ports/host.ts";
import type { SavedDraft } from "./services.ts";
import { viewPauses } from "./pause-view.ts";
import { type Shown, viewRun } from "./run-view.ts";

export interface ViewKeeperOptions {
  readonly types: ReadonlyMap<string, BlockType>;
  readonly host: Pick<Host, "sleep">;
}

/**
 * Keeps the immutable view of a run for its subscribers. A view is built only when it is read, and only its changed parts are new objects: a run without
 * subscribers costs nothing, and a page can compare parts by identity.
 *
 * While blocks execute, subscribers get one view for all that happens in one turn of the event loop: a page can draw no more often. A change
 * of status, and each change of a run that executes nothing, comes in the next microtask, so the last view is there before `settled()` resolves.
 */
export class ViewKeeper {
  readonly #shown: Shown;
  #view: RunView | undefined;
  /** Whether the view is out of date, and which blocks and items in it are. */
  #changed = false;
  readonly #dirty = new Map<number, Set<number>>();
  /** Each with the view that it got last: reading a snapshot in between makes a new view, which subscribers do not have yet. */
  readonly #listeners = new Map<(view: RunView) => void, RunView>();
  /** The status in the view that the subscribers got last. */
  #toldStatus: RunStatus | undefined;
  /** Whether a call of {@link #tellAfter} is under way already. */
  readonly #announced = { microtask: false, turn: false };
  readonly #host: ViewKeeperOptions["host"];

  constructor(session: Session, { types, host }: ViewKeeperOptions) {
    this.#host = host;
    const counter = new QuestionCounter(types);
    this.#shown = { session, counter, active: false, trouble: undefined, running: new Map(), children: new Map(), drafts: new Map() };
    this.#follow(session);
  }

  /** The blocks and items that are executed right now. */
  running(): readonly Unit[] {
    return [...this.#shown.running.values()];
  }

  /** Replaces the session with a newer reading of the run. */
  replace(session: Session): void {
    const shown = this.#shown;
    shown.session.onChange = () => {};
    // The blocks of another definition have other numbers.
    if (session.state.definition !== shown.session.state.definition) shown.children.clear();
    shown.session = session;
    shown.running.clear();
    this.#forget();
    this.#follow(session);
    this.#announce();
  }

  setRunning(unit: Unit, startedAt: number | undefined): void {
    if (startedAt === undefined) this.#shown.running.delete(unitKey(unit));
    else this.#shown.running.set(unitKey(unit), { block: unit.block, item: unit.item, startedAt });
    this.#touch(unit);
  }

  setActive(active: boolean, trouble: ErrorData | undefined): void {
    if (active === this.#shown.active && trouble === this.#shown.trouble) return;
    Object.assign(this.#shown, { active, trouble });
    this.#touch();
  }

  setChild(unit: Unit, run: string): void {
    this.#shown.children.set(unitKey(unit), run);
    this.#touch(unit);
  }

  get drafts(): ReadonlyMap<number, SavedDraft> {
    return this.#shown.drafts;
  }

  setDrafts(drafts: ReadonlyMap<number, SavedDraft>): void {
    const before = this.drafts;
    // Pages compare by identity: an equal draft stays the same object.
    this.#shown.drafts = new Map(
      [...drafts].map(([number, draft]) => [number, before.get(number)?.text === draft.text ? before.get(number)! : draft]),
    );
    this.#touch();
  }

  snapshot(): RunView {
    if (!this.#view || this.#changed) this.#view = viewRun(this.#shown, this.#dirty, this.#view);
    this.#changed = false;
    this.#dirty.clear();
    return this.#view;
  }

  /** The questions that wait for an answer, without the rest of the view. */
  pauses(): readonly Pause[] {
    return viewPauses(this.#shown, this.#shown.counter.count(this.#shown.session), this.#view?.pauses);
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: (view: RunView) => void): () => void {
    // Async, so that an error of one listener is not caught, and the others are called all the same.
    const own = async (view: RunView): Promise<void> => listener(view);
    const view = this.snapshot();
    this.#listeners.set(own, view);
    this.#toldStatus = view.status;
    listener(view);
    return () => void this.#listeners.delete(own);
  }

  #follow(session: Session): void {
    session.onChange = (entry) => {
      // Until then the draft of an answered question is only hidden: the answer may never reach the store.
      if (entry?.type === "reopened") this.#shown.drafts = new Map([...this.drafts].filter(([number]) => number !== entry.pause));
      // Most runs have no reader: find out which blocks changed only for those that have one.
      const block = this.#view && entry && "block" in entry ? session.compiled.plan.index.get(entry.block) : undefined;
      this.#touch(block === undefined ? undefined : { block, item: (entry as { readonly item?: number }).item });
      // The entry does not say which blocks others wrote, revived or moved.
      if (!entry || RESHAPES.has(entry.type) || "added" in entry) this.#forget();
      // A question that was answered waits again.
      else if (entry.type === "reopened") this.#shown.counter.forget();
    };
  }

  /** Marks all of the view as out of date. */
  #forget(): void {
    this.#view = undefined;
    this.#dirty.clear();
    this.#shown.counter.forget();
  }

  #touch(unit?: Unit): void {
    this.#changed = true;
    if (this.#view && unit) {
      const items = this.#dirty.get(unit.block) ?? new Set();
      this.#dirty.set(unit.block, unit.item === undefined ? items : items.add(unit.item));
    }
    if (this.isWatched) this.#announce();
  }

  #announce(): void {
    const isWorking = this.#shown.active && this.#toldStatus === "running" && statusOf(this.#shown.session.state) === "running";
    const when = isWorking ? "turn" : "microtask";
    if (this.#announced[when]) return;
    this.#announced[when] = true;
    void this.#tellAfter(isWorking ? this.#host.sleep(0) : Promise.resolve(), when);
  }

  /** Calls all subscribers that do not have the current view. */
  async #tellAfter(waited: Promise<void>, when: "microtask" | "turn"): Promise<void> {
    await waited;
    this.#announced[when] = false;
    if (!this.isWatched) return;
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
const RESHAPES: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "resumed",
  "moved",
  "revised",
  "reentered",
  "forked",
  "kept",
  "compensating",
]);

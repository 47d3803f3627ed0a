import type { Executor, Run } from "../core/engine/face.ts";
import { errorData } from "../core/model/errors.ts";
import type { RunView } from "../core/model/view.ts";
import { memberOf, readEntry, writeEntry, type HistoryEntry } from "./history-entry.ts";

/** Who shows a run: `<wavepoint-run>`, or an object of the page's own whose `run` can be read and set. */
export interface RunHolder {
  run: Run | undefined;
  addEventListener?(type: "wavepoint-run-changed", listener: (event: Event) => void): void;
  removeEventListener?(type: "wavepoint-run-changed", listener: (event: Event) => void): void;
}

/** What a page wants to know of the browser's history. */
export interface QuestionHistoryOptions {
  /** Tells the wizards of one page apart, in the entries of the history: each needs its own. Default: the page has one. */
  readonly name?: string;
  /** Told of what is thrown where the browser's Back cannot be followed; then the page stays where it is. */
  readonly onProblem?: (error: unknown) => void;
}

/** Keeps the browser's history and a run together. */
export interface QuestionHistory {
  /** Resolves once the run is shown at which the page was left. */
  readonly ready: Promise<void>;
  /** The page shows another run now. Called by itself where the holder dispatches `wavepoint-run-changed`. */
  follow(run: Run): void;
  /** Leaves the history alone from now on. What is in it stays. */
  dispose(): void;
}

/**
 * Makes the browser's Back lead to the previous question, and Forward to where one came from as long as nothing was changed; after a reload the
 * page is at the same question again. Each question that was reached is an entry of the history, with the same address; entries of others, a
 * router say, are left alone. Call it once the holder has its run, or where a reload may bring one back.
 */
export function questionHistory(executor: Executor, holder: RunHolder, options: QuestionHistoryOptions = {}): QuestionHistory {
  return new LiveHistory(executor, holder, options);
}

class LiveHistory implements QuestionHistory {
  readonly ready: Promise<void>;
  readonly #executor: Executor;
  readonly #holder: RunHolder;
  readonly #member: string;
  readonly #onProblem: (error: unknown) => void;
  #run: Run | undefined;
  #leave: () => void = () => {};
  /** What was written last. The browser may be at somebody else's entry since. */
  #written: HistoryEntry | undefined;
  /** The run that takes the place of the entry to which the browser is on its way. */
  #returning: Run | undefined;
  /** Counts journeys: a later one overtakes an earlier one that is still looking for its run. */
  #journeys = 0;
  #isTravelling = false;

  constructor(executor: Executor, holder: RunHolder, { name, onProblem = () => {} }: QuestionHistoryOptions) {
    this.#executor = executor;
    this.#holder = holder;
    this.#member = memberOf(name);
    this.#onProblem = onProblem;
    globalThis.addEventListener("popstate", this.#onPop);
    holder.addEventListener?.("wavepoint-run-changed", this.#onRunChanged);
    this.ready = this.#begin();
  }

  follow(run: Run): void {
    if (run.id === this.#run?.id) return;
    // Whatever was being looked for: the page shows this one now.
    this.#journeys += 1;
    this.#isTravelling = false;
    // Not before the browser is where it is on its way to.
    if (this.#returning) this.#watch(run);
    else this.#enter(run);
  }

  #enter(run: Run): void {
    const entry = readEntry(history.state, this.#member);
    // A step back within the page is one in the history as well, where the question before has an entry.
    const isBack = entry?.before !== undefined && run.getSnapshot().fork?.revises === true && answeredIn(run) === entry.before;
    if (isBack) {
      this.#returning = run;
      this.#watch(run);
      history.back();
    } else this.#watch(run);
  }

  dispose(): void {
    this.#leave();
    this.#journeys += 1;
    globalThis.removeEventListener("popstate", this.#onPop);
    this.#holder.removeEventListener?.("wavepoint-run-changed", this.#onRunChanged);
  }

  async #begin(): Promise<void> {
    const entry = readEntry(history.state, this.#member);
    const journey = (this.#journeys += 1);
    if (entry && entry.run !== this.#holder.run?.id) {
      const left = await this.#executor.open(entry.run).catch((error: unknown) => {
        // It may have been deleted since; then the page shows what it has.
        if (errorData(error, "STORE_FAILED").code !== "RUN_NOT_FOUND") this.#onProblem(error);
        return undefined;
      });
      if (left && journey === this.#journeys) this.#holder.run = left;
    }
    if (journey !== this.#journeys || !this.#holder.run) return;
    this.#run = this.#holder.run;
    // Whatever the entry said: it stands for what is shown now.
    if (isAtRest(this.#run.getSnapshot())) this.#write(this.#run, "replace");
    this.#watch(this.#run);
  }

  readonly #onRunChanged = (event: Event): void => {
    const { run } = ((event as CustomEvent<{ readonly run?: Run } | null>).detail ?? {}) as { readonly run?: Run };
    if (run) this.follow(run);
  };

  readonly #onPop = ({ state }: PopStateEvent): void => {
    const entry = readEntry(state, this.#member);
    const returning = this.#returning;
    this.#returning = undefined;
    // Whatever was being looked for before: the browser is elsewhere now.
    this.#journeys += 1;
    this.#isTravelling = false;
    if (!entry) return;
    if (returning) {
      this.#write(returning, "replace", entry);
      if (this.#run && this.#run !== returning) this.#enter(this.#run);
    } else if (entry.run !== this.#run?.id || entry.answered !== answeredIn(this.#run)) void this.#travel(entry);
  };

  /** Shows the question of an entry: in the run that was shown there if it still stands at it, else in one that goes back to it. */
  async #travel(entry: HistoryEntry): Promise<void> {
    const journey = (this.#journeys += 1);
    this.#isTravelling = true;
    try {
      const found = await this.#find(entry, () => journey === this.#journeys);
      if (!found || journey !== this.#journeys) return;
      this.#holder.run = found;
      this.#watch(found);
      this.#write(found, "replace", entry);
    } catch (error) {
      if (journey !== this.#journeys) return;
      if (this.#run) this.#write(this.#run, "replace", entry);
      this.#onProblem(error);
    } finally {
      if (journey === this.#journeys) this.#isTravelling = false;
    }
  }

  async #find(entry: HistoryEntry, isCurrent: () => boolean): Promise<Run | undefined> {
    let run = await this.#executor.open(entry.run);
    while (isCurrent() && answeredIn(run) > entry.answered) {
      const before = answeredIn(run);
      run = await run.back();
      if (answeredIn(run) >= before) break;
    }
    return run;
  }

  #watch(run: Run): void {
    this.#leave();
    this.#run = run;
    this.#leave = run.subscribe((view) => {
      if (run !== this.#run || this.#isTravelling || this.#returning || !isAtRest(view)) return;
      if (!this.#written) this.#write(run, "replace");
      else if (this.#written.run !== run.id || this.#written.answered !== view.progress.answered) this.#write(run, "push");
    });
  }

  #write(run: Run, how: "replace" | "push", at: HistoryEntry | undefined = readEntry(history.state, this.#member)): void {
    const before = how === "push" ? at?.answered : at?.before;
    this.#written = { run: run.id, answered: answeredIn(run), ...(before === undefined ? {} : { before }) };
    writeEntry(this.#written, this.#member, how);
  }
}

function answeredIn(run: Run): number {
  return run.getSnapshot().progress.answered;
}

/** Between two questions there is nothing to come back to. */
function isAtRest({ status }: RunView): boolean {
  return status !== "running";
}

import type { Run } from "../core/run/run.ts";
import { assertOptions } from "../core/model/assert-options.ts";
import { WorkflowError } from "../core/model/errors.ts";
import type { RunResult } from "../core/model/result.ts";
import { isRecord } from "../core/model/value.ts";

/** What a page wants to know of the browser's history. */
export interface QuestionHistoryOptions {
  /** Tells the wizards of one page apart, in the entries of the history: each needs its own. Default: the page has one. */
  readonly name?: string;
  /** Called with what is thrown where the browser's Back cannot be followed; then the page stays where it is. */
  readonly onProblem?: (error: unknown) => void;
}

/** The link between the browser's history and a run. */
export interface QuestionHistory {
  /** Leaves the history alone from now on. What is in it stays. */
  dispose(): void;
}

/**
 * Makes the browser's Back lead to the previous question, as `run.back()` does. Forward leads back, with the earlier answers, as long as nothing was
 * changed. Each question that was reached is an entry of the history with the same address; entries of other code, such as a router, are left alone. When a
 * page shows another run, it disposes of this link and makes a new one.
 */
export function questionHistory(run: Run, options: QuestionHistoryOptions = {}): QuestionHistory {
  assertOptions("questionHistory", options, { name: true, onProblem: true });
  return new LiveHistory(run, options);
}

class LiveHistory implements QuestionHistory {
  readonly #run: Run;
  readonly #member: string;
  readonly #onProblem: (error: unknown) => void;
  readonly #leave: () => void;
  /** How many questions had been answered when an entry was written last. The browser may be at an entry of other code since. */
  #written: number | undefined;
  /** Whether the browser is on its way to an entry to which the run has gone by itself. */
  #isReturning = false;
  /** The entry to which the run goes. */
  #target: HistoryEntry | undefined;
  #isOver = false;

  constructor(run: Run, { name, onProblem = () => {} }: QuestionHistoryOptions) {
    this.#run = run;
    this.#member = memberOf(name);
    this.#onProblem = onProblem;
    globalThis.addEventListener("popstate", this.#onPop);
    this.#leave = run.subscribe(() => this.#follow());
  }

  dispose(): void {
    this.#isOver = true;
    this.#leave();
    globalThis.removeEventListener("popstate", this.#onPop);
  }

  /** Makes the history say where the run is. */
  #follow(): void {
    // Between two questions there is nothing to come back to.
    if (this.#target || this.#isReturning || this.#run.getSnapshot().status === "running") return;
    const answered = this.#answered();
    if (answered === this.#written) return;
    const here = this.#read(history.state);
    if (this.#written === undefined) this.#write("replace");
    else if (here === undefined || answered > here.answered) this.#write("push");
    else {
      // A step back within the page is one in the history as well, where the question has an entry.
      const at = here.before.indexOf(answered);
      if (at < 0) this.#write("replace");
      else {
        this.#isReturning = true;
        history.go(at - here.before.length);
      }
    }
  }

  readonly #onPop = ({ state }: PopStateEvent): void => {
    if (this.#isReturning) {
      this.#isReturning = false;
      this.#written = this.#read(state)?.answered ?? this.#written;
      this.#follow();
      return;
    }
    const entry = this.#read(state);
    if (!entry) return;
    const wasGoing = this.#target !== undefined;
    this.#target = entry;
    if (!wasGoing) void this.#travel();
  };

  /** Takes the run to the question of the entry at which the browser is. */
  async #travel(): Promise<void> {
    try {
      let target: HistoryEntry;
      do await this.#goTo((target = this.#target!));
      while (target !== this.#target);
    } catch (error) {
      this.#onProblem(error);
    } finally {
      this.#target = undefined;
      if (!this.#isOver && this.#read(history.state)) this.#write("replace");
    }
  }

  /** Takes steps as long as they lead nearer, and the browser stays there. */
  async #goTo(target: HistoryEntry): Promise<void> {
    const isBack = this.#answered() > target.answered;
    let last: number;
    do {
      last = this.#answered();
      if (isBack ? last <= target.answered : last >= target.answered) return;
      const { error } = (await (isBack ? this.#run.back() : this.#answerAgain())) ?? {};
      const isRefused = error !== undefined && this.#answered() === last;
      // A run that has ended stays as it is, and so does the page.
      if (isRefused && error.code !== "RUN_ENDED") throw new WorkflowError(error.code, error.message, error);
    } while (this.#answered() !== last && this.#target === target && !this.#isOver);
  }

  /** Gives the answer again that a question had before it was opened again. */
  #answerAgain(): Promise<RunResult> | undefined {
    const pause = this.#run.getSnapshot().pauses.find(({ earlier, draft }) => earlier?.state === "ok" && draft === undefined);
    return pause && this.#run.answer(pause.id, pause.earlier!.response);
  }

  #answered(): number {
    return this.#run.getSnapshot().progress.answered;
  }

  #read(state: unknown): HistoryEntry | undefined {
    const entry = readEntry(state, this.#member);
    return entry?.run === this.#run.id ? entry : undefined;
  }

  #write(how: "replace" | "push"): void {
    const answered = this.#answered();
    const here = this.#read(history.state);
    const before = here ? [...here.before, ...(how === "push" ? [here.answered] : [])] : [];
    this.#written = answered;
    // Another question stands there by then, and it is elsewhere in the page.
    history.scrollRestoration = "manual";
    writeEntry({ run: this.#run.id, answered, before: before.filter((one) => one < answered) }, this.#member, how);
  }
}

/** What an entry of the browser's history says of a run: at which of its questions the page was. */
interface HistoryEntry {
  readonly run: string;
  /** How many questions had been answered. */
  readonly answered: number;
  /** The same of the entries before it, as far back as all of them are of this run. */
  readonly before: readonly number[];
}

/** The member of an entry's state that is ours; all other members belong to other code. */
const MEMBER = "wavepoint";

/** Under which member of an entry's state a wizard has its own. */
function memberOf(name: string | undefined): string {
  return name === undefined ? MEMBER : `${MEMBER}:${name}`;
}

/** Reads what an entry says; nothing where it belongs to other code. */
function readEntry(state: unknown, member: string): HistoryEntry | undefined {
  const entry = isRecord(state) && Object.hasOwn(state, member) ? state[member] : undefined;
  if (!isRecord(entry) || typeof entry["run"] !== "string" || typeof entry["answered"] !== "number") return undefined;
  const { run, answered, before } = entry;
  return { run, answered, before: Array.isArray(before) ? before.filter((one) => typeof one === "number") : [] };
}

/** Writes it into the present entry, or into a new one behind it. The address stays as it is, and so does what others keep in the state. */
function writeEntry(entry: HistoryEntry, member: string, how: "replace" | "push"): void {
  const state: unknown = history.state;
  const kept = isRecord(state) ? Object.entries(state) : [];
  const others = how === "push" ? kept.map(([key, value]) => [key, isMember(key) ? withoutBefore(value) : value]) : kept;
  const next = { ...(Object.fromEntries(others) as object), [member]: entry };
  if (how === "push") history.pushState(next, "");
  else history.replaceState(next, "");
}

function isMember(key: string): boolean {
  return key === MEMBER || key.startsWith(`${MEMBER}:`);
}

/** To other wizards of the page a step of this one is none: what is before it is the question at which they are. */
function withoutBefore(value: unknown): unknown {
  return isRecord(value) ? { ...value, before: [] } : value;
}

import { errorData, isConflict, WorkflowError } from "../model/errors.ts";
import type { Answer } from "../model/file-value.ts";
import type { MovePlan } from "../model/move-plan.ts";
import type { RunResult } from "../model/result.ts";
import type { ReviewItem } from "../model/review.ts";
import type { RevisionPreview } from "../model/revision.ts";
import type { Pause, Step } from "../model/run.ts";
import type { Value, Values } from "../model/value.ts";
import type { RunView } from "../model/view.ts";
import type { Workflow } from "../model/workflow.ts";
import type { AbortControllerLike, AbortSignalLike } from "../ports/host.ts";
import { waitUntil, type Waiting } from "../ports/block.ts";
import type { Release } from "../ports/store.ts";
import type { Alarm } from "./alarm.ts";
import { decide } from "./decide.ts";
import { hasWork, isDue, waitsForCalls } from "./due.ts";
import type { DeclineOptions, ResumeRunOptions, ReviseOptions, Run, RunValues, SuperstepOptions, WaitOptions } from "./face.ts";
import type { SavedDraft } from "./pauses/drafts.ts";
import { loadDrafts } from "./pauses/load-drafts.ts";
import type { Services } from "./services.ts";
import type { Session } from "./session.ts";
import { isQuiet } from "./state.ts";
import type { ViewKeeper } from "./view-keeper.ts";
import { unitName, type Unit } from "./unit.ts";
import { whileWaiting } from "./waiting.ts";
import { work, type Workplace } from "./work.ts";

/** How often a run that another tab or process executes is looked at: first and longest interval. */
const WATCH_MS = 20;
const MAX_WATCH_MS = 1_000;
/** Longest interval where the run waits for an instant. */
const MAX_SLEEP_MS = 300_000;

/** A run as this executor holds it: at most one object for each run. */
export class LiveRun implements Run {
  readonly id: string;
  readonly #services: Services;
  #session: Session;
  readonly #view: ViewKeeper;
  #alarm: Alarm | undefined;
  /** Resolves with what ended it, if it was not the run itself. */
  #driving: Promise<unknown> | undefined;
  #abort: AbortControllerLike;
  #stop: () => void = () => {};
  /** What ended the last drive, if it was not the run itself. */
  #trouble: unknown;
  /** Whether somebody asked this executor to execute the run. */
  #isEngaged = false;
  /** Whether the last drive ended because another runner was first. */
  #overtaken = false;
  /** Set while blocks execute, once another runner took the run because this one gave no sign of life. */
  #lost: WorkflowError | undefined;
  /** Ends the waiting for what others do. */
  #nap: AbortControllerLike | undefined;
  /** Whether the run is read again for those who look at it, and whether once more, since something was heard meanwhile. */
  #isFollowing = false;
  #heard = false;
  /** How many wait in {@link rest}. */
  #resting = 0;
  /** Set once the executor was closed: nothing executes any more. */
  #closed: WorkflowError | undefined;

  constructor(services: Services, session: Session, view: ViewKeeper) {
    this.id = session.state.id;
    this.#services = services;
    this.#session = session;
    this.#abort = services.host.newAbortController();
    this.#view = view;
    this.#noteChildren();
  }

  /** Tells what wraps plain objects in proxies of its own, as Vue does, that this is none: private parts work through no proxy. */
  get [Symbol.toStringTag](): string {
    return "Run";
  }

  get session(): Session {
    return this.#session;
  }

  getSnapshot(): RunView {
    return this.#view.snapshot();
  }

  subscribe(listener: (view: RunView) => void): () => void {
    this.#services.listen();
    const end = this.#view.subscribe(listener);
    // What was heard while nobody looked is read now.
    this.#followHints();
    return end;
  }

  /** Somebody else is said to have changed the run. */
  hear(): void {
    this.#wake();
    this.#heard = true;
    this.#followHints();
  }

  #followHints(): void {
    if (this.#heard && this.#view.isWatched && !this.#isFollowing) void this.#follow();
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#heard && !this.#closed) {
      this.#heard = false;
      try {
        await this.refresh();
      } catch (error) {
        this.#view.setActive(this.active, errorData(error, "STORE_FAILED"));
      }
    }
    this.#isFollowing = false;
    // Whoever executes it may die: then it goes on in a tab in which somebody had begun to.
    if (this.#isEngaged && this.#resting === 0 && this.#isDue()) void this.rest().catch(() => {});
  }

  /** How the run stands, or nothing while there is something to execute. */
  result(): RunResult | undefined {
    const result = this.#outcome();
    return result && this.#session.isOutdated ? { ...result, outdated: true } : result;
  }

  #outcome(): RunResult | undefined {
    const { state } = this.#session;
    if (state.finished?.status === "completed") return { status: "success", run: this.id, outputs: state.outputs ?? {} };
    if (state.finished) {
      return {
        status: "failure",
        run: this.id,
        error: state.finished.error ?? { code: "RUN_CANCELLED", message: "The run was cancelled." },
      };
    }
    return isQuiet(state) && state.open.size > 0 ? { status: "paused", run: this.id, pauses: this.pauses() } : undefined;
  }

  /** The questions that wait for an answer. */
  pauses(): readonly Pause[] {
    return this.#view.pauses();
  }

  settled(options: WaitOptions = {}): Promise<RunResult> {
    return whileWaiting(options.signal, this.#settle(options.signal));
  }

  async #settle(signal?: AbortSignalLike): Promise<RunResult> {
    for (let wait = WATCH_MS; ; wait = Math.min(wait * 2, MAX_SLEEP_MS)) {
      const result = await this.rest();
      if (result.status !== "waiting") return result;
      await this.#watch(Math.min(wait, Math.max(0, result.until - this.#services.host.now())));
      if (signal?.aborted) throw signal.reason;
    }
  }

  /** How the run stands once nothing of it executes: settled, or waiting for an instant. */
  async rest(): Promise<RunResult | Waiting> {
    this.#resting += 1;
    try {
      return await this.#rest();
    } finally {
      this.#resting -= 1;
    }
  }

  async #rest(): Promise<RunResult | Waiting> {
    for (let wait = WATCH_MS; ; wait = Math.min(wait * 2, MAX_WATCH_MS)) {
      // Whoever reads the run meanwhile forgets the trouble; who waited for the work is told of it all the same.
      const trouble = (await this.#driving) ?? this.#trouble;
      if (trouble !== undefined) throw trouble;
      if (this.#overtaken) {
        // The runner that was first may be gone again; if it is not, this one waits for it.
        this.#overtaken = false;
        this.drive();
        continue;
      }
      if (this.#session.broken) await this.update();
      const result = this.result();
      if (result) return result;
      this.#assertOpen();
      this.assertHere();
      const decision = decide(this.#session.state, this.#session.now());
      if (decision.do === "sleep") return waitUntil(this.#session.state.started.at + decision.until);
      // Another tab or process executes it, or died doing so: whoever was asked to execute it here takes it then.
      await this.#watch(wait);
      if (this.#isEngaged && this.#isDue()) this.drive();
    }
  }

  /** Waits, and reads what others wrote meanwhile. */
  async #watch(ms: number): Promise<void> {
    await this.#sleep(ms);
    await this.update();
  }

  /** Until something is heard of the run, it is stopped here, or the time is up. */
  async #sleep(ms: number): Promise<void> {
    this.#services.listen();
    this.#nap ??= this.#services.host.newAbortController();
    await this.#services.host.sleep(ms, this.#nap.signal).catch(() => {});
  }

  #wake(): void {
    this.#nap?.abort();
    this.#nap = undefined;
  }

  async answer(
    pauseOrAnswers: string | { readonly [pause: string]: Answer },
    responseOrOptions?: Answer | WaitOptions,
    options?: WaitOptions,
  ): Promise<RunResult> {
    const isOne = typeof pauseOrAnswers === "string";
    const answers = isOne ? [[pauseOrAnswers, responseOrOptions as Value] as const] : Object.entries(pauseOrAnswers as Values);
    const { signal } = (isOne ? options : (responseOrOptions as WaitOptions)) ?? {};
    return whileWaiting(signal, this.#answer(answers));
  }

  async #answer(answers: readonly (readonly [string, Value])[]): Promise<RunResult> {
    this.#assertOpen();
    const { answerPauses } = await import("./answer-pause.ts");
    return answerPauses(this.#services, this, answers);
  }

  resume(options: ResumeRunOptions = {}): Promise<RunResult> {
    return whileWaiting(options.signal, this.#resume(options));
  }

  async #resume({ definition, confirm }: ResumeRunOptions): Promise<RunResult> {
    if (confirm) await (await import("./time/confirm-effects.ts")).confirmEffects(this.#services, this);
    if (definition) await (await import("./definition/move-run.ts")).moveRun(this.#services, this);
    await this.#goOn();
    return this.#settle();
  }

  /** Executes what there is, what failed once more, and lets the run go on that called this one. */
  async #goOn(): Promise<void> {
    this.#assertOpen();
    await this.update();
    this.assertHere();
    if (this.#session.state.finished?.status === "failed") await this.#services.guard?.secure(this.#session);
    const { state } = this.#session;
    if (!this.#driving && state.finished?.status === "failed") this.#session.record({ type: "resumed", at: this.#session.now() });
    this.drive();
    await this.rest();
    await this.informCaller();
  }

  /** The run that called this one goes on too, through all levels. */
  async informCaller(): Promise<void> {
    const caller = await this.caller();
    if (caller && !caller.active) await caller.#goOn();
  }

  /** The run that called this one. */
  async caller(): Promise<LiveRun | undefined> {
    const { parent } = this.#session.state.started;
    // A called run is known by its id. A record that names another caller, the run itself for example, could lead in a circle.
    if (!parent || (await this.#services.childId(parent.run, parent.block)) !== this.id) return undefined;
    return this.#services.find(parent.run);
  }

  async cancel(options: { readonly reason?: string } = {}): Promise<RunResult> {
    return (await import("./cancel-run.ts")).cancelRun(this.#services, this, options);
  }

  /** The blocks and items that this executor executes right now. */
  runningUnits(): readonly Unit[] {
    return this.#view.running();
  }

  /** Aborts what executes, and waits for it no longer. */
  stopWork(reason: WorkflowError): void {
    this.#abort.abort(reason);
    this.#stop();
    this.#wake();
    this.#setAlarm();
  }

  #lose(): void {
    this.#lost = new WorkflowError(
      "STORE_CONFLICT",
      `Run ${this.id} goes on in another tab or process: this one had given no sign of life. What its blocks did since does not count.`,
      { details: { run: this.id } },
    );
    this.stopWork(this.#lost);
  }

  /** Resolves when nothing is being executed by this executor. */
  async idle(): Promise<void> {
    await this.#driving;
  }

  /** Stops executing and lets what was recorded reach the store. The run stays as it is. */
  async suspend(): Promise<void> {
    this.#closed = new WorkflowError("STORE_CLOSED", "The executor of this run was closed. Open the run with another one to go on.");
    this.stopWork(this.#closed);
    if (!this.#driving) return;
    await this.#driving;
    this.#trouble ??= this.#closed;
  }

  #assertOpen(): void {
    if (this.#closed) throw this.#closed;
  }

  /** Throws `RUN_TRANSFERRED` or `DEFINITION_UNTRUSTED` where the run does not go on here. */
  assertHere(): void {
    if (this.#session.barred) throw this.#session.barred;
  }

  async steps(options: SuperstepOptions = {}): Promise<readonly Step[]> {
    return (await import("./steps.ts")).stepsOf(this.#services, this, options);
  }

  async state(options: SuperstepOptions = {}): Promise<RunValues> {
    return (await import("./steps.ts")).valuesOf(this.#services, this, options);
  }

  async decline(pause: string, options: DeclineOptions = {}): Promise<RunResult> {
    this.#assertOpen();
    return whileWaiting(options.signal, (await import("./pauses/decline.ts")).declinePause(this.#services, this, pause, options));
  }

  async saveDraft(pause: string, draft: Value | undefined): Promise<void> {
    this.#assertOpen();
    return (await loadDrafts()).saveDraft(this.#services, this, pause, draft);
  }

  async answers(): Promise<readonly ReviewItem[]> {
    return (await import("./time/review-answers.ts")).reviewAnswers(this.#services, this);
  }

  async revise(pause: string, response: Value, options: ReviseOptions = {}): Promise<Run> {
    this.#assertOpen();
    return (await import("./time/revise-run.ts")).reviseRun(this.#services, this, pause, response, options);
  }

  async previewRevise(pause: string, response: Value): Promise<RevisionPreview> {
    return (await import("./time/preview-revision.ts")).previewRevision(this.#services, this, pause, response);
  }

  async back(): Promise<Run> {
    this.#assertOpen();
    return (await import("./time/go-back.ts")).goBack(this.#services, this);
  }

  async plan(workflow?: Workflow): Promise<MovePlan> {
    return (await import("./definition/plan-move.ts")).planMove(this.#services, this, workflow);
  }

  async refresh(): Promise<void> {
    await this.update();
    await this.readDrafts();
  }

  /** Reads the drafts of the open questions, for those who look. */
  async readDrafts(): Promise<void> {
    if (this.#session.state.open.size === 0) return;
    const { readDrafts } = await loadDrafts();
    this.#view.setDrafts(await readDrafts(this.#services, this.id, this.#view.drafts));
  }

  /** Shows a draft that was saved here, or that there is none. */
  showDraft(pause: number, draft: SavedDraft | undefined): void {
    const others = [...this.#view.drafts].filter(([number]) => number !== pause);
    this.#view.setDrafts(new Map(draft ? [...others, [pause, draft]] : others));
  }

  /** Reads what other tabs and processes wrote. Nothing happens while this executor executes the run: then a write would tell. */
  async update(): Promise<void> {
    if (this.#driving) return;
    // What barred the run may be gone: somebody loaded its definition.
    const known = this.#session.isFaithful && !this.#session.barred ? this.#session.head : undefined;
    const head = await this.#services.store.head(this.id);
    if (this.#driving) return;
    if (head) this.#forgetTrouble();
    if (head && known && head.revision === known.revision && head.epoch === known.epoch) return;
    const { entries } = this.#session.state;
    const session = await this.#load();
    if (this.#driving) return;
    // What was recorded here while the store was read is newer.
    if (this.#session.state.entries !== entries) return this.update();
    this.#abort = this.#services.host.newAbortController();
    this.#take(session);
  }

  /** Reads the run again, as it is stored. */
  async reload(): Promise<void> {
    this.#take(await this.#load());
  }

  /** Reads what others wrote, also where it executes: if a write of this run was refused, that ends first. */
  async catchUp(): Promise<void> {
    if (this.#driving && this.#session.broken) {
      this.#stop();
      await this.#driving;
    }
    await this.update();
  }

  #take(session: Session): void {
    this.#session = session;
    this.#view.replace(session);
    if (this.#alarm) this.#setAlarm();
    this.#noteChildren();
  }

  #noteChildren(): void {
    for (const unit of this.#session.state.callers.values()) void this.childId(unit).then((run) => this.noteChild(unit, run));
  }

  /** The id of the run that a unit calls. */
  childId({ block, item }: Unit): Promise<string> {
    return this.#services.childId(this.id, unitName(this.#session.state.compiled.plan.ids[block]!, item));
  }

  /** Executes what there is to execute, unless that is under way; {@link settled} tells the end. */
  drive(): void {
    if (this.#driving || this.#closed || this.#session.barred) return;
    this.#isEngaged = true;
    if (!hasWork(this.#session.state, this.#session.now())) return this.#setAlarm();
    this.#trouble = undefined;
    // A run that was cancelled goes on where its caller does.
    if (this.#abort.signal.aborted) this.#abort = this.#services.host.newAbortController();
    this.#driving = this.#drive()
      .catch((error: unknown) => {
        this.#abort.abort(error);
        return this.#fallBack(error);
      })
      .finally(() => {
        this.#driving = undefined;
        this.#setAlarm();
        this.#services.tidy();
        this.#view.setActive(false, this.#trouble === undefined ? undefined : errorData(this.#trouble, "STORE_FAILED"));
      });
  }

  /** After a failed write memory is ahead of the store: what was not stored did not happen. */
  async #fallBack(error: unknown): Promise<unknown> {
    // Fenced by another runner: what it does is looked at from now on.
    const isFenced = isConflict(error);
    this.#trouble = isFenced ? undefined : error;
    this.#overtaken = isFenced;
    try {
      this.#take(await this.#load());
      this.#abort = this.#services.host.newAbortController();
    } catch (unread) {
      this.#trouble ??= unread;
    }
    return this.#trouble;
  }

  #forgetTrouble(): void {
    this.#trouble = undefined;
    this.#view.setActive(false, undefined);
  }

  async #load(): Promise<Session> {
    const { loadSession } = await import("./read-run.ts");
    const session = await loadSession(this.#services, this.id);
    // What was never stored was not deleted either.
    if (!session && !this.#session.head && this.#trouble !== undefined) throw this.#trouble;
    if (!session) throw new WorkflowError("RUN_NOT_FOUND", `Run ${this.id} was deleted.`);
    return session;
  }

  /** The run that a block called, for those who look. */
  noteChild(unit: Unit, run: string): void {
    this.#view.setChild(unit, run);
  }

  get active(): boolean {
    return this.#driving !== undefined;
  }

  /** Wakes the run when something of it that waits for an instant is due; at once where that instant came while nobody looked. */
  #setAlarm(): void {
    const { state } = this.#session;
    const decision = this.#closed || this.#trouble || this.#session.barred ? undefined : decide(state, -Infinity);
    const at = decision?.do === "sleep" ? state.started.at + decision.until : undefined;
    if (this.#alarm) this.#alarm.set(at);
    else if (at !== undefined) void this.#makeAlarm();
  }

  /** Most runs never wait for an instant. */
  async #makeAlarm(): Promise<void> {
    const { Alarm } = await import("./alarm.ts");
    this.#alarm ??= new Alarm(this.#services.host, this);
    this.#setAlarm();
  }

  /** Whether something can be executed, or an end recorded. */
  #isDue(): boolean {
    return isDue(this.#session.state, this.#session.now());
  }

  async #drive(): Promise<void> {
    for (;;) {
      const release = await this.#claim();
      if (!release) return;
      try {
        await this.#reread();
        this.#view.setActive(true, undefined);
        this.#session.raiseEpoch();
        await work(this.#services, this, this.#workplace());
        if (this.#lost) throw this.#lost;
      } finally {
        this.#lost = undefined;
        await release();
      }
      // An answer may have come between the last write and letting go; its sender could not take the run then.
      const head = await this.#services.store.head(this.id);
      if (!head || head.revision === this.#session.head?.revision) return;
      await this.#reread();
      if (!this.#isDue()) return;
    }
  }

  /** Takes the run; nothing where it came to rest in other hands meanwhile. */
  async #claim(): Promise<Release | undefined> {
    for (let wait = WATCH_MS; ; wait = Math.min(wait * 2, MAX_WATCH_MS)) {
      const release = await this.#services.store.claim(this.id, () => this.#lose());
      if (release) return release;
      const { now } = this.#services.host;
      const next = now() + wait;
      // What is heard meanwhile is read. Asking again each time would keep whoever executes the run busy with replies.
      do {
        await this.#sleep(Math.max(0, next - now()));
        if (this.#closed) return undefined;
        await this.#reread();
        if (this.result() && !this.#isDue() && !waitsForCalls(this.#session.state)) return undefined;
      } while (now() < next);
    }
  }

  #workplace(): Workplace {
    return {
      signal: this.#abort.signal,
      isClosed: () => (this.#closed ?? this.#lost) !== undefined,
      onStop: (stop) => (this.#stop = stop),
      running: (unit, startedAt) => this.#view.setRunning(unit, startedAt),
    };
  }

  async #reread(): Promise<void> {
    // A run that is written at its end is known to nobody else before.
    if (!this.#session.head) return;
    await this.#session.flushed();
    const head = await this.#services.store.head(this.id);
    if (head && head.revision === this.#session.head?.revision) return;
    this.#take(await this.#load());
  }
}

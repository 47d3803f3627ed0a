import { errorData, isConflict, WorkflowError, type ErrorData } from "../model/errors.ts";
import type { RunResult } from "../model/result.ts";
import type { Pause } from "../model/run.ts";
import { waitUntil, type Waiting } from "../ports/block.ts";
import type { AbortControllerLike } from "../ports/host.ts";
import type { Release } from "../ports/store.ts";
import { Alarm } from "./alarm.ts";
import { type Decision, isDue, readUnitName, statusOf, type Unit, unitKey, type UnitKey, addressOf } from "../machine/machine.ts";
import type { HeldRun } from "./held-run.ts";
import { loadSession } from "./load-session.ts";
import type { RunnerServices } from "./services.ts";
import type { Session } from "../journal/journal.ts";
import { moved, type Standing } from "./standing.ts";
import { work, type Workplace } from "./work.ts";

/** How often a run that another tab or process executes is looked at: first and longest interval. */
const WATCH_MS = 20;
const MAX_WATCH_MS = 1_000;

/** What shows the run to those who look. The runner says what changes. */
export interface RunDisplay {
  /** Another reading of the run takes the place of the one before. */
  replace(session: Session): void;
  /** Whether the run executes here, and what ended that, if it was not the run itself. */
  setActive(active: boolean, error: ErrorData | undefined): void;
  setRunning(unit: Unit, startedAt: number | undefined): void;
  setChild(unit: Unit, run: string): void;
  /** The blocks and items that execute here right now. */
  running(): readonly Unit[];
  /** The questions that wait for an answer. */
  pauses(): readonly Pause[];
}

/**
 * Makes a run go on in this process: takes the run's lock, executes what the machine decides, waits, and reads what other tabs and processes
 * write. Where it stands is a {@link Standing}, and {@link Runner.move} alone changes it.
 */
export class Runner implements HeldRun {
  readonly id: string;
  protected readonly services: RunnerServices;
  readonly #display: RunDisplay;
  readonly #alarm: Alarm;
  #session: Session;
  #standing: Standing = { at: "idle" };
  /** What executes until it has released the run. Resolves with what ended it, if it was not the run itself. */
  #work: Promise<unknown> | undefined;
  /** Ends a sleep, since the run is said to have changed. */
  #sleep: AbortControllerLike | undefined;
  /** The calls that were looked at since this executor set to work; nothing where it does not work. */
  #looked: Map<UnitKey, number> | undefined;
  /** How many wait in {@link rest}. */
  #resting = 0;

  constructor(services: RunnerServices, session: Session, display: RunDisplay) {
    this.id = session.state.id;
    this.services = services;
    this.#session = session;
    this.#display = display;
    this.#alarm = new Alarm(services.host, () => this.#ring());
    this.#noteChildren();
  }

  get session(): Session {
    return this.#session;
  }

  /** Whether this executor executes the run right now. */
  get active(): boolean {
    return this.#work !== undefined;
  }

  get isClosed(): boolean {
    return this.#standing.at === "closed";
  }

  /** Whether this executor was asked to execute the run, nothing waits for that here, and there is something to execute. */
  get isLeftAlone(): boolean {
    return this.#standing.at === "waiting" && this.#resting === 0 && isDue(this.next());
  }

  next(at: number = this.#session.now()): Decision {
    return this.#session.folded.decide(at, this.#looked);
  }

  noteLook(unit: Unit): void {
    const key = unitKey(unit);
    this.#looked?.set(key, this.#session.state.calls.get(key)?.answers ?? 0);
  }

  /** The only place that changes where the runner stands. */
  #move(to: Standing): void {
    this.#standing = moved(this.#standing, to);
    this.#setAlarm();
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
        error: this.#session.failure ?? { code: "RUN_CANCELLED", message: "The run was cancelled." },
      };
    }
    return statusOf(state) === "paused" ? { status: "paused", run: this.id, pauses: this.#display.pauses() } : undefined;
  }

  /** Executes what there is to execute, unless that is under way; {@link rest} gives the end. */
  drive(): void {
    if (this.#work || this.isClosed || this.#session.barred) return;
    this.#looked = new Map();
    if (!isDue(this.next())) {
      this.#looked = undefined;
      return this.#move({ at: "waiting", error: this.#error });
    }
    this.#move({ at: "claiming" });
    this.#work = this.#execute()
      .then(
        () => undefined,
        (error: unknown) => this.#fallBack(error),
      )
      .then((error) => {
        this.#work = undefined;
        this.#looked = undefined;
        if (!this.isClosed) this.#move({ at: "waiting", error });
        this.services.tidy(this.#session.state.started.workflow);
        this.#display.setActive(false, error === undefined ? undefined : errorData(error, "STORE_FAILED"));
        return error;
      });
  }

  async #execute(): Promise<void> {
    while (!this.isClosed) {
      const release = await this.#claim();
      if (!release) return;
      try {
        await this.#reread();
        if (this.isClosed) return;
        this.#move({ at: "executing", abort: this.services.host.newAbortController(), stop: () => {} });
        this.#display.setActive(true, undefined);
        this.#session.raiseEpoch();
        await work(this.services, this, this.#workplace());
        this.#assertTaken();
      } finally {
        await release();
      }
      if (this.isClosed || this.#session.state.finished) return;
      // An answer may have come between the last write and the release; its sender could not take the run then.
      await this.#reread();
      if (this.isClosed || !isDue(this.next())) return;
      this.#move({ at: "claiming" });
    }
  }

  #assertTaken(): void {
    if (this.#standing.at === "fenced") throw this.#standing.error;
  }

  /** Takes the lock of the run; nothing if the run came to rest in other hands meanwhile. */
  async #claim(): Promise<Release | undefined> {
    for (let wait = WATCH_MS; ; wait = Math.min(wait * 2, MAX_WATCH_MS)) {
      const release = await this.services.store.claim(this.id, () => this.#lose());
      if (release) return release;
      const { now } = this.services.host;
      const next = now() + wait;
      // A hint is read. Asking for the lock at each hint would keep the other runner busy with replies.
      do {
        await this.sleep(Math.max(0, next - now()));
        if (this.isClosed) return undefined;
        await this.#reread();
        if (this.result() && !isDue(this.next())) return undefined;
      } while (now() < next);
    }
  }

  #workplace(): Workplace {
    const own = this.#standing as Extract<Standing, { at: "executing" }>;
    return {
      signal: own.abort.signal,
      isClosed: () => this.#standing !== own,
      onStop: (stop) => (own.stop = stop),
      running: (unit, startedAt) => this.#display.setRunning(unit, startedAt),
    };
  }

  /** Another runner took the run, since this one gave no sign of life. */
  #lose(): void {
    if (this.#standing.at !== "executing") return;
    const executing = this.#standing;
    const error = new WorkflowError(
      "STORE_CONFLICT",
      `Run ${this.id} goes on in another tab or process: this one had given no sign of life. What its blocks did since does not count.`,
      { details: { run: this.id } },
    );
    this.#move({ at: "fenced", error });
    stop(executing, error);
  }

  /** After a failed write memory is ahead of the store: what was not stored did not happen. Gives what ended the work, if it was not the run itself. */
  async #fallBack(error: unknown): Promise<unknown> {
    if (this.#standing.at === "executing") this.#standing.abort.abort(error);
    // A runner that was fenced follows what the other one does from now on.
    if (isConflict(error) && (this.#standing.at === "claiming" || this.#standing.at === "executing")) this.#move({ at: "fenced", error });
    const own = isConflict(error) ? undefined : error;
    try {
      this.#take(await this.#load());
    } catch (unread) {
      return own ?? unread;
    }
    return own;
  }

  /** Aborts what executes, and waits for it no longer. */
  stopWork(reason: WorkflowError): void {
    if (this.#standing.at === "executing") stop(this.#standing, reason);
    this.wake();
    this.#setAlarm();
  }

  /** Resolves when nothing is being executed by this executor. */
  async idle(): Promise<void> {
    await this.#work;
  }

  /** Stops executing and lets what was recorded reach the store. The run stays as it is. */
  async close(): Promise<void> {
    if (this.isClosed) return this.idle();
    const before = this.#standing;
    const error = new WorkflowError("STORE_CLOSED", "The executor of this run was closed. Open the run with another one to go on.");
    this.#move({ at: "closed", error });
    if (before.at === "executing") stop(before, error);
    this.wake();
    await this.#work;
  }

  assertOpen(): void {
    if (this.#standing.at === "closed") throw this.#standing.error;
  }

  /** Throws `RUN_TRANSFERRED` or `DEFINITION_UNTRUSTED` where the run does not go on here. */
  assertHere(): void {
    if (this.#session.barred) throw this.#session.barred;
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
      // A reading that succeeds forgets the error; who waited for the work gets it all the same.
      const error = (await this.#work) ?? this.#error;
      if (error !== undefined) throw error;
      if (this.#session.broken) await this.update();
      const result = this.result();
      if (result) return result;
      this.assertOpen();
      this.assertHere();
      const decision = this.next();
      if (decision.do === "sleep") return waitUntil(this.#session.state.started.at + decision.until);
      // Another tab or process executes it, or died doing so: an executor that was asked to execute it takes it then.
      await this.watch(wait);
      if (this.#standing.at === "waiting" && isDue(this.next())) this.drive();
    }
  }

  /** Executes what there is, what failed once more, and lets the run go on that called this one. */
  async goOn(): Promise<void> {
    this.assertOpen();
    await this.update();
    this.assertHere();
    if (this.#session.state.finished?.status === "failed") await this.services.guard?.secure(this.#session);
    const { state } = this.#session;
    if (!this.#work && state.finished?.status === "failed") this.#session.record({ type: "resumed", at: this.#session.now() });
    this.drive();
    await this.rest();
    await this.informCaller();
  }

  /** The run that called this one goes on too, through all levels. */
  async informCaller(): Promise<void> {
    const caller = await this.caller();
    if (caller && !caller.active) await caller.goOn();
  }

  /** The run that called this one. */
  async caller(): Promise<HeldRun | undefined> {
    const { parent } = this.#session.state.started;
    // A called run is known by its id. A record that names another caller, the run itself for example, could lead in a circle.
    if (!parent || (await this.services.childId(parent.run, parent.block)) !== this.id) return undefined;
    return this.services.find(parent.run);
  }

  /** The id of the run that a unit calls. */
  childId(unit: Unit): Promise<string> {
    return this.services.childId(this.id, addressOf(this.#session, unit));
  }

  /** The same of a unit by its name. */
  childOf(name: string): Promise<string> {
    const { block: id, item } = readUnitName(name);
    const block = this.#session.compiled.plan.index.get(id);
    if (block === undefined) return this.services.childId(this.id, name);
    return this.childId({ block, ...(item === undefined ? {} : { item }) });
  }

  /** Shows the run that a block called. */
  noteChild(unit: Unit, run: string): void {
    this.#display.setChild(unit, run);
  }

  #noteChildren(): void {
    for (const unit of this.#session.state.callers.values()) void this.childId(unit).then((run) => this.noteChild(unit, run));
  }

  /** The blocks and items that this executor executes right now. */
  runningUnits(): readonly Unit[] {
    return this.#display.running();
  }

  /** Waits, and reads what others wrote meanwhile. */
  async watch(ms: number): Promise<void> {
    await this.sleep(ms);
    await this.update();
  }

  /** Until the run is said to have changed, it is stopped here, or the time is up. */
  async sleep(ms: number): Promise<void> {
    this.services.listen();
    this.#sleep ??= this.services.host.newAbortController();
    await this.services.host.sleep(ms, this.#sleep.signal).catch(() => {});
  }

  /** Ends the sleeps that wait for a change. */
  wake(): void {
    this.#sleep?.abort();
    this.#sleep = undefined;
  }

  /** Reads what other tabs and processes wrote. Does nothing while this executor executes the run: then a write finds out. */
  async update(): Promise<void> {
    if (!this.#work) await this.#follow(() => !this.#work);
  }

  /** Reads the run again, as it is stored. */
  async reload(): Promise<void> {
    this.#take(await this.#load());
  }

  /** Reads what others wrote, also where it executes: if a write of this run was refused, that ends first. */
  async catchUp(): Promise<void> {
    if (this.#work && this.#session.broken) {
      if (this.#standing.at === "executing") this.#standing.stop();
      await this.#work;
    }
    await this.update();
  }

  /** The same for the work itself, which first stores what was recorded. */
  async #reread(): Promise<void> {
    // A run that is written at its end is known to no other process before.
    if (!this.#session.head) return;
    await this.#session.flushed();
    await this.#follow(() => true);
  }

  /** Takes the run as it is stored, where that is not how this executor has it. */
  async #follow(mayTake: () => boolean): Promise<void> {
    for (;;) {
      const session = this.#session;
      const { entries } = session.state;
      const isCurrent = await this.#isCurrent(session);
      if (!mayTake()) return;
      const stored = isCurrent ? undefined : await this.#load();
      if (!mayTake()) return;
      this.#forgetError();
      if (!stored) return;
      // What was recorded here while the store was read is newer.
      if (this.#session === session && session.state.entries === entries) return this.#take(stored);
    }
  }

  /** Whether a reading of the run is what the store has, and nothing about it may have changed here. */
  async #isCurrent({ isFaithful, barred, head: known }: Session): Promise<boolean> {
    const head = await this.services.store.head(this.id);
    // The reason why the run must not continue may be gone: its definition may be loaded now.
    return isFaithful && !barred && head !== undefined && head.revision === known?.revision && head.epoch === known.epoch;
  }

  async #load(): Promise<Session> {
    const session = await loadSession(this.services, this.id);
    // What was never stored was not deleted either.
    if (!session && !this.#session.head && this.#error !== undefined) throw this.#error;
    if (!session) throw new WorkflowError("RUN_NOT_FOUND", `Run ${this.id} was deleted.`);
    return session;
  }

  #take(session: Session): void {
    this.#session = session;
    this.#display.replace(session);
    this.#setAlarm();
    this.#noteChildren();
  }

  /** What ended the last work, if it was not the run itself. */
  get #error(): unknown {
    return this.#standing.at === "waiting" ? this.#standing.error : undefined;
  }

  #forgetError(): void {
    if (this.#error === undefined) return;
    this.#move({ at: "waiting", error: undefined });
    this.#display.setActive(false, undefined);
  }

  /** Wakes the run when something of it that waits for an instant is due; at once if that instant has passed. */
  #setAlarm(): void {
    if (this.#standing.at !== "waiting" || this.#standing.error !== undefined || this.#session.barred) return this.#alarm.set(undefined);
    const { state } = this.#session;
    const decision = this.next(-Infinity);
    this.#alarm.set(decision.do === "sleep" ? state.started.at + decision.until : undefined);
  }

  /** A called run goes on with its caller, as long as that has not ended. */
  async #ring(): Promise<void> {
    const caller = await this.caller();
    await caller?.update();
    if (caller?.session.state.finished) return;
    this.drive();
    await this.idle();
    caller?.drive();
  }
}

function stop(executing: Extract<Standing, { at: "executing" }>, reason: WorkflowError): void {
  executing.abort.abort(reason);
  executing.stop();
}

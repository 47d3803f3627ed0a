import { errorData, isConflict, WorkflowError } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { RunResult } from "../model/result.ts";
import { waitUntil, type WaitingUntil } from "../ports/block.ts";
import type { AbortControllerLike, PlatformSignal } from "../ports/host.ts";
import type { Release } from "../ports/store.ts";
import { callersOf, type Decision, isDue, type OpenResource, type Unit, type UnitKey } from "../machine/machine.ts";
import type { Session } from "../journal/journal.ts";
import { recordStored } from "./after-conflicts.ts";
import { calledId, findCaller, informCaller } from "./called-run.ts";
import { Alarm, sleepUntilAborted } from "./clock.ts";
import { loadSession } from "./load-session.ts";
import { actingBlocks } from "./parts.ts";
import { mayRevise } from "./ready-type.ts";
import type { Connection, GoOnOptions, HeldRun, RunDisplay } from "./held-run.ts";
import type { RunnerServices } from "./services.ts";
import { resultOf } from "./run-result.ts";
import { moved, type Standing } from "./standing.ts";
import type { Workplace } from "./step-context.ts";
import { suspended } from "./stop-run.ts";
import { work } from "./loop.ts";

/** How long to wait before reading again a run that another tab or process executes: the first and the longest time. */
const WATCH_MS = 20;
const MAX_WATCH_MS = 1_000;

/**
 * Makes a run go on in this process: takes the run's lock, executes what the machine decides, waits, and reads what other tabs and processes
 * write. Where it stands is a {@link Standing}, and {@link Runner.move} alone changes it.
 */
export class Runner implements HeldRun {
  readonly id: string;
  protected readonly services: RunnerServices;
  readonly connections: Map<string, Connection> = new Map<string, Connection>();
  readonly #display: RunDisplay;
  readonly #alarm: Alarm;
  #session: Session;
  #standing: Standing = { at: "idle" };
  /** The work under way, until it has released the run. Resolves with the error that ended it, if one did. */
  #work: Promise<unknown> | undefined;
  /** Ends a sleep when the run may have changed. */
  #sleep: AbortControllerLike | undefined;
  /** The calls that were read since the work began; nothing while there is no work. */
  #looked: Map<UnitKey, number> | undefined;
  /** How many callers wait in {@link rest}. */
  #resting = 0;
  /** How many orders to execute the run are under way here. */
  #orders = 0;

  constructor(services: RunnerServices, session: Session, display: RunDisplay) {
    this.id = session.state.id;
    this.services = services;
    this.#session = session;
    this.#display = display;
    this.#alarm = new Alarm(services.host, () => this.#onAlarm());
    this.#showChildren();
  }

  get session(): Session {
    return this.#session;
  }

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

  running(): readonly Unit[] {
    return this.#display.running();
  }

  next(at: number = this.#session.now()): Decision {
    return this.#session.folded.decide(at, this.#looked);
  }

  result(): RunResult | undefined {
    return resultOf(this.#session, () => this.#display.pauses());
  }

  /** The only place that changes where the runner stands. */
  #move(to: Standing): void {
    this.#standing = moved(this.#standing, to);
    this.#setAlarm();
  }

  drive(): void {
    if (this.#work || this.isClosed || this.#session.unavailable) return;
    this.#looked = new Map();
    if (!this.#mayExecute() || !isDue(this.next())) return this.#wait(this.#error);
    this.services.working.add(this);
    this.#work = this.#hold();
  }

  /** Whether this process may execute the run: not if a worker has an order for it. A called run executes where its caller does. */
  #mayExecute(): boolean {
    if (!this.services.store.orders || this.#orders > 0) return true;
    const caller = this.#session.state.started.parent?.run;
    return [...this.services.working].some(({ id }) => id === caller);
  }

  /** Takes the lock of the run, executes what is due, and releases the lock. Gives the error that ended the work, if one did. */
  async #hold(): Promise<unknown> {
    let error: unknown;
    try {
      for (let isDone = false; !isDone;) {
        this.#move({ at: "claiming" });
        const release = await this.#claim();
        if (!release) break;
        try {
          await this.#reread();
          if (this.isClosed) break;
          const abort = this.services.host.newAbortController();
          this.#move({ at: "executing", abort });
          this.#display.setActive(true, undefined);
          this.#session.raiseEpoch();
          await work(this.#workplace(abort.signal));
          if (this.#standing.at === "fenced") throw this.#standing.error;
        } finally {
          await release();
        }
        const { entries } = this.#session.state;
        // An answer may have come between the last write and the release, when its sender could not take the run. And a run that was cancelled while
        // it executed still has to undo what it did.
        await this.#reread();
        isDone = this.isClosed || (this.#session.state.entries === entries && !this.#session.state.compensation) || !isDue(this.next());
      }
    } catch (thrown) {
      error = await this.#fallBack(thrown);
    }
    // A run at rest holds no live form that it could not reconnect.
    await this.#disconnect({ all: false });
    this.#work = undefined;
    this.services.working.delete(this);
    this.#wait(error);
    this.services.tidy(this.#session.state.started.workflow);
    this.#display.setActive(false, error === undefined ? undefined : errorData(error, "STORE_FAILED"));
    return error;
  }

  async closeResources(resources?: readonly OpenResource[]): Promise<void> {
    const { size } = this.#session.state.resources;
    if (size + (resources?.length ?? 0) > 0) await actingBlocks.code().closeResources(this.services, this, resources);
  }

  /** Gives up the live forms of resources. */
  async #disconnect(which: { readonly all: boolean }): Promise<void> {
    if (this.connections.size > 0) await actingBlocks.code().disconnectAll(this, which);
  }

  #wait(error: unknown): void {
    this.#looked = undefined;
    if (!this.isClosed) this.#move({ at: "waiting", error });
  }

  #workplace(signal: PlatformSignal): Workplace {
    const { services } = this;
    const session = this.#session;
    const place: Workplace = {
      services,
      session,
      signal,
      isRevisable: mayRevise(services.types, session),
      looked: this.#looked!,
      underWay: new Set(),
      stop: (reason) => this.stopWork(reason),
      endWave: () => {},
      display: this.#display,
      files: (step) => actingBlocks.code().accessFiles(step),
      addBlocks: (step, blocks) => actingBlocks.code().addBlocks(step, blocks),
      admitAdded: (step) => actingBlocks.code().admitAdded(step),
      call: (step, call) => actingBlocks.code().callWorkflow(services, this, step, call),
      connect: (step, name) => actingBlocks.code().connect(services, this, step, name),
      closeResources: () => this.closeResources(),
      memoize: (step, key, make) => actingBlocks.code().memoize(step, key, make),
    };
    signal.addEventListener("abort", () => place.endWave(), { once: true });
    return place;
  }

  /** Takes the lock of the run; nothing if another runner brought the run to rest meanwhile. */
  async #claim(): Promise<Release | undefined> {
    for (let wait = WATCH_MS; ; wait = Math.min(wait * 2, MAX_WATCH_MS)) {
      const release = await this.services.store.claim(this.id, () => this.#fence());
      if (release) return release;
      const { now } = this.services.host;
      const next = now() + wait;
      // A hint only makes it read the run. Asking for the lock at each hint would keep the other runner busy.
      do {
        await this.sleep(Math.max(0, next - now()));
        if (this.isClosed) return undefined;
        await this.#reread();
        if (this.result() && !isDue(this.next())) return undefined;
      } while (now() < next);
    }
  }

  /** Stops the work: another runner took the run, since this one gave no sign of life. */
  #fence(): void {
    if (this.#standing.at !== "executing") return;
    const { abort } = this.#standing;
    const error = new WorkflowError(
      "STORE_CONFLICT",
      `Run ${this.id} goes on in another tab or process: this one had given no sign of life. What its blocks did since does not count.`,
      { details: { run: this.id } },
    );
    this.#move({ at: "fenced", error });
    abort.abort(error);
  }

  /** Reads the run again after a failed write: what was not stored did not happen. Gives the error that ended the work, if one did. */
  async #fallBack(error: unknown): Promise<unknown> {
    this.#abort(error);
    // A fenced runner follows the other one from now on.
    if (isConflict(error) && (this.#standing.at === "claiming" || this.#standing.at === "executing")) this.#move({ at: "fenced", error });
    const own = isConflict(error) ? undefined : error;
    try {
      this.#replaceSession(await this.#load());
    } catch (unread) {
      return own ?? unread;
    }
    return own;
  }

  stopWork(reason: WorkflowError): void {
    this.#abort(reason);
    this.wake();
    this.#setAlarm();
  }

  #abort(reason: unknown): void {
    if (this.#standing.at === "executing") this.#standing.abort.abort(reason);
  }

  /** Aborts the blocks at work if another tab or process has ended or stopped the run. If the store cannot be read, the next write fails. */
  async abortIfEnded(): Promise<void> {
    const head = await this.services.store.head(this.id).catch(() => undefined);
    const isOver =
      head && (head.status === "cancelled" || head.reason === "stopped") && head.revision > (this.#session.head?.revision ?? 0);
    if (isOver) this.stopWork(suspended(this.id));
  }

  async idle(): Promise<void> {
    await this.#work;
  }

  /** Stops executing, and waits until the recorded entries are stored. The run stays as it is. */
  async close(): Promise<void> {
    const before = this.#standing;
    if (before.at !== "closed") {
      const error = new WorkflowError("STORE_CLOSED", "The executor of this run was closed. Open the run with another one to go on.");
      this.#move({ at: "closed", error });
      if (before.at === "executing") before.abort.abort(error);
      this.wake();
    }
    await this.#work;
    await this.#disconnect({ all: true });
  }

  assertOpen(): void {
    if (this.#standing.at === "closed") throw this.#standing.error;
  }

  assertHere(): void {
    if (this.#session.unavailable) throw this.#session.unavailable;
  }

  async rest(): Promise<RunResult | WaitingUntil> {
    this.#resting += 1;
    try {
      return await this.#settle();
    } finally {
      this.#resting -= 1;
    }
  }

  async #settle(): Promise<RunResult | WaitingUntil> {
    for (let wait = WATCH_MS; ; wait = Math.min(wait * 2, MAX_WATCH_MS)) {
      // Reading the run again clears the error; a caller that waited for the work still gets it.
      const error = (await this.#work) ?? this.#error;
      if (error !== undefined) throw error;
      if (this.#session.broken) await this.update();
      const result = this.result();
      if (result) return result;
      this.assertOpen();
      this.assertHere();
      const decision = this.next();
      if (decision.do === "sleep") return waitUntil(this.#session.state.started.at + decision.until);
      // Another tab or process executes the run, or died doing so: then this executor takes it, if it was asked to execute it.
      await this.watch(wait);
      if (this.#standing.at === "waiting" && isDue(this.next())) this.drive();
    }
  }

  async goOn(options: GoOnOptions): Promise<void> {
    this.assertOpen();
    await this.update();
    this.assertHere();
    if (this.#session.state.finished?.status === "failed") {
      if (!options.revive) return;
      await this.services.guard?.secure(this.#session);
      if (!this.#work) await recordStored(this.services.host, this, reviveFailed);
    }
    if (options.ordered) this.#orders += 1;
    try {
      this.drive();
      options.begun?.();
      await this.rest();
    } finally {
      if (options.ordered) this.#orders -= 1;
    }
    await informCaller(this.services, this, options);
  }

  #showChildren(): void {
    for (const unit of callersOf(this.#session.state))
      void calledId(this.services, this.#session, unit).then((run) => this.#display.setChild(unit, run));
  }

  /** Waits, then reads what others wrote meanwhile. */
  async watch(ms: number): Promise<void> {
    await this.sleep(ms);
    await this.update();
  }

  /** Sleeps until the run may have changed, is stopped here, or the time is up. */
  async sleep(ms: number): Promise<void> {
    this.services.listen();
    this.#sleep ??= this.services.host.newAbortController();
    await sleepUntilAborted(this.services.host, ms, this.#sleep.signal);
  }

  /** Ends the sleep of {@link sleep}. */
  wake(): void {
    this.#sleep?.abort();
    this.#sleep = undefined;
  }

  async update(): Promise<void> {
    if (!this.#work) await this.#follow(() => !this.#work);
  }

  async reload(): Promise<void> {
    this.#replaceSession(await this.#load());
  }

  async catchUp(): Promise<void> {
    if (this.#work && this.#session.broken) {
      await this.#session.flushed().catch((refused: unknown) => this.#abort(refused));
      await this.#work;
    }
    await this.update();
  }

  /** What {@link update} does, for the work itself: stores what was recorded first. */
  async #reread(): Promise<void> {
    // A run that is written only at its end is not known to other processes before.
    if (!this.#session.head) return;
    await this.#session.flushed();
    await this.#follow(() => true);
  }

  /** Replaces the session where the stored run is another one than this executor has. */
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
      // If an entry was recorded here meanwhile, the session is newer.
      if (this.#session === session && session.state.entries === entries) return this.#replaceSession(stored);
    }
  }

  /** Whether a session is what the store has, and nothing can have changed here either. */
  async #isCurrent({ isFaithful, unavailable, head: known }: Session): Promise<boolean> {
    const head = await this.services.store.head(this.id);
    // An unavailable run may be available now: its definition may be loaded.
    return isFaithful && !unavailable && head !== undefined && head.revision === known?.revision && head.epoch === known.epoch;
  }

  async #load(): Promise<Session> {
    const session = await loadSession(this.services, this.id);
    // A run that was never stored was not deleted: its error is the reason.
    if (!session && !this.#session.head && this.#error !== undefined) throw this.#error;
    if (!session) throw new WorkflowError("RUN_NOT_FOUND", `Run ${this.id} was deleted.`);
    return session;
  }

  #replaceSession(session: Session): void {
    this.#session = session;
    this.#display.replace(session);
    this.#setAlarm();
    this.#showChildren();
  }

  /** The error that ended the last work, if one did. */
  get #error(): unknown {
    return this.#standing.at === "waiting" ? this.#standing.error : undefined;
  }

  #forgetError(): void {
    if (this.#error === undefined) return;
    this.#move({ at: "waiting", error: undefined });
    this.#display.setActive(false, undefined);
  }

  /** Sets the alarm to the next instant that the run waits for; at once if that has passed. */
  #setAlarm(): void {
    const { orders } = this.services.store;
    if (orders || this.#standing.at !== "waiting" || this.#standing.error !== undefined || this.#session.unavailable)
      return this.#alarm.set(undefined);
    const { state } = this.#session;
    const decision = this.next(-Infinity);
    this.#alarm.set(decision.do === "sleep" ? state.started.at + decision.until : undefined);
  }

  /** Executes the run at the instant that it waited for. A called run continues its caller, unless that has ended. */
  async #onAlarm(): Promise<void> {
    const caller = await findCaller(this.services, this.#session);
    await caller?.update();
    if (caller?.session.state.finished && !this.#session.state.compensation) return;
    this.drive();
    await this.idle();
    caller?.drive();
  }
}

/** The entry by which a failed run retries what failed. Nothing where it is no longer failed, or undoes what it did. */
function reviveFailed(session: Session): Entry | undefined {
  const { finished, compensation } = session.state;
  return finished?.status === "failed" && !compensation ? { type: "resumed", at: session.now() } : undefined;
}

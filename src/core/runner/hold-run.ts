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

/** How often a run that another tab or process executes is looked at: first and longest interval. */
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
  /** What executes until it has released the run. Resolves with what ended it, if it was not the run itself. */
  #work: Promise<unknown> | undefined;
  /** Ends a sleep, since the run is said to have changed. */
  #sleep: AbortControllerLike | undefined;
  /** The calls that were looked at since this executor set to work; nothing where it does not work. */
  #looked: Map<UnitKey, number> | undefined;
  /** How many wait in {@link rest}. */
  #resting = 0;
  /** How many orders to execute the run are under way here. */
  #orders = 0;

  constructor(services: RunnerServices, session: Session, display: RunDisplay) {
    this.id = session.state.id;
    this.services = services;
    this.#session = session;
    this.#display = display;
    this.#alarm = new Alarm(services.host, () => this.#ring());
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

  /** Whether the run is executed in this process, and not by the worker that has an order for it. A called run goes on with its caller. */
  #mayExecute(): boolean {
    if (!this.services.store.orders || this.#orders > 0) return true;
    const caller = this.#session.state.started.parent?.run;
    return [...this.services.working].some(({ id }) => id === caller);
  }

  /** Takes the lock of the run, does what there is to do, and releases it. Gives what ended that, if it was not the run itself. */
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
        // An answer may have come between the last write and the release; its sender could not take the run then. A run that was cancelled while it
        // executed goes on to undo what it did.
        await this.#reread();
        isDone = this.isClosed || (this.#session.state.entries === entries && !this.#session.state.compensation) || !isDue(this.next());
      }
    } catch (thrown) {
      error = await this.#fallBack(thrown);
    }
    // A run that rests holds nothing that it could not find again.
    await this.#letGo({ all: false });
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
  async #letGo(which: { readonly all: boolean }): Promise<void> {
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

  /** Another runner took the run, since this one gave no sign of life. */
  #lose(): void {
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

  /** After a failed write memory is ahead of the store: what was not stored did not happen. Gives what ended the work, if it was not the run itself. */
  async #fallBack(error: unknown): Promise<unknown> {
    this.#abort(error);
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

  stopWork(reason: WorkflowError): void {
    this.#abort(reason);
    this.wake();
    this.#setAlarm();
  }

  #abort(reason: unknown): void {
    if (this.#standing.at === "executing") this.#standing.abort.abort(reason);
  }

  /** Aborts what executes here where another tab or process has ended the run, or stopped it for now. A store that cannot be read says so at the next write. */
  async abortIfEnded(): Promise<void> {
    const head = await this.services.store.head(this.id).catch(() => undefined);
    const isOver =
      head && (head.status === "cancelled" || head.reason === "stopped") && head.revision > (this.#session.head?.revision ?? 0);
    if (isOver) this.stopWork(suspended(this.id));
  }

  async idle(): Promise<void> {
    await this.#work;
  }

  /** Stops executing and lets what was recorded reach the store. The run stays as it is. */
  async close(): Promise<void> {
    const before = this.#standing;
    if (before.at !== "closed") {
      const error = new WorkflowError("STORE_CLOSED", "The executor of this run was closed. Open the run with another one to go on.");
      this.#move({ at: "closed", error });
      if (before.at === "executing") before.abort.abort(error);
      this.wake();
    }
    await this.#work;
    await this.#letGo({ all: true });
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

  /** Waits, and reads what others wrote meanwhile. */
  async watch(ms: number): Promise<void> {
    await this.sleep(ms);
    await this.update();
  }

  /** Until the run is said to have changed, it is stopped here, or the time is up. */
  async sleep(ms: number): Promise<void> {
    this.services.listen();
    this.#sleep ??= this.services.host.newAbortController();
    await sleepUntilAborted(this.services.host, ms, this.#sleep.signal);
  }

  /** Ends the sleeps that wait for a change. */
  wake(): void {
    this.#sleep?.abort();
    this.#sleep = undefined;
  }

  async update(): Promise<void> {
    if (!this.#work) await this.#follow(() => !this.#work);
  }

  async reload(): Promise<void> {
    this.#take(await this.#load());
  }

  async catchUp(): Promise<void> {
    if (this.#work && this.#session.broken) {
      await this.#session.flushed().catch((refused: unknown) => this.#abort(refused));
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
  async #isCurrent({ isFaithful, unavailable, head: known }: Session): Promise<boolean> {
    const head = await this.services.store.head(this.id);
    // The reason why the run must not continue may be gone: its definition may be loaded now.
    return isFaithful && !unavailable && head !== undefined && head.revision === known?.revision && head.epoch === known.epoch;
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
    this.#showChildren();
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
    const { orders } = this.services.store;
    if (orders || this.#standing.at !== "waiting" || this.#standing.error !== undefined || this.#session.unavailable)
      return this.#alarm.set(undefined);
    const { state } = this.#session;
    const decision = this.next(-Infinity);
    this.#alarm.set(decision.do === "sleep" ? state.started.at + decision.until : undefined);
  }

  /** A called run goes on with its caller, as long as that has not ended. */
  async #ring(): Promise<void> {
    const caller = await findCaller(this.services, this.#session);
    await caller?.update();
    if (caller?.session.state.finished && !this.#session.state.compensation) return;
    this.drive();
    await this.idle();
    caller?.drive();
  }
}

/** What lets a failed run try again what failed; nothing where another one said so meanwhile, or it undoes what it did. */
function reviveFailed(session: Session): Entry | undefined {
  const { finished, compensation } = session.state;
  return finished?.status === "failed" && !compensation ? { type: "resumed", at: session.now() } : undefined;
}

import { errorData } from "../model/errors.ts";
import type { Answer, FileValue } from "../model/file-value.ts";
import type { RunContext } from "../model/checkpoint.ts";
import type { MovePlan } from "../model/move-plan.ts";
import { assertOptions } from "../model/assert-options.ts";
import type { RunResult } from "../model/result.ts";
import type { ReviewItem, RevisionPreview } from "../model/history.ts";
import type { RunFile } from "../model/run-file.ts";
import type { JournalRecord } from "../model/journal.ts";
import type { Pause, Step } from "../model/run.ts";
import type { Value, Values } from "../model/value.ts";
import type { RunView } from "../model/view.ts";
import type { Workflow } from "../model/workflow.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import type { Page } from "../ports/store.ts";
import type { DeclineOptions, JournalQuery, ResumeRunOptions, RunValues, SignalOptions, SuperstepOptions, WaitOptions } from "./api.ts";
import { readDrafts, saveDraft } from "./drafts.ts";
import { cancelRun, liftSuspension, Runner, stopRun, whileWaiting } from "../runner/runner.ts";
import { assertNotCompensated, orFailure } from "./refusal.ts";
import { signalRun } from "./signal-run.ts";
import type { RoomServices } from "./rooms.ts";
import type { OpenRun, SavedDraft } from "./services.ts";
import type { Session } from "../journal/journal.ts";
import type { ViewKeeper } from "./view-keeper.ts";
import { answerPauses, declinePause } from "./answer-pause.ts";

/** How long to wait before reading again a run that waits for an instant: the first and the longest time. */
const WATCH_MS = 20;
const MAX_SLEEP_MS = 300_000;

/** A run as users hold it: its runner, its view, and its public methods. */
export class LiveRun extends Runner implements OpenRun {
  declare protected readonly services: RoomServices;
  readonly #view: ViewKeeper;
  /** Whether the run is being read for its subscribers, and whether once more, since it changed meanwhile. */
  /** Resolves once resumed work has begun. Until then a question may be open though a called run has its answer. */
  #begun: Promise<void> | undefined;
  #isFollowing = false;
  #isStale = false;

  constructor(services: RoomServices, session: Session, view: ViewKeeper) {
    super(services, session, view);
    this.#view = view;
  }

  /** Keeps libraries such as Vue from wrapping it in a proxy: private members do not work through one. */
  get [Symbol.toStringTag](): string {
    return "Run";
  }

  getSnapshot(): RunView {
    return this.#view.snapshot();
  }

  subscribe(listener: (view: RunView) => void): () => void {
    this.services.listen();
    const end = this.#view.subscribe(listener);
    // Read what changed while the run had no subscribers.
    this.#followHints();
    return end;
  }

  /** Called when another tab or process may have changed the run. */
  hint(): void {
    this.wake();
    if (this.active) void this.abortIfEnded();
    this.#isStale = true;
    this.#followHints();
  }

  #followHints(): void {
    if (this.#isStale && this.#view.isWatched && !this.#isFollowing) void this.#follow();
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#isStale && !this.isClosed) {
      this.#isStale = false;
      try {
        await this.refresh();
      } catch (error) {
        this.#view.setActive(this.active, errorData(error, "STORE_FAILED"));
      }
    }
    this.#isFollowing = false;
    // The runner that executes it may die: then a tab continues it that was asked to execute it before.
    if (this.isLeftAlone) void this.rest().catch(() => {});
  }

  pauses(): readonly Pause[] {
    return this.#view.pauses();
  }

  settled(options: WaitOptions = {}): Promise<RunResult> {
    assertOptions("settled", options, { signal: true });
    return whileWaiting(options.signal, this.#settle(options.signal));
  }

  async #settle(signal?: AbortSignalLike): Promise<RunResult> {
    await this.#begun;
    for (let wait = WATCH_MS; ; wait = Math.min(wait * 2, MAX_SLEEP_MS)) {
      const result = await this.rest();
      if (result.status !== "waiting") return result;
      await this.watch(Math.min(wait, Math.max(0, result.until - this.services.host.now())));
      if (signal?.aborted) throw signal.reason;
    }
  }

  async answer(
    pauseOrAnswers: string | { readonly [pause: string]: Answer },
    responseOrOptions?: Answer | WaitOptions,
    options?: WaitOptions,
  ): Promise<RunResult> {
    const isOne = typeof pauseOrAnswers === "string";
    const answers = isOne ? [[pauseOrAnswers, responseOrOptions as Value] as const] : Object.entries(pauseOrAnswers as Values);
    const waiting = isOne ? options : (responseOrOptions as WaitOptions | undefined);
    assertOptions("answer", waiting, { signal: true });
    this.assertOpen();
    return whileWaiting(waiting?.signal, orFailure(this.id, answerPauses(this.services, this, answers)));
  }

  resume(options: ResumeRunOptions = {}): Promise<RunResult> {
    assertOptions("resume", options, { definition: true, signal: true });
    return whileWaiting(options.signal, orFailure(this.id, this.#resume(options)));
  }

  async #resume(options: ResumeRunOptions): Promise<RunResult> {
    let begun = (): void => {};
    this.#begun = new Promise((resolve) => (begun = resolve));
    try {
      await this.#goOn(options, begun);
    } finally {
      begun();
    }
    return this.#settle();
  }

  async #goOn({ definition }: ResumeRunOptions, begun: () => void): Promise<void> {
    await this.update();
    // A run that undoes what it did continues to do so.
    if (definition || this.session.state.finished) assertNotCompensated(this.session.state);
    if (definition) await (await this.services.rooms.migration()).moveRun(this.services, this);
    await liftSuspension(this.services, this);
    await this.goOn({ revive: true, begun });
  }

  async signal(name: string, value: Answer = null, options: SignalOptions = {}): Promise<void> {
    assertOptions("signal", options, { id: true, signal: true });
    this.assertOpen();
    return whileWaiting(options.signal, signalRun(this.services, this, name, value as Value, options));
  }

  async stop(): Promise<RunResult> {
    this.assertOpen();
    await stopRun(this.services, this);
    return this.settled();
  }

  async cancel(options: { readonly reason?: string } = {}): Promise<RunResult> {
    assertOptions("cancel", options, { reason: true });
    await cancelRun(this.services, this, options);
    return this.settled();
  }

  async steps(options: SuperstepOptions = {}): Promise<readonly Step[]> {
    assertOptions("steps", options, { superstep: true });
    return (await this.services.rooms.past()).stepsOf(this.services, this, options);
  }

  async journal(query: JournalQuery = {}): Promise<Page<JournalRecord>> {
    return (await this.services.rooms.past()).journalOf(this.services, this, query);
  }

  async state(options: SuperstepOptions = {}): Promise<RunValues> {
    assertOptions("state", options, { superstep: true });
    return (await this.services.rooms.past()).outputsAt(this.services, this, options);
  }

  async context(options: SuperstepOptions = {}): Promise<RunContext> {
    assertOptions("context", options, { superstep: true });
    return (await this.services.rooms.past()).contextAt(this.services, this, options);
  }

  async definition(options: SuperstepOptions = {}): Promise<Workflow> {
    assertOptions("definition", options, { superstep: true });
    return (await this.services.rooms.past()).definitionAt(this.services, this, options);
  }

  async files(options: SuperstepOptions = {}): Promise<readonly RunFile[]> {
    assertOptions("files", options, { superstep: true });
    return (await this.services.rooms.past()).filesAt(this.services, this, options);
  }

  async readFile(name: string, options: SuperstepOptions = {}): Promise<FileValue> {
    assertOptions("readFile", options, { superstep: true });
    return (await this.services.rooms.past()).readFileAt(this.services, this, name, options);
  }

  async decline(pause: string, options: DeclineOptions = {}): Promise<RunResult> {
    assertOptions("decline", options, { action: true, signal: true });
    this.assertOpen();
    return whileWaiting(options.signal, orFailure(this.id, declinePause(this.services, this, pause, options)));
  }

  async saveDraft(pause: string, draft: Value | undefined): Promise<void> {
    this.assertOpen();
    return saveDraft(this.services, this, pause, draft);
  }

  async answers(): Promise<readonly ReviewItem[]> {
    return this.services.rooms.history.reviewAnswers(this.services, this);
  }

  async revise(pause: string, response: Answer, options: WaitOptions = {}): Promise<RunResult> {
    assertOptions("revise", options, { signal: true });
    this.assertOpen();
    return whileWaiting(options.signal, this.services.rooms.history.reviseRun(this.services, this, pause, response as Value));
  }

  async previewRevise(pause: string, response: Answer): Promise<RevisionPreview> {
    return this.services.rooms.history.previewRevision(this.services, this, pause, response as Value);
  }

  async back(options: WaitOptions = {}): Promise<RunResult> {
    assertOptions("back", options, { signal: true });
    this.assertOpen();
    return whileWaiting(options.signal, this.services.rooms.history.goBack(this.services, this));
  }

  async plan(workflow?: Workflow): Promise<MovePlan> {
    return (await this.services.rooms.migration()).planMove(this.services, this, workflow);
  }

  async refresh(): Promise<void> {
    await this.update();
    await this.readDrafts();
  }

  async readDrafts(): Promise<void> {
    if (this.session.state.open.size === 0) return;
    this.#view.setDrafts(await readDrafts(this.services, this.id, this.#view.drafts));
  }

  showDraft(pause: number, draft: SavedDraft | undefined): void {
    const others = [...this.#view.drafts].filter(([number]) => number !== pause);
    this.#view.setDrafts(new Map(draft ? [...others, [pause, draft]] : others));
  }
}

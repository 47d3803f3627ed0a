import { html, render, type TemplateResult } from "lit-html";
import { isWorkflowError, type CheckpointInfo, type Executor, type Pause, type RunHead, type RunView, type Value } from "wavepoint";
import { announce } from "./announcements.ts";
import { createAnnouncer } from "./announcer.ts";
import { dropDraft, keepDraft, readDraft } from "./drafts.ts";
import type { Example } from "./examples.ts";
import { focusQuestion, focusStage, followStage } from "./focus.ts";
import { askFirst } from "./parts/ask-first.ts";
import { checkpointName } from "./parts/checkpoints-list.ts";
import { examplesList } from "./parts/examples-list.ts";
import { followWave } from "./parts/follow-wave.ts";
import { hero } from "./parts/hero.ts";
import { page } from "./parts/page.ts";
import type { QuestionProps } from "./parts/question.ts";
import { runPage } from "./parts/run-page.ts";
import { runsList } from "./parts/runs-list.ts";
import { parseRoute, runAddress, type Route } from "./router.ts";
import { joinTabs } from "./tabs.ts";
import { watchRun, type WatchedRun } from "./watched-run.ts";
import { titleOf } from "./wording.ts";

/** Runs that the list shows at first, and that each "older" adds. */
const RUNS_PAGE = 20;
/** How often running blocks show their time, and how often "2 minutes ago" is looked at again. */
const FAST_TICK_MS = 200;
const SLOW_TICK_MS = 30_000;

export interface AppOptions {
  readonly executor: Executor;
  readonly examples: readonly Example[];
  readonly durable: boolean;
  readonly root: HTMLElement;
  /** The live region. */
  readonly announcer: HTMLElement;
}

/** Draws the page and keeps it true: to the address, to the open run, to the store and to what other tabs do. */
export function startApp({ executor, examples, durable, root, announcer }: AppOptions): void {
  const say = createAnnouncer(announcer);
  const tabs = joinTabs((id) => void catchUp(id));
  const sending = new Set<string>();
  const errors = new Map<string, string>();
  let route: Route = parseRoute(location.hash);
  let runs: readonly RunHead[] = [];
  let runsLimit = RUNS_PAGE;
  let hasMore = false;
  let watched: WatchedRun | undefined;
  let view: RunView | undefined;
  let missing: string | undefined;
  let problem: string | undefined;
  let drawing = false;
  let tick: ReturnType<typeof setTimeout> | undefined;
  /** Done once after the page was drawn next. */
  let afterDraw: () => void = () => {};

  addEventListener("hashchange", () => void go());
  addEventListener("focus", () => void catchUp());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void catchUp();
  });
  draw();
  void go();

  // ── the address ──

  async function go(): Promise<void> {
    route = parseRoute(location.hash);
    watched?.close();
    watched = undefined;
    view = undefined;
    missing = undefined;
    draw();
    void listRuns();
    if (route.page === "home") return;
    const id = route.run;
    try {
      const run = await executor.open(id);
      if (route.page !== "run" || route.run !== id) return;
      watched = watchRun(executor, run, { onView: see, onDetails: draw, onProblem: report });
      const { status, active, parent } = run.getSnapshot();
      // A called run is carried on by the run that called it.
      if (status === "running" && !active && !parent) void attempt(() => run.resume());
    } catch (thrown) {
      missing = messageOf(thrown);
      draw();
    }
  }

  function visit(run: string): void {
    if (location.hash === runAddress(run)) void go();
    else location.hash = runAddress(run);
  }

  // ── what is known ──

  function see(next: RunView): void {
    say(announce(view, next));
    const changed = view !== undefined;
    view = next;
    draw();
    if (!changed) return;
    if (next.active || next.status !== "running") tabs.tell(next.id);
    void listRuns();
  }

  async function listRuns(): Promise<void> {
    try {
      const list = await executor.runs.list({ topLevel: true, limit: runsLimit });
      runs = list.items;
      hasMore = list.next !== undefined;
      draw();
    } catch (thrown) {
      report(thrown);
    }
  }

  /** Reads the store again, because another tab said so or because someone came back to this one. */
  async function catchUp(run?: string): Promise<void> {
    await listRuns();
    if (!watched || (run !== undefined && run !== watched.run.id)) return;
    const { run: open } = watched;
    try {
      await open.refresh();
    } catch (thrown) {
      if (isWorkflowError(thrown) && thrown.code === "RUN_NOT_FOUND") void go();
      else report(thrown);
    }
  }

  function report(thrown: unknown): void {
    problem = messageOf(thrown);
    draw();
  }

  async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (thrown) {
      report(thrown);
      return undefined;
    } finally {
      void listRuns();
    }
  }

  // ── what someone can do ──

  async function start(workflow: string): Promise<void> {
    const run = await attempt(() => executor.start(workflow));
    if (!run) return;
    tabs.tell(run.id);
    afterDraw = () => void (view && focusStage(root) ? scrollTo({ top: 0 }) : undefined);
    visit(run.id);
  }

  function questionProps(pause: Pause): QuestionProps {
    return {
      pause,
      draft: readDraft(pause.id),
      error: errors.get(pause.id),
      sending: sending.has(pause.id),
      keepDraft: (text) => keepDraft(pause.id, text),
      answer: (response) => void answer(pause, response),
      refuse: (message) => refuse(pause, message),
    };
  }

  async function answer(pause: Pause, response: Value): Promise<void> {
    const run = watched?.run;
    if (!run) return;
    sending.add(pause.id);
    errors.delete(pause.id);
    draw();
    const result = await attempt(() => run.answer(pause.id, response));
    sending.delete(pause.id);
    if (result?.status !== "failure") dropDraft(pause.id);
    else if (run.getSnapshot().pauses.some((open) => open.id === pause.id)) refuse(pause, result.error.message);
    else if (result.error.code === "PAUSE_ALREADY_ANSWERED") report(new Error(result.error.message));
    draw();
  }

  function refuse(pause: Pause, message: string): void {
    errors.set(pause.id, message);
    afterDraw = () => focusQuestion(pause.id);
    draw();
  }

  async function remove(run: Pick<RunHead, "id" | "workflow">): Promise<void> {
    const sure = await askFirst({
      title: "Delete this run?",
      text: `${titleOf(run.workflow)}, with its answers, outputs and checkpoints. This cannot be undone.`,
      action: "Delete run",
    });
    if (!sure) return;
    await attempt(async () => {
      if (watched?.run.id === run.id) {
        await watched.run.cancel({ reason: "deleted on the page" });
        location.hash = "#/";
      }
      await executor.runs.delete(run.id);
      tabs.tell(run.id);
    });
  }

  async function fork(checkpoint: CheckpointInfo): Promise<void> {
    const result = await attempt(() => executor.resume(checkpoint.id, undefined, { fork: true }));
    if (!result) return;
    tabs.tell(result.run);
    if (result.run === checkpoint.run && result.status === "failure") report(new Error(result.error.message));
    else visit(result.run);
  }

  async function removeCheckpoint(checkpoint: CheckpointInfo): Promise<void> {
    const waits = view?.pauses.some((pause) => pause.id === checkpoint.id) ?? false;
    const sure = await askFirst({
      title: "Delete this checkpoint?",
      text: waits
        ? "Its question still waits for an answer: deleting it gives the run up."
        : `${checkpointName(checkpoint)}. The run itself stays.`,
      action: "Delete checkpoint",
    });
    if (!sure) return;
    await attempt(async () => {
      await executor.checkpoints.delete(checkpoint.id);
      await watched?.run.refresh();
      await watched?.reload();
      tabs.tell(checkpoint.run);
    });
  }

  // ── drawing ──

  function draw(): void {
    if (drawing) return;
    drawing = true;
    queueMicrotask(() => {
      drawing = false;
      const follow = followStage(root);
      render(currentPage(), root);
      follow();
      const after = afterDraw;
      if (view || errors.size > 0) {
        afterDraw = () => {};
        after();
      }
      followWave(root);
      document.title = view ? `${titleOf(view.workflow)} (${view.status}) · Wavepoint` : "Wavepoint";
      clearTimeout(tick);
      tick = setTimeout(draw, view?.status === "running" ? FAST_TICK_MS : SLOW_TICK_MS);
    });
  }

  function currentPage(): TemplateResult {
    const now = Date.now();
    return page({
      durable,
      problem,
      dismiss() {
        problem = undefined;
        draw();
      },
      main: route.page === "home" ? home() : openRun(now),
      aside: runsList({
        runs,
        current: route.page === "run" ? route.run : undefined,
        now,
        hasMore,
        showMore() {
          runsLimit += RUNS_PAGE;
          void listRuns();
        },
        remove: (run) => void remove(run),
      }),
    });
  }

  function home(): TemplateResult {
    return html`${hero()} ${examplesList(examples, (workflow) => void start(workflow))}`;
  }

  function openRun(now: number): TemplateResult {
    if (missing !== undefined) {
      return html`<div class="card missing">
        <h1>This run is not here</h1>
        <p>${missing}</p>
        <a class="button" href="#/">See the examples</a>
      </div>`;
    }
    if (!view || !watched) return html`<p class="loading">Opening the run…</p>`;
    const { run, outputs, checkpoints } = watched;
    const open = view;
    return runPage({
      view: open,
      now,
      outputs,
      checkpoints,
      source: examples.find((example) => example.workflow.name === open.workflow)?.source,
      questionProps,
      startAgain: () => void start(open.workflow),
      goOn: () => void attempt(() => run.resume()),
      cancel: () => void attempt(() => run.cancel()),
      remove: () => void remove(open),
      fork: (checkpoint) => void fork(checkpoint),
      removeCheckpoint: (checkpoint) => void removeCheckpoint(checkpoint),
    });
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

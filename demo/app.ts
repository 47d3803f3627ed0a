import { html, type TemplateResult } from "lit-html";
import { isWorkflowError, type Run, type RunHead, type RunView } from "wavepoint";
import { keepStorage, questionHistory, storageState, type QuestionHistory } from "wavepoint/browser";
import { agentTalk, hasAgents, isOfAgents } from "./agent/talk.ts";
import { announce } from "./announcements.ts";
import { createAnnouncer } from "./announcer.ts";
import { followDefinitions } from "./definitions.ts";
import { createDrawing } from "./drawing.ts";
import type { Engine } from "./engine.ts";
import type { Example, Examples } from "./examples.ts";
import { focusHeading, focusStage, focusStart } from "./focus.ts";
import type { NewVersion } from "./offline/follow-versions.ts";
import type { OwnWorkflows } from "./own-workflows.ts";
import { askFirst } from "./parts/ask-first.ts";
import { examplesList } from "./parts/examples-list.ts";
import { featuredExamples } from "./parts/featured-examples.ts";
import { hero } from "./parts/hero.ts";
import type { LiveRun } from "./hero/live-run.ts";
import { LIVE_WORKFLOW } from "./hero/live-run-id.ts";
import { missingRun } from "./parts/missing-run.ts";
import { missingWorkflow } from "./parts/missing-workflow.ts";
import { closeRunsMenu, page } from "./parts/page.ts";
import { runsList } from "./parts/runs-list.ts";
import { workflowPage } from "./parts/workflow-page.ts";
import { problemText } from "./problem-text.ts";
import { parseRoute, runAddress, tagsAddress, workflowAddress } from "./router.ts";
import { saveRunFile } from "./run-files.ts";
import type { RunPage } from "./run/run-page.ts";
import { createRunsFeed } from "./runs-feed.ts";
import { createStartQuestions } from "./start-questions.ts";
import { createThemeSwitch } from "./theme.ts";
import { toolsPanel } from "./tools/index.ts";
import { titleOf } from "./wording.ts";

interface AppOptions {
  readonly engine: Engine;
  readonly own: OwnWorkflows;
  readonly examples: Examples;
  /** Resolves once questions can be shown. */
  readonly elements: Promise<void>;
  readonly root: HTMLElement;
  /** The live region. */
  readonly announcer: HTMLElement;
}

/** Draws the page and keeps it true: to the address, to the open run, to the store and to what other tabs do. */
export function startApp({ engine, own, examples, elements, root, announcer }: AppOptions): void {
  const { executor, store } = engine;
  let route = parseRoute(location.hash);
  /** The run that the page shows, and what ends listening to it. */
  let opened: { readonly run: Run; leave(): void } | undefined;
  let view: RunView | undefined;
  let questions: QuestionHistory | undefined;
  let missing: string | undefined;
  let problem: string | undefined;
  let newVersion: NewVersion | undefined;
  let isOffline = false;
  /** What the engine said to workflows that this page cannot run, by their names. */
  const refusals = new Map<string, string>();
  /** Whether the address is about to change because a run was started: then its question gets the focus. */
  let isStarting = false;
  let runPage: RunPage | undefined;
  let live: LiveRun | undefined;

  const say = createAnnouncer(announcer);
  const { draw, afterwards } = createDrawing({
    root,
    page: currentPage,
    title: () =>
      view
        ? `${titleOf(view.workflow)} (${view.status}) · Wavepoint`
        : route.page === "workflow"
          ? `${titleOf(route.workflow)} · Wavepoint`
          : "Wavepoint",
  });
  const theme = createThemeSwitch(draw);
  const feed = createRunsFeed(executor, { onChange: draw, onProblem: report });
  const startQuestions = createStartQuestions({ executor, onStarted: moveTo });
  const definitions = followDefinitions({ own, examples, engine, onChange: draw, onProblem: report });
  const talk = agentTalk(engine, report);
  const tools = toolsPanel({
    engine,
    examples,
    keepWorkflow: definitions.keep,
    forgetWorkflow: definitions.forget,
    openRun: visit,
    openWorkflow(name) {
      location.hash = workflowAddress(name);
    },
    remove: (id) => void executor.open(id).then((run) => remove(run.getSnapshot()), report),
    takeIn: async (file) => moveTo(await executor.runs.import(await file.text())),
  });

  addEventListener("hashchange", () => {
    // Another page begins at its top, not where the last page was scrolled to.
    scrollTo({ top: 0 });
    closeRunsMenu();
    if (!isStarting) afterwards(() => focusHeading(root));
    isStarting = false;
    void go();
  });
  for (const change of ["online", "offline"]) addEventListener(change, draw);
  const storage = storageState(store);
  storage.subscribe(draw);
  void storage.refresh();
  void keepStorage(executor).then(storage.refresh, report);
  executor.runs.watch((run) => void catchUp(run));
  void go();
  // What is kept for later is fetched behind what the first question needs.
  void Promise.all([feed.refresh(), elements]).then(keepPage).catch(report);

  /** Has the browser keep the page for use without a network. */
  async function keepPage(): Promise<void> {
    const { followVersions } = await import("./offline/follow-versions.ts");
    await followVersions({
      onOffline() {
        isOffline = true;
        draw();
      },
      onNewVersion(version) {
        newVersion = version;
        draw();
      },
    });
  }

  async function go(): Promise<void> {
    route = parseRoute(location.hash);
    leave();
    void feed.refresh();
    if (route.page === "home") void showLive().catch(report);
    else live?.hide();
    if (route.page === "workflow") equipFor(examples.find(route.workflow));
    if (route.page !== "run") return;
    const id = route.run;
    const isHere = () => route.page === "run" && route.run === id;
    try {
      const [run] = await Promise.all([executor.open(id), loadRunPage()]);
      if (!isHere()) return;
      // Before anything of it is executed.
      if (isOfAgents(run.getSnapshot())) engine.equip();
      show(run);
      questions = questionHistory(run, { onProblem: report });
      const { status, active, parent } = run.getSnapshot();
      // A called run is carried on by the run that called it.
      if (status === "running" && !active && !parent) void attempt(() => run.resume());
    } catch (thrown) {
      if (!isHere()) return;
      missing = problemText(thrown);
      draw();
    }
  }

  /** Its code is loaded with the first run. */
  async function loadRunPage(): Promise<void> {
    const { createRunPage } = await import("./run/run-page.ts");
    runPage ??= createRunPage({
      executor,
      onChange: draw,
      onProblem: report,
      openRun: visit,
      edit: () => void tools.open("editor"),
    });
  }

  /** The live run needs the engine, which nothing on this page waits for. */
  async function showLive(): Promise<void> {
    const workflow = examples.find(LIVE_WORKFLOW)?.workflow;
    if (!workflow) return;
    const [{ liveRun }] = await Promise.all([import("./hero/live-run.ts"), elements]);
    live ??= liveRun({ engine, workflow, onProblem: report });
    if (route.page !== "home") return;
    live.show();
    draw();
  }

  function leave(): void {
    questions?.dispose();
    questions = undefined;
    opened?.leave();
    opened = undefined;
    runPage?.close();
    view = undefined;
    missing = undefined;
    talk.show(undefined);
    tools.show(undefined);
  }

  function equipFor(example: Example | undefined): void {
    if (example && hasAgents(example.workflow)) engine.equip();
  }

  function show(run: Run): void {
    opened?.leave();
    view = undefined;
    opened = { run, leave: run.subscribe(see) };
    talk.show(run);
    tools.show(run);
  }

  /** Shows a run that has just come to be. */
  function moveTo(run: Run): void {
    visit(run.id);
  }

  function visit(run: string): void {
    isStarting = true;
    // Not the stage of the run that is still open.
    afterwards(() => route.page === "run" && route.run === run && view !== undefined && focusStage(root));
    if (location.hash !== runAddress(run)) location.hash = runAddress(run);
    // A run that was taken in again from its file.
    else void go();
  }

  function see(next: RunView): void {
    say(announce(view, next));
    view = next;
    draw();
  }

  /** Reads the list again, because a run changed here or in another tab, and finds out whether the open one is gone. */
  async function catchUp(changed: string | undefined): Promise<void> {
    await feed.refresh();
    if (!opened || (changed !== undefined && changed !== opened.run.id)) return;
    const { run } = opened;
    // While it executes here nothing else changes it.
    if (run.getSnapshot().active) return;
    try {
      await run.refresh();
    } catch (thrown) {
      if (run !== opened?.run) return;
      if (isWorkflowError(thrown) && thrown.code === "RUN_NOT_FOUND") void go();
      else report(thrown);
    }
  }

  function report(thrown: unknown): void {
    storage.report(thrown);
    problem = problemText(thrown);
    draw();
  }

  async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (thrown) {
      report(thrown);
      return undefined;
    } finally {
      void feed.refresh();
    }
  }

  async function save(run: Run): Promise<void> {
    const text = await attempt(() => executor.runs.export(run.id, { drafts: true }));
    if (text !== undefined) saveRunFile(run.id, text);
  }

  async function takeIn(file: File): Promise<void> {
    const run = await attempt(async () => executor.runs.import(await file.text()));
    if (run) moveTo(run);
  }

  /** Starts a run, or shows the form with what it is to be given. */
  function start(example: Example): void {
    equipFor(example);
    const { name, inputs = {} } = example.workflow;
    const form = startQuestions.of(example);
    // The second click of a double click.
    if (form.getSnapshot().isSending) return;
    if (Object.keys(inputs).length === 0) return void attempt(() => form.answer({}));
    isStarting = true;
    afterwards(() => focusStart(root));
    location.hash = workflowAddress(name);
  }

  function choose(tags: readonly string[]): void {
    history.replaceState(null, "", tagsAddress(tags));
    route = parseRoute(location.hash);
    draw();
  }

  /** Lets the engine say why a workflow cannot run in this page. */
  async function tryHere({ workflow, called }: Example): Promise<void> {
    try {
      for (const one of [workflow, ...called]) await executor.load(one);
    } catch (thrown) {
      refusals.set(workflow.name, problemText(thrown));
      draw();
    }
  }

  async function remove(run: Pick<RunHead, "id" | "workflow">): Promise<void> {
    const sure = await askFirst({
      title: "Delete this run?",
      text: `${titleOf(run.workflow)}, with its answers, outputs and checkpoints. This cannot be undone.`,
      action: "Delete run",
    });
    if (!sure) return;
    await attempt(async () => {
      if (opened?.run.id === run.id) {
        const { run: open, leave } = opened;
        leave();
        location.hash = "#/";
        // A run that executes cannot be deleted; stop it first.
        await open.cancel();
      }
      await executor.runs.delete(run.id);
    });
  }

  function currentPage(): TemplateResult {
    const now = Date.now();
    return page({
      theme,
      storage: storage.getSnapshot(),
      isOffline,
      hasNetwork: navigator.onLine,
      newVersion,
      notNow() {
        newVersion = undefined;
        draw();
      },
      problem,
      dismiss() {
        problem = undefined;
        draw();
      },
      main: html`${mainPart(now)} ${tools.element}`,
      waiting: feed.runs.filter((run) => isPausedHere(run) && run.reason === undefined).length,
      runs: runsList({
        runs: feed.runs,
        current: opened?.run.id,
        now,
        hasMore: feed.hasMore,
        showMore: () => void feed.showMore(),
        remove: (run) => void remove(run),
        takeIn: (file) => void takeIn(file),
      }),
    });
  }

  function mainPart(now: number): TemplateResult {
    if (route.page === "home") {
      return html`${hero({ live: live?.element })} ${featuredExamples({ examples, start, waiting: feed.runs.find(isPausedHere) })}`;
    }
    if (route.page === "examples") return examplesList({ examples, tags: route.tags, choose, start });
    return route.page === "workflow" ? openWorkflow(route.workflow) : openRun(now);
  }

  function openWorkflow(name: string): TemplateResult {
    const example = examples.find(name);
    if (!example) return missingWorkflow();
    return workflowPage({
      example,
      startForm: startQuestions.of(example),
      refusal: refusals.get(name),
      tryHere: () => void tryHere(example),
    });
  }

  function openRun(now: number): TemplateResult {
    if (missing !== undefined) return missingRun(missing);
    if (!view || !opened || !runPage) return html`<p class="loading">Opening the run…</p>`;
    const { run } = opened;
    const shown = view;
    const example = examples.find(shown.workflow);
    return runPage.template({
      run,
      view: shown,
      now,
      example,
      talk: isOfAgents(shown) ? talk.element : undefined,
      startAgain: () => example && start(example),
      save: () => void save(run),
      cancel: () => void attempt(() => run.cancel()),
      stop: () => void attempt(() => run.stop()),
      goOn: () => void attempt(() => run.resume()),
      remove: () => void remove(shown),
    });
  }
}

/** One that was handed over waits elsewhere. */
function isPausedHere({ status, transferredTo }: RunHead): boolean {
  return status === "paused" && transferredTo === undefined;
}

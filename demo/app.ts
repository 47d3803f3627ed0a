import { html, type TemplateResult } from "lit-html";
import type { RunHead } from "wavepoint";
import { keepStorage, storageState } from "wavepoint/browser";
import { agentTalk, isOfAgents } from "./agent/talk.ts";
import { announce } from "./announcements.ts";
import { createAnnouncer } from "./announcer.ts";
import { followDefinitions } from "./definitions.ts";
import { createDrawing } from "./drawing.ts";
import type { Engine } from "./engine.ts";
import type { Examples } from "./examples.ts";
import { focusAway, focusHeading, focusStage, focusStart } from "./focus.ts";
import type { LiveRun } from "./hero/live-run.ts";
import { LIVE_WORKFLOW } from "./hero/live-run-id.ts";
import { createKeptPage } from "./offline/kept-page.ts";
import type { OwnWorkflows } from "./own-workflows.ts";
import { examplesList } from "./parts/examples-list.ts";
import { featuredExamples } from "./parts/featured-examples.ts";
import { hero } from "./parts/hero.ts";
import { missingRun } from "./parts/missing-run.ts";
import { missingWorkflow } from "./parts/missing-workflow.ts";
import { closeRunsMenu, page } from "./parts/page.ts";
import { runsList } from "./parts/runs-list.ts";
import { workflowPage } from "./parts/workflow-page.ts";
import { problemText } from "./problem-text.ts";
import { parseRoute, runAddress, tagsAddress, workflowAddress } from "./router.ts";
import { createOpenRun } from "./run/open-run.ts";
import { createRunActions } from "./run/run-actions.ts";
import type { RunPage } from "./run/run-page.ts";
import { createRunsFeed } from "./runs-feed.ts";
import { createStarts } from "./starts.ts";
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
  let problem: string | undefined;
  /** Whether the address is about to change to what is asked next: then that gets the focus. */
  let isAsking = false;
  let runPage: RunPage | undefined;
  let live: LiveRun | undefined;

  const say = createAnnouncer(announcer);
  const { draw, afterwards } = createDrawing({ root, page: currentPage, title });
  const theme = createThemeSwitch(draw);
  const kept = createKeptPage(draw);
  const feed = createRunsFeed(executor, { onChange: draw, onProblem: report });
  const open = createOpenRun({
    executor,
    load: loadRunPage,
    prepare: (view) => isOfAgents(view) && engine.equip(),
    onOpened(run) {
      talk.show(run);
      tools.show(run);
      if (!run) runPage?.close();
    },
    onChange(next, before) {
      if (next) say(announce(before, next));
      draw();
    },
    onProblem: report,
  });
  const actions = createRunActions({
    executor,
    close(id) {
      const run = open.shown?.run;
      if (run?.id !== id) return undefined;
      open.leave();
      location.hash = "#/";
      return run;
    },
    show: (run) => visit(run.id),
    onDone: () => void feed.refresh(),
    onProblem: refuse,
  });
  const starts = createStarts({
    engine,
    attempt: actions.attempt,
    onStarted: (run) => visit(run.id),
    showForm: (workflow) => goTo(workflowAddress(workflow), () => focusStart(root)),
    onChange: draw,
  });
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
    remove: (id) => void executor.open(id).then((run) => actions.remove(run.getSnapshot()), report),
    takeIn: async (file) => visit((await executor.runs.import(await file.text())).id),
  });

  addEventListener("hashchange", () => {
    // Another page begins at its top, not where the last page was scrolled to.
    scrollTo({ top: 0 });
    closeRunsMenu();
    if (!isAsking) afterwards(() => focusHeading(root));
    isAsking = false;
    go();
  });
  for (const change of ["online", "offline"]) addEventListener(change, draw);
  const storage = storageState(store);
  storage.subscribe(draw);
  void storage.refresh();
  void keepStorage(executor).then(storage.refresh, report);
  executor.runs.watch((changed) => void feed.refresh().then(() => open.catchUp(changed)));
  go();
  // What is kept for later is fetched behind what the first question needs.
  void Promise.all([feed.refresh(), elements]).then(kept.begin).catch(report);

  /** Shows what the address names. */
  function go(): void {
    route = parseRoute(location.hash);
    open.leave();
    void feed.refresh();
    if (route.page === "home") void showLive().catch(report);
    else live?.hide();
    if (route.page === "workflow") starts.equipFor(examples.find(route.workflow));
    if (route.page === "run") void open.open(route.run);
  }

  /** Its code is loaded with the first run. */
  async function loadRunPage(): Promise<void> {
    const { createRunPage } = await import("./run/run-page.ts");
    runPage ??= createRunPage({
      executor,
      onChange: draw,
      onProblem: report,
      onRefused: refuse,
      onSaid: storage.report,
      openRun: visit,
      onSent: () => afterwards(() => focusAway(root)),
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

  /** Goes to an address where something is asked; `focus` puts the focus there once it can, in place of the heading. */
  function goTo(address: string, focus: () => boolean): void {
    isAsking = true;
    afterwards(focus);
    if (location.hash !== address) location.hash = address;
    // A run that was taken in again from its file.
    else go();
  }

  function visit(run: string): void {
    // Not the stage of the run that is still open.
    goTo(runAddress(run), () => open.shown?.run.id === run && focusStage(root));
  }

  /** Says what went wrong by itself, once: what is wrong with the store has a notice of its own. */
  function report(thrown: unknown): void {
    storage.report(thrown);
    if (problemText(thrown) !== storage.getSnapshot().error?.message) refuse(thrown);
  }

  /** Says what went wrong with what the person just did. */
  function refuse(thrown: unknown): void {
    storage.report(thrown);
    problem = problemText(thrown);
    draw();
  }

  function choose(tags: readonly string[]): void {
    history.replaceState(null, "", tagsAddress(tags));
    route = parseRoute(location.hash);
    draw();
  }

  function title(): string {
    const view = open.shown?.view;
    if (view) return `${titleOf(view.workflow)} (${view.status}) · Wavepoint`;
    return route.page === "workflow" ? `${titleOf(route.workflow)} · Wavepoint` : "Wavepoint";
  }

  function currentPage(): TemplateResult {
    const now = Date.now();
    return page({
      theme,
      kept,
      storage: storage.getSnapshot(),
      hasNetwork: navigator.onLine,
      problem,
      dismiss() {
        problem = undefined;
        draw();
      },
      main: html`${mainPart(now)} ${tools.element}`,
      waiting: feed.runs.filter((run) => isPausedHere(run) && run.reason === undefined).length,
      runs: runsList({
        runs: feed.runs,
        current: open.shown?.run.id,
        now,
        hasMore: feed.hasMore,
        showMore: () => void feed.showMore(),
        remove: (run) => void actions.remove(run),
        takeIn(file) {
          // What is wrong with it is said behind the menu.
          closeRunsMenu();
          void actions.takeIn(file);
        },
      }),
    });
  }

  function mainPart(now: number): TemplateResult {
    const { start } = starts;
    switch (route.page) {
      case "home":
        return html`${hero({ live: live?.element })} ${featuredExamples({ examples, start, waiting: feed.runs.find(isPausedHere) })}`;
      case "examples":
        return examplesList({ examples, tags: route.tags, choose, start });
      case "workflow":
        return aWorkflow(route.workflow);
      case "run":
        return aRun(now);
    }
  }

  function aWorkflow(name: string): TemplateResult {
    const example = examples.find(name);
    if (!example) return missingWorkflow();
    return workflowPage({
      example,
      startForm: starts.formOf(example),
      refusal: starts.refusalOf(name),
      tryHere: () => void starts.tryHere(example),
    });
  }

  function aRun(now: number): TemplateResult {
    if (open.missing !== undefined) return missingRun(open.missing);
    if (!open.shown || !runPage) return html`<p class="loading">Opening the run…</p>`;
    const { run, view } = open.shown;
    const { attempt, save, cancel, remove } = actions;
    const example = examples.find(view.workflow);
    return runPage.template({
      run,
      view,
      now,
      example,
      talk: isOfAgents(view) ? talk.element : undefined,
      startAgain: () => example && starts.start(example),
      save: () => void save(run),
      cancel: () => void cancel(run),
      stop: () => void attempt(() => run.stop()),
      remove: () => void remove(view),
    });
  }
}

/** One that was handed over waits elsewhere. */
function isPausedHere({ status, transferredTo }: RunHead): boolean {
  return status === "paused" && transferredTo === undefined;
}

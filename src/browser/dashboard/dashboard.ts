import { html, nothing, render, type TemplateResult } from "lit-html";
import { assertOptions } from "../../core/model/assert-options.ts";
import { errorData, isWorkflowError } from "../../core/model/errors.ts";
import type { RunView } from "../../core/model/view.ts";
import type { BulkFilter, Executor } from "../../core/run/run.ts";
import { adoptStyles } from "../elements/adopt-styles.ts";
import { bulkDialog } from "./bulk-dialog.ts";
import { aboutAll, aboutPicked, confirmCancel, confirmDelete } from "./confirm-actions.ts";
import { defineParts } from "./define-parts.ts";
import { findAll } from "./find-runs.ts";
import { frameTemplate } from "./frame.ts";
import { openRun, type OpenRun, ALL_RIGHTS, type DashboardRight } from "./open-run.ts";
import { parseRoute, runAddress, runsAddress, type Route, type RunsFilter } from "./route.ts";
import { runPage } from "./run-page.ts";
import { createRunsFeed } from "./runs-feed.ts";
import { runsPage } from "./runs-page.ts";
import { saveFile } from "./save-file.ts";
import { runStatusText } from "./status.ts";
import { DASHBOARD_STYLES } from "./styles.ts";

/** What a dashboard is made with. */
export interface DashboardOptions {
  /** Whose runs are shown: one of this page, or one behind a server. It stays open when the dashboard is closed. */
  readonly executor: Executor;
  /** What the person may do, with a run where one is named; what is not among it is not offered. Default: everything. */
  readonly rights?: (run?: string) => Promise<readonly DashboardRight[]>;
  /** What the runs belong to, in a few words. Default: nothing is said. */
  readonly place?: string;
  /** Offers to leave, and is called then. Default: that is not offered. */
  readonly signOut?: () => void;
}

/** A dashboard that stands in a page. */
export interface Dashboard {
  /** Takes it out of the page. */
  close(): void;
}

/** How often what is shown is read again, in milliseconds: stores in files are not notified of what other processes write. "2 minutes ago" goes on with it. */
const TICK_MS = 5_000;

/**
 * Shows the runs of an executor in an element of the page: lists by status, search, one run with all about it, and what can be done. It keeps where it is
 * in the part of the address behind `#`, and sets the title of the page.
 */
export function dashboard(root: HTMLElement, options: DashboardOptions): Dashboard {
  assertOptions("dashboard", options, { executor: true, rights: true, place: true, signOut: true });
  const { executor, place, signOut } = options;
  const readRights = async (run?: string): Promise<ReadonlySet<DashboardRight>> =>
    options.rights ? new Set(await options.rights(run)) : ALL_RIGHTS;
  let route = parseRoute(location.hash);
  let rights: ReadonlySet<DashboardRight> = new Set();
  let open: OpenRun | undefined;
  /** Why there is no run to show. */
  let missing: string | undefined;
  let problem: string | undefined;
  /** When the server could be reached last, where it cannot now. */
  let lostAt: number | undefined;
  let answering: string | undefined;
  let isBusy = false;
  let isDue = false;
  let focusAfter: (() => boolean) | undefined;
  let said = "";
  let picked: ReadonlySet<string> = new Set();
  let workflows: readonly string[] = [];
  const labels = new Map<string, string>();
  let leaveRuns: (() => void) | undefined;
  const ending = new AbortController();
  const feed = createRunsFeed(executor, {
    onChange: see,
    onProblem: report,
    onAnswer() {
      lostAt = undefined;
    },
  });

  defineParts();
  root.classList.add("wavepoint-dashboard");
  addEventListener("hashchange", moved, { signal: ending.signal });
  document.addEventListener("visibilitychange", follow, { signal: ending.signal });
  const tick = setInterval(look, TICK_MS);
  void begin();

  return {
    close() {
      ending.abort();
      clearInterval(tick);
      leave();
      leaveRuns?.();
      render(nothing, root);
      root.classList.remove("wavepoint-dashboard");
    },
  };

  async function begin(): Promise<void> {
    try {
      rights = await readRights();
    } catch (thrown) {
      report(thrown);
    }
    await go();
  }

  function moved(): void {
    const before = route;
    route = parseRoute(location.hash);
    for (const dialog of root.querySelectorAll("dialog")) dialog.close();
    const isSameRun = before.page === "run" && route.page === "run" && before.run === route.run;
    if (isSameRun) return draw();
    scrollTo({ top: 0 });
    focusAfter = focusHeading;
    void go();
  }

  function focusHeading(): boolean {
    const heading = root.querySelector<HTMLElement>("h1");
    heading?.focus({ preventScroll: true });
    return heading !== null;
  }

  /** Shows what the address names. */
  async function go(): Promise<void> {
    leave();
    problem = undefined;
    if (route.page === "runs") {
      picked = new Set();
      feed.show(route.filter);
      follow();
      return;
    }
    follow();
    draw();
    await show(route.run);
  }

  async function show(id: string): Promise<void> {
    const isHere = (): boolean => route.page === "run" && route.run === id && !ending.signal.aborted;
    try {
      const mine = await readRights(id);
      const opened = await openRun(executor, id, { rights: mine, onView, onRead: draw, onProblem: report });
      if (!isHere()) return opened.close();
      open = opened;
      lostAt = undefined;
      const { pauses } = opened.view;
      answering = mine.has("answer") && pauses.length === 1 ? pauses[0]!.id : undefined;
      follow();
    } catch (thrown) {
      if (!isHere()) return;
      missing = errorData(thrown, "STORE_FAILED").message;
    }
    draw();
  }

  function leave(): void {
    open?.close();
    open = undefined;
    missing = undefined;
    answering = undefined;
  }

  /** Listens to what is shown, and to nothing while the page is hidden: browsers open few connections to one server. */
  function follow(): void {
    const isSeen = document.visibilityState === "visible";
    open?.follow(isSeen);
    const wants = isSeen && route.page === "runs";
    if (wants && !leaveRuns) {
      leaveRuns = executor.runs.watch((run) => feed.changed(run));
      if (feed.page) void feed.refresh();
    } else if (!wants) {
      leaveRuns?.();
      leaveRuns = undefined;
    }
  }

  /** Reads again what is shown, as long as someone may be looking. */
  function look(): void {
    draw();
    if (document.visibilityState === "hidden") return;
    if (route.page === "runs") feed.changed(undefined);
    else if (open) void open.run.refresh().catch(report);
  }

  function onView(view: RunView): void {
    if (view.error?.code === "STORE_UNREACHABLE") lostAt ??= Date.now();
    else lostAt = undefined;
    const status = runStatusText(view);
    if (said !== "" && said !== status) announce(`The run is now: ${status}.`);
    said = status;
    if (answering !== undefined && !view.pauses.some(({ id }) => id === answering) && view.status !== "running") {
      answering = view.pauses.length === 1 ? view.pauses[0]!.id : undefined;
    }
    draw();
  }

  function announce(text: string): void {
    const region = root.querySelector(".announcer");
    if (region) region.textContent = text;
  }

  function see(): void {
    const names = new Set([...workflows, ...(feed.page?.items.map(({ workflow }) => workflow) ?? [])]);
    workflows = [...names].toSorted();
    for (const { id, label } of feed.page?.items ?? []) if (label !== undefined) labels.set(id, label);
    draw();
  }

  function report(thrown: unknown): void {
    if (ending.signal.aborted) return;
    const { code, message } = errorData(thrown, "STORE_FAILED");
    if (code === "STORE_UNREACHABLE") lostAt ??= Date.now();
    else problem = code === "ACCESS_DENIED" ? `You may not do this. ${message}` : message;
    draw();
  }

  async function attempt(act: () => Promise<unknown>): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    problem = undefined;
    draw();
    try {
      await act();
    } catch (thrown) {
      report(thrown);
    } finally {
      isBusy = false;
      draw();
    }
  }

  /** A run id opens its run; all else is looked for in the list. */
  async function find(filter: RunsFilter): Promise<void> {
    if (filter.find?.startsWith("run_")) {
      try {
        await executor.open(filter.find);
        location.hash = runAddress(filter.find);
        return;
      } catch (thrown) {
        if (!isWorkflowError(thrown) || (thrown.code !== "RUN_NOT_FOUND" && thrown.code !== "ACCESS_DENIED")) report(thrown);
      }
    }
    location.hash = runsAddress(filter);
  }

  async function bulk(of: "picked" | "all", filter: RunsFilter): Promise<void> {
    const runs = [...picked];
    const isDone = await bulkDialog({
      root,
      executor,
      rights,
      about: of === "picked" ? aboutPicked(runs.length) : aboutAll(filter),
      status: filter.status,
      filter: async (signal): Promise<BulkFilter> => (of === "picked" ? { runs } : findAll(executor, filter, signal)),
    });
    if (!isDone) return;
    picked = new Set();
    void feed.refresh();
  }

  async function cancel({ run, view }: OpenRun): Promise<void> {
    const reason = await confirmCancel(root, view.workflow);
    if (reason !== undefined) await attempt(() => run.cancel(reason === "" ? {} : { reason }));
  }

  async function remove({ run, view }: OpenRun): Promise<void> {
    if (!(await confirmDelete(root, view.workflow))) return;
    await attempt(async () => {
      open?.follow(false);
      await executor.runs.delete(run.id);
      location.hash = runsAddress();
    });
    follow();
  }

  function draw(): void {
    if (isDue || ending.signal.aborted) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      if (ending.signal.aborted) return;
      adoptStyles(root, DASHBOARD_STYLES);
      render(frame(), root);
      document.title = titleOf(route);
      if (focusAfter?.()) focusAfter = undefined;
    });
  }

  function titleOf(shown: Route): string {
    if (shown.page === "runs") return "Runs · Wavepoint";
    return open ? `${open.view.workflow} (${runStatusText(open.view)}) · Wavepoint` : "Run · Wavepoint";
  }

  function frame(): TemplateResult {
    const now = Date.now();
    return frameTemplate({
      place,
      signOut,
      now,
      lostAt,
      problem,
      page: route.page === "runs" ? listPart(route.filter, now) : runPart(route.run, route.part, now),
      tryNow: () => void (route.page === "runs" ? feed.refresh() : go()),
      dismiss() {
        problem = undefined;
        draw();
      },
    });
  }

  function listPart(filter: RunsFilter, now: number): TemplateResult {
    return runsPage({
      filter,
      page: feed.page,
      isReading: feed.isReading,
      rights,
      now,
      workflows,
      picked,
      pick(runs, isPicked) {
        const next = new Set(picked);
        for (const run of runs) {
          if (isPicked) next.add(run);
          else next.delete(run);
        }
        picked = next;
        draw();
      },
      find: (wanted) => void find(wanted),
      bulk: (of) => void bulk(of, filter),
      next: feed.next,
      previous: feed.previous,
    });
  }

  function runPart(id: string, part: string, now: number): TemplateResult {
    if (missing !== undefined) {
      return html`<section>
        <nav aria-label="Where you are"><a href=${runsAddress()}>All runs</a></nav>
        <h1 tabindex="-1">This run is not here</h1>
        <p><code>${id}</code></p>
        <p>${missing}</p>
      </section>`;
    }
    if (!open) return html`<p class="hint">Opening the run…</p>`;
    const shown = open;
    const { run } = shown;
    return runPage({
      executor,
      open: shown,
      now,
      label: labels.get(run.id),
      part,
      answering,
      isBusy,
      choosePart(name) {
        history.replaceState(null, "", runAddress(id, name));
        route = parseRoute(location.hash);
        draw();
      },
      answer(pause) {
        answering = pause;
        draw();
      },
      resume: () => void attempt(() => run.resume()),
      stop: () => void attempt(() => run.stop()),
      cancel: () => void cancel(shown),
      save: () => void attempt(async () => saveFile(`${run.id}.run`, await executor.runs.export(run.id, { drafts: true }))),
      remove: () => void remove(shown),
      openRun(other) {
        location.hash = runAddress(other.id);
      },
      onProblem: report,
    });
  }
}

import { html, nothing, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import type { Executor, RevisionPreview, Run, RunView } from "wavepoint";
import { agoText, defineParts, tabs } from "wavepoint/dashboard";
import type { Example } from "../examples.ts";
import { statusBadge } from "../parts/status-badge.ts";
import { yamlText } from "../parts/yaml-source.ts";
import { EXAMPLES, runAddress } from "../router.ts";
import { titleOf } from "../wording.ts";
import { followAway } from "./away.ts";
import { holdHeight } from "./hold-height.ts";
import { moreMenu } from "./more-menu.ts";
import { followPast, type Past } from "./past.ts";
import { scrubber } from "./scrubber.ts";
import { stage } from "./stage.ts";

/** The page of one run at a time. */
export interface RunPage {
  template(props: RunPageProps): TemplateResult;
  /** Ends what follows the run that was shown last. */
  close(): void;
}

interface RunPageOptions {
  readonly executor: Executor;
  /** What is shown changed. */
  onChange(): void;
  /** Something could not be read. */
  onProblem(thrown: unknown): void;
  /** What the person did could not be done. */
  onRefused(thrown: unknown): void;
  /** Something went wrong, and the question says so itself. */
  onSaid(thrown: unknown): void;
  /** Shows the page of another run. */
  openRun(run: string): void;
  /** The run was handed over to a server, and the page says so. */
  onSent(): void;
  /** Shows the text of the workflow where it can be changed. */
  edit(): void;
}

interface RunPageProps {
  readonly run: Run;
  readonly view: RunView;
  readonly now: number;
  /** The workflow, where the page knows it. */
  readonly example?: Example | undefined;
  /** The conversation of its agent, where it has one. */
  readonly talk: HTMLElement | undefined;
  /** Saves the run as a file. */
  save(): void;
  startAgain(): void;
  cancel(): void;
  stop(): void;
  remove(): void;
}

/** Makes the page that shows everything about one run: what it asks, its graph, its past, and below that the rest in a dock. */
export function createRunPage(options: RunPageOptions): RunPage {
  const { executor, onChange, onProblem, onRefused, onSaid, openRun, onSent, edit } = options;
  defineParts();
  const away = followAway({ executor, onChange, onProblem: onRefused, onSent, openRun });
  let past: Past | undefined;
  let followed: Run | undefined;
  let hold = holdHeight();
  let preview: RevisionPreview | undefined;
  let tab = "timeline";
  let renderer: string | undefined;

  return { template, close };

  function close(): void {
    past?.close();
    away.close();
    [past, followed, preview] = [undefined, undefined, undefined];
  }

  function follow({ run }: RunPageProps): Past {
    if (run !== followed || !past) {
      close();
      followed = run;
      hold = holdHeight();
      past = followPast(run, executor, { onChange, onProblem });
    }
    return past;
  }

  function template(props: RunPageProps): TemplateResult {
    const { view, now, run, example } = props;
    const followedPast = follow(props);
    const { shown } = followedPast;
    // Where it is at a server that this page has called, it is shown as it is there.
    const there = away.there(view);
    const current = there ? { run: there.run, view: there.run.getSnapshot() } : { run, view };
    // With the lines between its blocks, where the page knows the definition that the run goes on with.
    const workflow = view.outdated ? undefined : example?.workflow;
    return html`<article class="run" ?data-begins=${begins(view)} aria-labelledby="run-title">
      <header class="run-head">
        <nav aria-label="Where you are"><a href=${EXAMPLES}>Examples</a></nav>
        <div class="run-title">
          <h1 id="run-title" tabindex="-1">${titleOf(view.workflow)}</h1>
          ${statusBadge(current.view)}
          <p class="quiet">
            ${began(view)} <time datetime=${new Date(view.createdAt).toISOString()}>${agoText(view.createdAt, now)}</time>${origin(view)}
          </p>
        </div>
        ${actions(props, () => void away.handOver(run))}
      </header>
      <div class="run-screen">
        <div class="run-stage" ${ref(hold)}>
          ${props.talk} ${away.template(run, view)}
          ${stage({
            ...current,
            renderer,
            chooseRenderer(name) {
              renderer = name;
              onChange();
            },
            onProblem: onRefused,
            onSaid,
            onPreview(next) {
              preview = next;
              onChange();
            },
          })}
        </div>
        <div class="run-side">
          <section class="run-map card" aria-label="Graph" ?data-past=${shown !== undefined}>
            <wavepoint-waves
              .run=${current.run}
              .workflow=${workflow}
              .executor=${there?.executor ?? executor}
              .checkpoint=${shown}
              .preview=${preview}
            ></wavepoint-waves>
            ${scrubber({ past: followedPast, now, fork })}
          </section>
          ${dock(props, followedPast)}
        </div>
      </div>
    </article>`;
  }

  function dock({ run, example }: RunPageProps, { shown }: Past): TemplateResult {
    const opened = ({ detail }: CustomEvent<{ readonly run: Run }>): void => openRun(detail.run.id);
    const problem = ({ detail }: CustomEvent<{ readonly error: unknown }>): void => onProblem(detail.error);
    return tabs({
      id: "run-view",
      label: "More about this run",
      open: tab,
      choose(name) {
        tab = name;
        onChange();
      },
      tabs: [
        {
          name: "timeline",
          title: "Timeline",
          panel: () =>
            html`<wavepoint-timeline
              .run=${run}
              .workflow=${example?.workflow}
              .nameOf=${titleOf}
              .addressOf=${runAddress}
              @wavepoint-problem=${problem}
            ></wavepoint-timeline>`,
        },
        {
          name: "data",
          title: "Data",
          panel: () =>
            html`<wavepoint-data .run=${run} .checkpoint=${shown} .nameOf=${titleOf} @wavepoint-problem=${problem}></wavepoint-data>`,
        },
        {
          name: "journal",
          title: "Journal",
          panel: () => html`<wavepoint-journal .run=${run} @wavepoint-problem=${problem}></wavepoint-journal>`,
        },
        ...(example ? [{ name: "yaml", title: "YAML", panel: () => yaml(example) }] : []),
        {
          name: "history",
          title: "History",
          panel: () =>
            html`<wavepoint-history
              .run=${run}
              .executor=${executor}
              @wavepoint-run-changed=${opened}
              @wavepoint-problem=${problem}
            ></wavepoint-history>`,
        },
      ],
    });
  }

  function yaml({ workflow, readSource }: Example): TemplateResult {
    return html`<div class="row-actions"><button class="button small" type="button" data-edit @click=${edit}>Edit it</button></div>
      ${yamlText(readSource, workflow.name)}`;
  }

  function fork(checkpoint: string): void {
    executor.fork(checkpoint).then((run) => openRun(run.id), onRefused);
  }
}

/** Whether nothing came of a run yet. */
function begins({ status, waves }: RunView): boolean {
  return (
    status === "running" && waves.every(({ blocks }) => blocks.every((block) => block.status === "pending" || block.status === "running"))
  );
}

function actions({ view, save, startAgain, cancel, stop, remove, example }: RunPageProps, handOver: () => void): TemplateResult {
  const isOpen = view.status === "running" || view.status === "paused";
  const isMovable = view.status === "paused" && !view.parent && view.transferredTo === undefined;
  return html`<div class="run-actions row-actions" role="group" aria-label="This run">
    ${isOpen || !example ? nothing : html`<button class="button small" type="button" @click=${startAgain}>Start another</button>`}
    ${view.status === "running" ? html`<button class="button small" type="button" @click=${stop}>Stop<span class="run-stop-rest"> for now</span></button>` : nothing}
    ${isMovable ? html`<button class="button small quiet-button" type="button" aria-label="Hand over to a server" @click=${handOver}>Hand over</button>` : nothing}
    ${moreMenu([
      // While a question waits, the menu of that has it.
      ...(view.status === "running" || view.reason ? [{ text: "Cancel run…", act: cancel }] : []),
      ...(view.parent ? [] : [{ text: "Export as a file", act: save }]),
      { text: "Delete run…", act: remove },
    ])}
  </div>`;
}

/** As short for a fork, so that the way there moves nothing that stands below. */
function began({ fork }: RunView): TemplateResult | string {
  return fork ? html`<a href=${runAddress(fork.run)} aria-label="Forked from another run">Forked</a>` : "Started";
}

function origin({ parent, previous }: RunView): TemplateResult | typeof nothing {
  if (parent) return html`, called by <a href=${runAddress(parent.run)}>${titleOf(parent.block)}</a> of another run`;
  if (previous) return html`, goes on from <a href=${runAddress(previous.run)}>another run</a>`;
  return nothing;
}

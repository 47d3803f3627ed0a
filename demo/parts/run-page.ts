import { html, nothing, type TemplateResult } from "lit-html";
import type { Executor, Run, RunView, Values, Workflow } from "wavepoint";
import type { Example } from "../examples.ts";
import { EXAMPLES, runAddress } from "../router.ts";
import { agoText, titleOf } from "../wording.ts";
import { filesList } from "./files-list.ts";
import { progressWave } from "./progress-wave.ts";
import { stage } from "./stage.ts";
import { statusBadge } from "./status-badge.ts";
import { tabs } from "./tabs.ts";
import { wavesBoard } from "./waves-board.ts";
import { workflowGraph } from "./workflow-graph.ts";
import { yamlSource } from "./yaml-source.ts";

interface RunPageProps {
  readonly run: Run;
  readonly executor: Executor;
  readonly view: RunView;
  readonly now: number;
  readonly outputs: ReadonlyMap<string, Values>;
  /** The workflow, where the page knows it. */
  readonly example?: Example | undefined;
  /** The name of the library that draws the questions. */
  readonly renderer: string;
  chooseRenderer(name: string): void;
  /** The view of the run that is open below its stage. */
  readonly tab: string;
  chooseTab(name: string): void;
  /** The conversation of its agent, where it has one. */
  readonly talk: HTMLElement | undefined;
  /** Shows the page of another run. */
  openRun(run: string): void;
  onProblem(thrown: unknown): void;
  /** Saves the run as a file. */
  save(): void;
  startAgain(): void;
  cancel(): void;
  stop(): void;
  goOn(): void;
  remove(): void;
}

/** Everything about one run. */
export function runPage(props: RunPageProps): TemplateResult {
  const { view, now, run, executor, example } = props;
  const opened = ({ detail }: CustomEvent<{ readonly run: Run }>): void => props.openRun(detail.run.id);
  const problem = ({ detail }: CustomEvent<{ readonly error: unknown }>): void => props.onProblem(detail.error);
  return html`<article class="run" ?data-begins=${begins(view)} aria-labelledby="run-title">
    <header class="run-head">
      <nav aria-label="Where you are"><a href=${EXAMPLES}>Examples</a></nav>
      <div class="run-title">
        <h1 id="run-title" tabindex="-1">${titleOf(view.workflow)}</h1>
        ${statusBadge(view)}
      </div>
      <p class="quiet">
        Started <time datetime=${new Date(view.createdAt).toISOString()}>${agoText(view.createdAt, now)}</time>${origin(view)}
      </p>
      ${progressWave(view)}
    </header>
    ${props.talk} ${stage(props)} ${actions(props)}
    ${tabs({
      id: "run-view",
      label: "More about this run",
      open: props.tab,
      choose: props.chooseTab,
      tabs: [
        { name: "waves", title: "Waves", panel: () => waves(props) },
        { name: "blocks", title: "Blocks", panel: () => wavesBoard({ ...props, attempts: attemptsOf(example?.workflow) }) },
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
        ...(view.files ? [{ name: "files", title: "Files", panel: () => filesList(run, view.files!) }] : []),
        ...(example ? [{ name: "definition", title: "Definition", panel: () => definition(example) }] : []),
      ],
    })}
  </article>`;
}

/** Whether nothing came of a run yet. */
function begins({ status, waves }: RunView): boolean {
  return (
    status === "running" && waves.every(({ blocks }) => blocks.every((block) => block.status === "pending" || block.status === "running"))
  );
}

/** With the lines between its blocks, where the page knows the definition that the run goes on with. */
function waves({ run, view, example, executor }: RunPageProps): TemplateResult {
  const workflow = view.outdated ? undefined : example?.workflow;
  return html`<wavepoint-waves .run=${run} .workflow=${workflow} .executor=${executor}></wavepoint-waves>`;
}

function actions({ view, save, startAgain, cancel, stop, goOn, remove, example }: RunPageProps): TemplateResult {
  const isOpen = view.status === "running" || view.status === "paused";
  return html`<div class="run-actions row-actions" role="group" aria-label="This run">
    ${isOpen || !example ? nothing : html`<button class="button small" type="button" @click=${startAgain}>Start another</button>`}
    ${view.status === "running" ? html`<button class="button small" type="button" @click=${stop}>Stop for now</button>` : nothing}
    ${view.reason ? html`<button class="button small" type="button" @click=${goOn}>Go on</button>` : nothing}
    ${view.status === "running" || view.reason ? html`<button class="button small" type="button" @click=${cancel}>Cancel run</button>` : nothing}
    ${view.parent ? nothing : html`<button class="button small" type="button" @click=${save}>Save as a file</button>`}
    <button class="button small quiet-button" type="button" @click=${remove}>Delete run</button>
  </div>`;
}

function definition({ workflow, readSource }: Example): TemplateResult {
  return html`${workflowGraph(workflow)} ${yamlSource(readSource, workflow.name)}`;
}

function attemptsOf(workflow: Workflow | undefined): ReadonlyMap<string, number> {
  return new Map(workflow?.blocks.flatMap(({ id, retry }) => (retry ? [[id, retry.maxAttempts] as const] : [])));
}

function origin({ parent, fork, previous }: RunView): TemplateResult | typeof nothing {
  if (parent) return html`, called by <a href=${runAddress(parent.run)}>${titleOf(parent.block)}</a> of another run`;
  if (previous) return html`, goes on from <a href=${runAddress(previous.run)}>another run</a>`;
  if (fork) return html`, forked from <a href=${runAddress(fork.run)}>another run</a>`;
  return nothing;
}

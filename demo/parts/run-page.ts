import { html, nothing, type TemplateResult } from "lit-html";
import type { CheckpointInfo, Pause, ReviewItem, RunTree, RunView, Values, Workflow } from "wavepoint";
import type { Example } from "../examples.ts";
import type { AnsweredItem, Change } from "../revising.ts";
import { runAddress } from "../router.ts";
import { agoText, titleOf } from "../wording.ts";
import { checkpointsList } from "./checkpoints-list.ts";
import { progressWave } from "./progress-wave.ts";
import type { QuestionProps } from "./question.ts";
import { reviewList } from "./review-list.ts";
import { stage } from "./stage.ts";
import { statusBadge } from "./status-badge.ts";
import { versionsList } from "./versions-list.ts";
import { wavesBoard } from "./waves-board.ts";
import { workflowGraph } from "./workflow-graph.ts";
import { yamlSource } from "./yaml-source.ts";

interface RunPageProps {
  readonly view: RunView;
  readonly now: number;
  readonly outputs: ReadonlyMap<string, Values>;
  readonly checkpoints: readonly CheckpointInfo[];
  readonly review: readonly ReviewItem[];
  readonly tree: RunTree | undefined;
  readonly change: Change | undefined;
  beginChange(item: AnsweredItem): void;
  leaveChange(): void;
  /** The workflow, where the page knows it. */
  readonly example?: Example | undefined;
  questionProps(pause: Pause): QuestionProps;
  readonly isGoingOn: boolean;
  readonly back: (() => void) | undefined;
  goOn(): void;
  /** Saves the run as a file. */
  save(): void;
  startAgain(): void;
  cancel(): void;
  remove(): void;
  fork(checkpoint: CheckpointInfo): void;
  removeCheckpoint(checkpoint: CheckpointInfo): void;
}

/** Everything about one run. */
export function runPage(props: RunPageProps): TemplateResult {
  const { view, now } = props;
  const isOpen = view.status === "running" || view.status === "paused";
  return html`<article class="run" aria-labelledby="run-title">
    <header class="run-head">
      <nav aria-label="Where you are"><a href="#/">Examples</a></nav>
      <div class="run-title">
        <h1 id="run-title" tabindex="-1">${titleOf(view.workflow)}</h1>
        ${statusBadge(view.status)}
        <div class="row-actions">
          ${isOpen ? html`<button class="button small" type="button" @click=${props.cancel}>Cancel run</button>` : nothing}
          ${view.parent ? nothing : html`<button class="button small" type="button" @click=${props.save}>Save as a file</button>`}
          <button class="button small quiet-button" type="button" @click=${props.remove}>Delete run</button>
        </div>
      </div>
      <p class="quiet">
        Started <time datetime=${new Date(view.createdAt).toISOString()}>${agoText(view.createdAt, now)}</time>${origin(view)}
      </p>
      ${progressWave(view)}
    </header>
    ${stage(props)}
    ${view.parent ? nothing : reviewList({ review: props.review, change: props.change, begin: props.beginChange, leave: props.leaveChange })}
    ${wavesBoard({ ...props, attempts: attemptsOf(props.example?.workflow) })}
    <div class="run-more">
      ${checkpointsList({
        checkpoints: props.checkpoints,
        now,
        open: new Set(view.pauses.map((pause) => pause.id)),
        fork: props.fork,
        remove: props.removeCheckpoint,
      })}
      ${versionsList(props.tree, view.id)}
      ${
        props.example === undefined
          ? nothing
          : html`<section class="card" aria-labelledby="source-title">
              <h2 id="source-title">Definition</h2>
              <details class="graph-details">
                <summary>See the graph</summary>
                ${workflowGraph(props.example.workflow)}
              </details>
              ${yamlSource(props.example.source, view.workflow)}
            </section>`
      }
    </div>
  </article>`;
}

function attemptsOf(workflow: Workflow | undefined): ReadonlyMap<string, number> {
  return new Map(workflow?.blocks.flatMap(({ id, retry }) => (retry ? [[id, retry.maxAttempts] as const] : [])));
}

function origin({ parent, fork }: RunView): TemplateResult | typeof nothing {
  if (parent) return html`, called by <a href=${runAddress(parent.run)}>${titleOf(parent.block)}</a> of another run`;
  if (fork) return html`, ${fork.revises ? "changed" : "forked"} from <a href=${runAddress(fork.run)}>another run</a>`;
  return nothing;
}

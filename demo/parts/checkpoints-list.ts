import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { CheckpointInfo } from "wavepoint";
import { questionText } from "../question-text.ts";
import { agoText, titleOf } from "../wording.ts";

interface CheckpointsListProps {
  readonly checkpoints: readonly CheckpointInfo[];
  readonly now: number;
  /** The ids of the questions that still wait. */
  readonly open: ReadonlySet<string>;
  fork(checkpoint: CheckpointInfo): void;
  remove(checkpoint: CheckpointInfo): void;
}

/** The places a run can go on from, newest first. */
export function checkpointsList(props: CheckpointsListProps): TemplateResult {
  return html`<section class="checkpoints card" aria-labelledby="checkpoints-title">
    <h2 id="checkpoints-title">Checkpoints</h2>
    <p class="quiet">Each is a safe place. A fork is a new run that shares the past up to there.</p>
    ${
      props.checkpoints.length === 0
        ? html`<p class="quiet">None yet.</p>`
        : html`<ol reversed>
            ${repeat(
              props.checkpoints,
              (checkpoint) => checkpoint.id,
              (checkpoint) => checkpointRow(checkpoint, props),
            )}
          </ol>`
    }
  </section>`;
}

function checkpointRow(checkpoint: CheckpointInfo, { now, open, fork, remove }: CheckpointsListProps): TemplateResult {
  const name = checkpointName(checkpoint);
  return html`<li class="checkpoint" data-kind=${checkpoint.kind} data-checkpoint=${checkpoint.id}>
    <div class="checkpoint-text">
      <strong>${name}</strong>
      ${checkpoint.pausePrompt ? html`<span class="checkpoint-prompt">${questionText({ prompt: checkpoint.pausePrompt })}</span>` : nothing}
      <span class="quiet"
        >${Math.round(checkpoint.progressPercentage)} % done,
        <time datetime=${new Date(checkpoint.createdAt).toISOString()}>${agoText(checkpoint.createdAt, now)}</time
        >${open.has(checkpoint.id) ? ", waits for an answer" : ""}</span
      >
    </div>
    <div class="row-actions">
      <button class="button small" type="button" aria-label=${`Fork from here: ${name}`} @click=${() => fork(checkpoint)}>
        Fork from here
      </button>
      <button class="button small quiet-button" type="button" aria-label=${`Delete: ${name}`} @click=${() => remove(checkpoint)}>
        Delete
      </button>
    </div>
  </li>`;
}

/** What a checkpoint is called: after which wave, or which block's question. */
export function checkpointName(checkpoint: CheckpointInfo): string {
  if (checkpoint.kind === "wave") return `After wave ${checkpoint.currentWave + 1} of ${checkpoint.totalWaves}`;
  return checkpoint.pausedBlock ? `Question of ${titleOf(checkpoint.pausedBlock)}` : "Question";
}

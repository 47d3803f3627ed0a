import { html, nothing, type TemplateResult } from "lit-html";
import type { CheckpointInfo, ListedCheckpoint, RunTree } from "wavepoint";
import { runAddress } from "../router.ts";
import { agoText, instantText } from "wavepoint/dashboard";
import { runStatusText } from "../wording.ts";
import type { Past } from "./past.ts";

interface ScrubberProps {
  readonly past: Past;
  readonly now: number;
  /** Makes a new run that begins at this checkpoint. */
  fork(checkpoint: string): void;
}

/** Forks that are drawn, the newest of them. */
const DRAWN_FORKS = 4;

/** A line of the checkpoints of a run: moving its handle shows how the run stood there, and from there another run can begin. */
export function scrubber({ past, now, fork }: ScrubberProps): TemplateResult {
  const { checkpoints, place, forks } = past;
  const last = checkpoints.length;
  // The first checkpoint comes by itself: its room is there before.
  if (last === 0) return html`<div class="scrubber" aria-hidden="true"></div>`;
  const share = (at: number): number => at / last;
  const here = checkpoints[place];
  const text = here ? nameOf(here, past.shown) : "Now";
  const from = here ?? checkpoints.at(-1)!;
  return html`<div class="scrubber" role="group" aria-label="The past of this run">
    <p class="scrubber-handle" .style=${`--at: ${share(place)}`}>
      <span class="scrubber-text">${text}${here ? html` <span class="quiet">${instantText(here.createdAt, now)}</span>` : nothing}</span>
      <button class="text-button" type="button" data-fork @click=${() => fork(from.id)}>Fork here</button>
      ${here ? html`<button class="text-button" type="button" data-now @click=${() => past.look(last)}>Back to now</button>` : nothing}
    </p>
    <div class="scrubber-line">
      ${checkpoints.map(
        ({ kind, superseded }, at) =>
          html`<span class="tick" data-kind=${kind} ?data-superseded=${superseded} .style=${`--at: ${share(at)}`}></span>`,
      )}
      <input
        type="range"
        min="0"
        max=${last}
        step="1"
        .value=${String(place)}
        aria-label="Checkpoint"
        aria-valuetext=${text}
        @input=${(event: Event) => past.look(Number((event.target as HTMLInputElement).value))}
      />
    </div>
    ${
      forks.length === 0
        ? nothing
        : html`<ul class="forks" aria-label="Forks of this run">
            ${forks.slice(-DRAWN_FORKS).map((branch) => forkLine(branch, checkpoints, now))}
          </ul>`
    }
  </div>`;
}

/** A fork, hanging from the checkpoint where it begins. */
function forkLine({ run, status, checkpoint, createdAt }: RunTree, checkpoints: readonly ListedCheckpoint[], now: number): TemplateResult {
  // It may begin before what is listed.
  const at = Math.max(
    0,
    checkpoints.findIndex(({ id }) => id === checkpoint),
  );
  const share = at / checkpoints.length;
  const words = `Fork, ${agoText(createdAt, now)}`;
  return html`<li class="fork" data-run=${run} ?data-late=${share > 0.5} .style=${`--at: ${share}`}>
    ${status === "deleted" ? html`<span>${words}</span>` : html`<a href=${runAddress(run)}>${words}</a>`}
    <span class="quiet">${status === "deleted" ? "deleted" : runStatusText({ status })}</span>
  </li>`;
}

function nameOf({ kind, prompt, metadata }: ListedCheckpoint, info: CheckpointInfo | undefined): string {
  if (kind === "pause") return prompt?.split("\n")[0] ?? "A question";
  if (kind === "requested") return `Asked for by ${String(metadata?.["block"] ?? "a block")}`;
  return info ? `After wave ${info.currentWave + 1}` : "After a wave";
}

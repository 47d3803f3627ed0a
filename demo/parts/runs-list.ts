import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { RunHead } from "wavepoint";
import { agoText } from "wavepoint/dashboard";
import { runAddress } from "../router.ts";
import { RUN_FILE_ENDING } from "../run-files.ts";
import { titleOf } from "../wording.ts";
import { statusBadge } from "./status-badge.ts";

interface RunsListProps {
  readonly runs: readonly RunHead[];
  /** The run that is open. */
  readonly current?: string | undefined;
  readonly now: number;
  /** Whether there are older runs that are not listed yet. */
  readonly hasMore: boolean;
  showMore(): void;
  remove(run: RunHead): void;
  /** Takes in a run that was saved as a file. */
  takeIn(file: File): void;
}

/** The runs of this browser, newest first: status, workflow, when, and what is asked. */
export function runsList(props: RunsListProps): TemplateResult {
  return html`<section class="runs" aria-labelledby="runs-title">
    <h2 id="runs-title">Your runs</h2>
    ${
      props.runs.length === 0
        ? html`<p class="quiet">Nothing has run yet. What you start stays here, through reloads and restarts.</p>`
        : html`<ul>
            ${repeat(
              props.runs,
              (run) => run.id,
              (run) => runRow(run, props),
            )}
          </ul>`
    }
    ${props.hasMore ? html`<button class="button" type="button" @click=${() => props.showMore()}>Show older runs</button>` : nothing}
    <label class="take-in button small">
      Open a saved run
      <input type="file" accept=${RUN_FILE_ENDING} @change=${take} />
    </label>
  </section>`;

  function take(event: Event): void {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    // The same file may be chosen again.
    input.value = "";
    if (file) props.takeIn(file);
  }
}

function runRow(run: RunHead, { current, now, remove }: RunsListProps): TemplateResult {
  // What was handed over asks elsewhere.
  const asked = run.transferredTo === undefined ? run.pauses[0] : undefined;
  const title = run.label ?? titleOf(run.workflow);
  return html`<li class="run-row" data-run=${run.id}>
    <a href=${runAddress(run.id)} aria-current=${run.id === current ? "page" : nothing}>
      <strong>${title}</strong>
      ${
        asked
          ? html`<span class="run-row-asks"
              >${asked.prompt}${run.pauses.length > 1 ? html` <em>and ${run.pauses.length - 1} more</em>` : nothing}</span
            >`
          : nothing
      }
      <span class="run-row-foot"
        >${statusBadge(run)}<time class="quiet" datetime=${new Date(run.changedAt).toISOString()}
          >${agoText(run.changedAt, now)}</time
        ></span
      >
    </a>
    <button
      class="icon-button"
      type="button"
      aria-label=${`Delete the run of ${title}, ${agoText(run.changedAt, now)}`}
      @click=${() => remove(run)}
    >
      <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="m6 6 8 8m0-8-8 8" /></svg>
    </button>
  </li>`;
}

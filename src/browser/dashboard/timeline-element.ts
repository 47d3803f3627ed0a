import { html, nothing, svg, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Step } from "../../core/model/run.ts";
import type { RunView } from "../../core/model/view.ts";
import { adoptStyles } from "../elements/adopt-styles.ts";
import { WavepointElement } from "../elements/element-base.ts";
import { createReader, type Reader } from "./reader.ts";
import { PART_STYLES } from "./part-styles.ts";
import { statusIcon } from "./status-icon.ts";
import { timelineOf, type Timeline, type TimelineRow, type TimeScale } from "./timeline.ts";
import { blockStatusText, durationText } from "./wording.ts";

/** Rows that are drawn at first, and that each "more" adds. */
const ROWS = 200;
/** How often the bars of what executes grow, in milliseconds. */
const TICK_MS = 1_000;
/** A timeline of which less than this share was spent executing begins without the time that the run waited. */
const MOSTLY_WAITED = 0.5;
/** Units of the drawing across, and the least that a bar has of them so that it is seen. */
const ACROSS = 1_000;
const LEAST = 4;

/** `<wavepoint-timeline>`: what a run executed, when each block began, and where the time went. */
export class WavepointTimeline extends WavepointElement {
  #reader: Reader<readonly Step[]> | undefined;
  #shown = ROWS;
  #scale: TimeScale | undefined;
  #tick: ReturnType<typeof setTimeout> | undefined;

  protected override follow(): void {
    this.#reader?.end();
    const { run } = this;
    this.#reader =
      run && createReader({ read: () => run.steps(), onRead: () => this.requestDraw(), attempt: (act) => void this.attempt(act) });
    this.#shown = ROWS;
    this.#scale = undefined;
    super.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reader?.end();
    clearTimeout(this.#tick);
  }

  protected override drawn(): void {
    adoptStyles(this, PART_STYLES);
    if (!this.run) return;
    const view = this.run.getSnapshot();
    this.#reader?.look(view);
    clearTimeout(this.#tick);
    if (isMoving(view)) this.#tick = setTimeout(() => this.requestDraw(), TICK_MS);
  }

  protected override template(): TemplateResult | typeof nothing {
    const steps = this.#reader?.value;
    if (!this.run || !steps) return html`<p part="hint">Reading what was executed…</p>`;
    const view = this.run.getSnapshot();
    const line = timelineOf(view, steps, Date.now());
    if (line.rows.length === 0) return html`<p part="hint">Nothing was executed yet.</p>`;
    const whole = line.endedAt - line.startedAt;
    const scale = this.#scale ?? (line.activeMs < whole * MOSTLY_WAITED ? "active" : "clock");
    const longest = line.rows.reduce((most, row) => (row.tookMs > most.tookMs ? row : most));
    const rest = line.rows.length - this.#shown;
    return html`<div part="timeline-head">
        <p part="timeline-sum">
          <b>${durationText(whole)}</b> from the first block to the last, <b>${durationText(line.activeMs)}</b> of it executing. The longest
          was <b>${longest.name}</b> with ${durationText(longest.tookMs)}.
        </p>
        <label part="check">
          <input
            type="checkbox"
            .checked=${scale === "active"}
            @change=${(event: Event) => {
              this.#scale = (event.target as HTMLInputElement).checked ? "active" : "clock";
              this.requestDraw();
            }}
          />
          <span>Leave out the time in which nothing executed</span>
        </label>
      </div>
      <ol part="timeline" aria-label="Executions, in the order in which they began">
        ${repeat(line.rows.slice(0, this.#shown), keyOf, (row) => rowTemplate(row, line, scale))}
      </ol>
      ${
        rest > 0
          ? html`<button
              type="button"
              part="button"
              @click=${() => {
                this.#shown += ROWS;
                this.requestDraw();
              }}
            >
              Show ${Math.min(rest, ROWS)} more of ${rest}
            </button>`
          : nothing
      }`;
  }
}

function keyOf({ name, iteration = 1, startedAt }: TimelineRow): string {
  return `${name} ${iteration} ${startedAt}`;
}

function isMoving({ waves, status }: RunView): boolean {
  return status === "running" && waves.some(({ blocks }) => blocks.some((block) => block.status === "running"));
}

function rowTemplate(row: TimelineRow, line: Timeline, scale: TimeScale): TemplateResult {
  const { name, status, startedAt, endedAt, tookMs, iteration, error } = row;
  const waited = endedAt - startedAt - tookMs;
  return html`<li part="timeline-row" data-status=${status}>
    <span part="timeline-name"
      >${statusIcon(status)}<b>${name}</b>${iteration === undefined ? nothing : html` <span part="hint">turn ${iteration}</span>`}</span
    >
    ${bar(row, line, scale)}
    <span part="timeline-facts"
      >${blockStatusText(status)}, began after ${durationText(startedAt - line.startedAt)},
      ${status === "running" ? "executing for" : "executed"}
      ${durationText(tookMs)}${waited >= 1 ? `, waited ${durationText(waited)}` : ""}</span
    >
    ${error === undefined ? nothing : html`<span part="timeline-error">${error}</span>`}
  </li>`;
}

/** What the words beside it say, as a picture. */
function bar({ startedAt, endedAt, tookMs }: TimelineRow, line: Timeline, scale: TimeScale): TemplateResult {
  const from = line.at(startedAt, scale) * ACROSS;
  const ran = line.at(Math.min(endedAt, startedAt + tookMs), scale) * ACROSS;
  const to = line.at(endedAt, scale) * ACROSS;
  const x = Math.min(from, ACROSS - LEAST);
  return html`<svg part="timeline-bar" viewBox="0 0 ${ACROSS} 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    ${svg`<rect class="track" width=${ACROSS} height="10" />
      <rect class="span" x=${x} width=${Math.max(to - x, LEAST)} height="10" />
      <rect class="ran" x=${x} width=${Math.max(ran - x, LEAST)} height="10" />`}
  </svg>`;
}

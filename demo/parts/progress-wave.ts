import { html, type TemplateResult } from "lit-html";
import type { BlockStatus, RunView } from "wavepoint";

/** How many blocks of a run are settled, of all. */
function progressOf(view: Pick<RunView, "waves">): { readonly settled: number; readonly all: number } {
  const blocks = view.waves.flatMap((wave) => wave.blocks);
  const open = blocks.filter(({ status }) => OPEN.has(status)).length;
  return { settled: blocks.length - open, all: blocks.length };
}

const OPEN: ReadonlySet<BlockStatus> = new Set(["pending", "running", "paused", "waiting"]);

/** A line of waves that fills from the left as blocks settle. */
export function progressWave(view: Pick<RunView, "waves" | "status">): TemplateResult {
  const { settled, all } = progressOf(view);
  const text = `${settled} of ${all} ${all === 1 ? "block" : "blocks"}`;
  return html`<div class="progress" data-status=${view.status}>
    <div role="progressbar" aria-label="Progress" aria-valuemin="0" aria-valuemax=${all} aria-valuenow=${settled} aria-valuetext=${text}>
      <svg class="progress-wave" aria-hidden="true" focusable="false">
        <defs>
          <pattern id="wave-ahead" width="28" height="16" patternUnits="userSpaceOnUse">
            <path class="ahead" d="M0 8c7 0 7-5 14-5s7 5 14 5" transform="translate(0 2.5)" />
          </pattern>
          <pattern id="wave-done" width="28" height="16" patternUnits="userSpaceOnUse">
            <path class="done" d="M0 8c7 0 7-5 14-5s7 5 14 5" transform="translate(0 2.5)" />
          </pattern>
        </defs>
        <rect width="100%" height="16" fill="url(#wave-ahead)" />
        <rect class="filled" width=${`${all === 0 ? 0 : (settled / all) * 100}%`} height="16" fill="url(#wave-done)" />
      </svg>
    </div>
    <span class="progress-text">${text}</span>
  </div>`;
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { RunView, Values, WaveView } from "wavepoint";
import { isFinished } from "../announcements.ts";
import { blockCard } from "./block-card.ts";

interface WavesBoardProps {
  readonly view: Pick<RunView, "waves" | "status">;
  readonly now: number;
  /** What finished blocks gave, by block id. */
  readonly outputs: ReadonlyMap<string, Values>;
  /** How many attempts the retry policies of blocks allow, by block id. */
  readonly attempts?: ReadonlyMap<string, number>;
}

/** A run's waves: a column for each, in order, a card for each block. Columns scroll inside the board, or stack where it is narrow. */
export function wavesBoard({ view, now, outputs, attempts }: WavesBoardProps): TemplateResult {
  const current = currentWave(view);
  return html`<section class="waves" aria-labelledby="waves-title">
    <h2 id="waves-title">Blocks, wave by wave</h2>
    <div class="board" tabindex="0" role="region" aria-label="Waves, left to right">
      <ol>
        ${view.waves.map((wave, index) => {
          const state = isFinished(wave) ? "finished" : index === current ? "now" : "ahead";
          return html`<li class="wave" data-state=${state} aria-current=${state === "now" ? "step" : nothing}>
            <h3>Wave ${index + 1} <span class="wave-state">${STATES[state]}</span></h3>
            <svg class="crest" viewBox="0 0 120 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <path d="M0 5c15 0 15-4 30-4s15 8 30 8 15-8 30-8 15 4 30 4" />
            </svg>
            <ul>
              ${wave.blocks.map((block) => blockCard({ block, now, outputs: outputs.get(block.id), attempts: attempts?.get(block.id) }))}
            </ul>
          </li>`;
        })}
      </ol>
    </div>
  </section>`;
}

const STATES = { finished: "finished", now: "now", ahead: "" } as const;

/** The first wave with something left to happen, of a run that is not over. */
function currentWave(view: { readonly waves: readonly WaveView[]; readonly status: RunView["status"] }): number {
  if (view.status !== "running" && view.status !== "paused") return -1;
  return view.waves.findIndex((wave) => !isFinished(wave));
}

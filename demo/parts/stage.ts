import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { BlockView, Pause, RunView } from "wavepoint";
import { goesOnAt, instantText, titleOf } from "../wording.ts";
import { currentWave } from "./waves-board.ts";
import { question, type QuestionProps } from "./question.ts";
import { valuesList } from "./values-list.ts";

interface StageProps {
  readonly view: RunView;
  readonly now: number;
  questionProps(pause: Pause): QuestionProps;
  /** Leads to the previous question; absent where there is none. */
  readonly back?: (() => void) | undefined;
  /** Whether this page has asked for the run to go on. */
  readonly isGoingOn: boolean;
  goOn(): void;
  startAgain(): void;
}

/** What matters now: the questions that wait, the work under way, or how the run ended. */
export function stage(props: StageProps): TemplateResult {
  const { view } = props;
  return html`<section class="stage" data-status=${view.status} aria-labelledby="stage-title">
    ${view.pauses.length > 0 ? questions(props) : view.status === "running" ? underWay(props) : ending(props)}
  </section>`;
}

function questions({ view, questionProps, back }: StageProps): TemplateResult {
  const many = view.pauses.length > 1;
  return html`<h2 id="stage-title" tabindex="-1">${many ? `${view.pauses.length} questions, in any order` : "A question for you"}</h2>
    <div class="questions" data-many=${many}>
      ${repeat(
        view.pauses,
        (pause) => pause.id,
        (pause) => question(questionProps(pause)),
      )}
    </div>
    ${back ? html`<button class="button back" type="button" data-back @click=${back}>Back to the question before</button>` : nothing}`;
}

function underWay(props: StageProps): TemplateResult {
  const blocks = props.view.waves.flatMap((wave) => wave.blocks);
  const waiting = blocks.filter(({ status }) => status === "waiting");
  return waiting.length > 0 && blocks.every(({ status }) => status !== "running") ? waits(waiting, props.now) : working(props);
}

function waits(blocks: readonly BlockView[], now: number): TemplateResult {
  return html`<h2 id="stage-title" tabindex="-1">Waiting</h2>
    <div class="card working">
      ${blocks.map((block) => html`<p>${titleOf(block.id)} goes on at <strong>${instantText(goesOnAt(block), now)}</strong>.</p>`)}
      <p class="quiet">Nothing runs until then. Close the page if you like: opened later, it goes on at once.</p>
    </div>`;
}

function working({ view, isGoingOn, goOn }: StageProps): TemplateResult {
  const wave = `Wave ${currentWave(view) + 1} of ${view.waves.length}`;
  return html`<h2 id="stage-title" tabindex="-1">Working</h2>
    <div class="card working">
      <svg class="swell" viewBox="0 0 240 40" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <path
          d="M-60 20c15 0 15-12 30-12s15 24 30 24 15-24 30-24 15 24 30 24 15-24 30-24 15 24 30 24 15-24 30-24 15 24 30 24 15-24 30-24 15 24 30 24 15-12 30-12"
        />
      </svg>
      ${
        view.active || !isGoingOn
          ? html`<p>${wave} is under way. You can reload or close this page; the run goes on when you come back.</p>`
          : html`<p>${wave} is under way in another tab. Should that tab close, the run goes on here.</p>`
      }
      ${view.active || isGoingOn ? nothing : html`<button class="button" type="button" @click=${goOn}>Go on here</button>`}
    </div>`;
}

function ending({ view, goOn, startAgain }: StageProps): TemplateResult {
  if (view.status === "completed") {
    const outputs = view.outputs ?? {};
    return html`<h2 id="stage-title" tabindex="-1">Done</h2>
      <div class="card outputs">
        ${Object.keys(outputs).length > 0 ? valuesList(outputs) : html`<p class="quiet">This workflow declares no outputs.</p>`}
        <button class="button" type="button" @click=${startAgain}>Start another</button>
      </div>`;
  }
  return html`<h2 id="stage-title" tabindex="-1">${view.status === "failed" ? "The run failed" : "Cancelled"}</h2>
    <div class="card trouble">
      <p>${view.error?.message ?? "Nothing more will happen in this run."}</p>
      ${view.status === "failed" ? html`<button class="button primary" type="button" @click=${goOn}>Try again what failed</button>` : nothing}
    </div>`;
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { Pause, Run, RunView } from "wavepoint";
import { OWN, RENDERERS, type Renderer } from "../renderers.ts";

interface StageProps {
  readonly run: Run;
  readonly view: RunView;
  /** The name of the library that draws the questions. */
  readonly renderer: string;
  chooseRenderer(name: string): void;
  onProblem(thrown: unknown): void;
}

/** What matters now: the question that waits, the work under way, or how the run ended. */
export function stage(props: StageProps): TemplateResult {
  const { run, view } = props;
  const [pause] = view.pauses;
  const foreign = RENDERERS.find(({ name }) => name === props.renderer);
  return html`<section class="stage-card card" data-status=${view.status} aria-label="What matters now">
    ${pause && foreign ? foreignQuestion(props, pause, foreign) : html`<wavepoint-run .run=${run}></wavepoint-run>`}
    ${pause ? rendererSwitch(props) : nothing}
  </section>`;
}

function foreignQuestion({ run, view, onProblem }: StageProps, pause: Pause, renderer: Renderer): TemplateResult {
  const others = view.pauses.length - 1;
  return html`<demo-foreign-question
      class="foreign"
      data-renderer=${renderer.name}
      tabindex="-1"
      .question=${{ run, pause: pause.id, renderer }}
      @demo-problem=${({ detail }: CustomEvent<{ readonly error: unknown }>) => onProblem(detail.error)}
    ></demo-foreign-question>
    ${others > 0 ? html`<p class="quiet">${others === 1 ? "One more question waits" : `${others} more questions wait`} behind this one.</p>` : nothing}`;
}

/** The same question, drawn by the library you choose: the run stays the same. */
function rendererSwitch({ renderer, chooseRenderer }: StageProps): TemplateResult {
  const choices = [{ name: OWN, title: "Wavepoint’s elements" }, ...RENDERERS];
  const chosen = choices.some(({ name }) => name === renderer) ? renderer : OWN;
  return html`<fieldset class="renderers">
    <legend>Drawn by</legend>
    ${choices.map(
      ({ name, title }) =>
        html`<label class="renderer">
          <input type="radio" name="renderer" value=${name} .checked=${name === chosen} @change=${() => chooseRenderer(name)} />
          <span>${title}</span>
        </label>`,
    )}
  </fieldset>`;
}

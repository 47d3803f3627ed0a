import { html, nothing, type TemplateResult } from "lit-html";
import type { Pause, RevisionPreview, Run, RunView } from "wavepoint";
import { OWN, RENDERERS, type Renderer } from "../renderers.ts";

interface StageProps {
  readonly run: Run;
  readonly view: RunView;
  /** The name of the library that draws the questions. Default: the elements of the package. */
  readonly renderer: string | undefined;
  chooseRenderer(name: string): void;
  onProblem(thrown: unknown): void;
  /** Something went wrong, and the question says so itself. */
  onSaid(thrown: unknown): void;
  /** What a changed answer would do is shown, or no longer. */
  onPreview(preview: RevisionPreview | undefined): void;
}

/** What matters now: the question that waits, the work under way, or how the run ended. */
export function stage(props: StageProps): TemplateResult {
  const { view } = props;
  // What was handed over asks elsewhere.
  const [pause] = view.transferredTo === undefined ? view.pauses : [];
  const foreign = RENDERERS.find(({ name }) => name === props.renderer);
  return html`<section class="stage-card card" data-status=${view.status} aria-label="What matters now">
    ${pause && foreign ? foreignQuestion(props, pause, foreign) : own(props)} ${pause ? rendererSwitch(props) : nothing}
  </section>`;
}

function own({ run, onSaid, onPreview }: StageProps): TemplateResult {
  return html`<wavepoint-run
    .run=${run}
    @wavepoint-problem=${({ detail }: CustomEvent<{ readonly error: unknown }>) => onSaid(detail.error)}
    @wavepoint-preview=${({ detail }: CustomEvent<{ readonly preview: RevisionPreview | undefined }>) => onPreview(detail.preview)}
  ></wavepoint-run>`;
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
  return html`<label class="renderers"
    >Drawn by
    <select name="renderer" @change=${(event: Event) => chooseRenderer((event.target as HTMLSelectElement).value)}>
      ${choices.map(({ name, title }) => html`<option value=${name} .selected=${name === chosen}>${title}</option>`)}
    </select></label
  >`;
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { EarlierAnswer, Pause, Value } from "wavepoint";
import { answerText } from "../answer-draft.ts";
import type { Draft } from "../drafts.ts";
import { titleOf } from "../wording.ts";
import { questionText } from "../question-text.ts";
import { controlFor } from "./question-control.ts";

/** What a question's form shows: a pause, or a line of a review page. */
export type Asking = Pick<Pause, "id" | "path" | "type" | "prompt" | "schema" | "metadata" | "earlier">;

/** A question that waits, and what someone did with it so far. */
export interface QuestionProps extends Draft {
  readonly pause: Asking;
  /** Whether what stands in its controls is kept, for all tabs. */
  readonly isKept?: boolean;
  /** A word on its button that sends, where it is not an answer that waits. */
  readonly action?: string;
  /** An answer is on its way. */
  readonly sending: boolean;
  answer(response: Value): void;
  /** Shows a message beside the control, for an answer that could not even be sent. */
  refuse(message: string): void;
}

/** A question as a real form, drawn from the block that asks: two buttons, a list of choices, a field, several of them, or what the schema says. */
export function question(props: QuestionProps): TemplateResult {
  const { pause, error, sending } = props;
  const ids = questionIds(pause.id);
  const control = controlFor(props, ids);
  return html`<form class="question card" id=${ids.form} data-pause=${pause.id} novalidate autocomplete="off" @submit=${submit}>
    <fieldset aria-busy=${sending ? "true" : "false"} aria-describedby=${error ? ids.error : nothing}>
      <legend tabindex="-1" id=${ids.prompt}>${control.legend ?? questionText(pause)}</legend>
      ${pause.path.length > 1 ? html`<p class="quiet">Asked by ${pause.path.map(titleOf).toReversed().join(", in ")}</p>` : nothing}
      ${pause.earlier ? earlierNote(pause, pause.earlier) : nothing} ${control.body}
      ${control.showsErrors ? nothing : html`<p class="field-error" id=${ids.error} ?hidden=${!error}>${error ?? ""}</p>`}
      ${control.buttons} ${props.isKept ? html`<p class="quiet" data-kept>What you typed is kept.</p>` : nothing}
    </fieldset>
  </form>`;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (sending) return;
    const answer = control.read(event);
    if ("refused" in answer) props.refuse(answer.refused);
    else props.answer(answer.response);
  }
}

function earlierNote(asking: Asking, { response, state }: EarlierAnswer): TemplateResult {
  const more = { ok: "", needs_review: " Please look at it again.", invalid: " It does not fit any more." }[state];
  return html`<p class="earlier">You answered: <strong>${answerText(asking, response)}</strong>.${more}</p>`;
}

/** The ids of a question's parts in the page, made from its pause. */
export interface QuestionIds {
  readonly form: string;
  readonly prompt: string;
  readonly control: string;
  readonly error: string;
}

/** Gives the ids of a question's parts. */
export function questionIds(pause: string): QuestionIds {
  return { form: `q-${pause}`, prompt: `q-${pause}-prompt`, control: `q-${pause}-control`, error: `q-${pause}-error` };
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { Example } from "../examples.ts";
import { readEntries } from "../form-fields.ts";
import { startFields, startInputs } from "../start-fields.ts";
import type { StartState } from "../starting.ts";
import { titleOf } from "../wording.ts";
import { formBody } from "./form-body.ts";
import type { QuestionIds } from "./question.ts";

/** The ids of the form's parts in the page. */
export const START_IDS: QuestionIds = { form: "start", prompt: "start-title", control: "start-control", error: "start-error" };

/** What a run is given, as a form; a button alone where it is given nothing. */
export function startForm({ workflow, presets }: Example, state: StartState): TemplateResult {
  const fields = startFields(workflow, presets);
  return html`<form class="question start card" id=${START_IDS.form} novalidate autocomplete="off" @submit=${submit}>
    <fieldset aria-busy=${state.sending ? "true" : "false"}>
      <legend tabindex="-1" id=${START_IDS.prompt}>Start a run</legend>
      ${fields.length === 0 ? nothing : formBody(state, START_IDS, fields)}
      <div class="answers">
        <button
          class="button primary"
          type="submit"
          aria-label=${`Start ${titleOf(workflow.name)}`}
          aria-disabled=${state.sending ? "true" : "false"}
        >
          ${state.sending ? "Starting…" : "Start"}
        </button>
      </div>
    </fieldset>
  </form>`;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!state.sending) state.start(startInputs(fields, readEntries(fields, event.target as HTMLFormElement)));
  }
}

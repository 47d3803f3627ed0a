import { html, type TemplateResult } from "lit-html";

/** Said where the address names a workflow that the page does not have. */
export function missingWorkflow(): TemplateResult {
  return html`<div class="card missing">
    <h1 tabindex="-1">This workflow is not here</h1>
    <p>Perhaps its name has changed.</p>
    <a class="button" href="#/">See the examples</a>
  </div>`;
}

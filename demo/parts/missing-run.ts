import { html, type TemplateResult } from "lit-html";

/** Said where the address names a run that cannot be opened. */
export function missingRun(reason: string): TemplateResult {
  return html`<div class="card missing">
    <h1 tabindex="-1">This run is not here</h1>
    <p>${reason}</p>
    <a class="button" href="#/">See the examples</a>
  </div>`;
}

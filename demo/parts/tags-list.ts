import { html, type TemplateResult } from "lit-html";

/** What a workflow shows, in words. */
export function tagsList(tags: readonly string[]): TemplateResult {
  return html`<ul class="tags" aria-label="Shows">
    ${tags.map((tag) => html`<li>${tag}</li>`)}
  </ul>`;
}

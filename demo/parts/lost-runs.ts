import { html, type TemplateResult } from "lit-html";

/** Shown when the browser has lost the database of the page; nothing else is shown until the person has read it. */
export function lostRuns(beginAnew: () => void): TemplateResult {
  return html`<main class="lost card" id="main">
    <h1 tabindex="-1">Your runs are gone</h1>
    <p>
      Runs were kept in this browser, and their database is not there any more: the browser lost it or made room, or it was deleted. This
      page cannot bring them back. Runs that you saved as files can be opened again.
    </p>
    <button class="button primary" type="button" @click=${beginAnew}>Start again</button>
  </main>`;
}

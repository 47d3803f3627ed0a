import { html, type TemplateResult } from "lit-html";

/** What the page is about, in two sentences over a moving sea. */
export function hero(): TemplateResult {
  return html`<header class="hero">
    <div class="hero-text">
      <h1 tabindex="-1">Start something. Reload whenever you like.</h1>
      <p>
        Wavepoint runs workflows in waves and keeps every step. Close the tab in the middle of a question, come back tomorrow, and you are
        exactly where you were.
      </p>
    </div>
    <svg class="sea" viewBox="0 0 1200 160" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path
        class="sea-far"
        d="M-200 70c50 0 50-26 100-26s50 26 100 26 50-26 100-26 50 26 100 26 50-26 100-26 50 26 100 26 50-26 100-26 50 26 100 26 50-26 100-26 50 26 100 26 50-26 100-26 50 26 100 26 50-26 100-26 50 26 100 26V160H-200Z"
      />
      <path
        class="sea-mid"
        d="M-200 100c50 0 50-22 100-22s50 22 100 22 50-22 100-22 50 22 100 22 50-22 100-22 50 22 100 22 50-22 100-22 50 22 100 22 50-22 100-22 50 22 100 22 50-22 100-22 50 22 100 22 50-22 100-22 50 22 100 22V160H-200Z"
      />
      <path
        class="sea-near"
        d="M-200 128c50 0 50-16 100-16s50 16 100 16 50-16 100-16 50 16 100 16 50-16 100-16 50 16 100 16 50-16 100-16 50 16 100 16 50-16 100-16 50 16 100 16 50-16 100-16 50 16 100 16 50-16 100-16 50 16 100 16V160H-200Z"
      />
    </svg>
  </header>`;
}

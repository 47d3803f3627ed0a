import { html, type TemplateResult } from "lit-html";
import type { RunHead } from "wavepoint";
import { runAddress } from "../router.ts";
import { titleOf } from "../wording.ts";

interface HeroProps {
  /** Starts what shows most in a minute. */
  begin(): void;
  /** The newest run that waits for an answer. */
  readonly waiting: RunHead | undefined;
}

/** What the page is about, in two sentences over a moving sea, and the shortest way into it, or back to the run that was open. */
export function hero({ begin, waiting }: HeroProps): TemplateResult {
  return html`<header class="hero">
    <div class="hero-text">
      <h1 tabindex="-1">Start something. Reload whenever you like.</h1>
      <p>
        Wavepoint runs workflows in waves and keeps every step. Close the tab in the middle of a question, come back tomorrow, and you are
        exactly where you were.
      </p>
      <div class="hero-actions">
        <button class="button hero-begin" type="button" data-begin @click=${begin}>Order some coffee</button>
        <p class="hero-note">
          ${
            waiting
              ? html`<a href=${runAddress(waiting.id)} data-go-on>Go on with ${titleOf(waiting.workflow)}</a>`
              : html`Four questions. Nothing is sent anywhere.`
          }
        </p>
      </div>
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

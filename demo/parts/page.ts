import { html, nothing, type TemplateResult } from "lit-html";
import { mark } from "./icons.ts";

interface PageProps {
  readonly main: TemplateResult;
  readonly aside: TemplateResult;
  /** Whether what runs here outlives the page. */
  readonly durable: boolean;
  /** What went wrong, to be read and put away. */
  readonly problem?: string | undefined;
  dismiss(): void;
}

/** The frame of every page: sign, notices, the main part, the list of runs. */
export function page({ main, aside, durable, problem, dismiss }: PageProps): TemplateResult {
  return html`<a class="skip-link" href="#main" @click=${skip}>Skip to content</a>
    <header class="top">
      <a class="home" href="#/">${mark()}<span>Wavepoint</span></a>
      <p>${durable ? "Kept in this browser" : "Not kept"}</p>
    </header>
    ${durable && problem === undefined ? nothing : notices({ durable, problem, dismiss })}
    <div class="columns">
      <main id="main" tabindex="-1">${main}</main>
      <aside aria-label="Runs">${aside}</aside>
    </div>`;
}

function notices({ durable, problem, dismiss }: Pick<PageProps, "durable" | "problem" | "dismiss">): TemplateResult {
  return html`<section aria-label="Notices">
    ${
      durable
        ? nothing
        : html`<p class="notice">
            This browser gives the page no durable storage, perhaps in private mode. Runs live in memory:
            <strong>a reload loses them</strong>.
          </p>`
    }
    ${
      problem === undefined
        ? nothing
        : html`<div class="notice problem" role="alert">
            <p>${problem}</p>
            <button class="button small" type="button" @click=${dismiss}>Close</button>
          </div>`
    }
  </section>`;
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

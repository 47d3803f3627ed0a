import { html, nothing, type TemplateResult } from "lit-html";
import type { StorageState } from "wavepoint/browser";
import type { KeptPage } from "../offline/kept-page.ts";
import type { ThemeSwitch } from "../theme.ts";
import { mark } from "./mark.ts";
import { themeButton } from "./theme-button.ts";

/** What the frame of a page shows. */
export interface PageProps {
  readonly main: TemplateResult;
  /** The list of runs, which a menu holds. */
  readonly runs: TemplateResult;
  /** How many of them wait for the person. */
  readonly waiting: number;
  readonly theme: ThemeSwitch;
  /** What of the runs is kept. */
  readonly storage: StorageState;
  readonly kept: KeptPage;
  readonly hasNetwork: boolean;
  /** What went wrong, to be read and put away. */
  readonly problem: string | undefined;
  dismiss(): void;
}

const RUNS_MENU = "runs-menu";

/** Closes the menu of runs: another page is shown. */
export function closeRunsMenu(): void {
  document.getElementById(RUNS_MENU)?.hidePopover();
}

/** The frame of every page: sign, menu of runs, notices, the main part. */
export function page(props: PageProps): TemplateResult {
  return html`<a class="skip-link" href="#main" @click=${skip}>Skip to content</a>
    <header class="top">
      <a class="home" href="#/">${mark()}<span>Wavepoint</span></a>
      <p class="standing" role="status">
        ${props.hasNetwork ? nothing : html`<span class="standing-network">No network</span>`}
        <span title=${props.storage.message}>${keptText(props)}</span>
      </p>
      <button class="top-link" type="button" popovertarget=${RUNS_MENU} data-runs-menu>
        Runs${props.waiting === 0 ? nothing : html` <span class="top-count">${props.waiting}<span class="unseen"> waiting for you</span></span>`}
      </button>
      <a class="top-link" href="./docs/index.html">Docs</a>
      ${themeButton(props.theme)}
    </header>
    <div class="menu" id=${RUNS_MENU} popover role="region" aria-label="Runs">${props.runs}</div>
    ${notices(props)}
    <main id="main" tabindex="-1">${props.main}</main>`;
}

function keptText({ storage, kept, hasNetwork }: PageProps): string {
  if (storage.kept === "session only") return "Not kept";
  if (storage.kept === "degraded") return "Not kept right now";
  // Without a network that it works is plain, and both would not fit in a line of a phone.
  return kept.isOffline && hasNetwork ? "Kept in this browser, works offline" : "Kept in this browser";
}

function notices({ storage, problem, dismiss, kept: { newVersion, notNow } }: PageProps): TemplateResult | typeof nothing {
  // The same is said once: while a person has to do with what went wrong, beside the button that puts it away.
  const isKept = storage.kept === "kept" || (storage.error && problem === storage.error.message);
  if (isKept && problem === undefined && newVersion === undefined) return nothing;
  return html`<section aria-label="Notices">
    ${
      isKept
        ? nothing
        : html`<p class="notice" data-kept=${storage.kept}>
            ${
              storage.kept === "session only"
                ? html`This browser gives the page no durable storage, perhaps in private mode. Runs live in memory:
                    <strong>a reload loses them</strong>.`
                : storage.message
            }
          </p>`
    }
    ${
      problem === undefined
        ? nothing
        : html`<div class="notice problem" role="alert">
            <p>${problem}</p>
            <button class="button small" type="button" @click=${() => putAway(dismiss)}>Close</button>
          </div>`
    }
    ${
      newVersion === undefined
        ? nothing
        : html`<div class="notice news" role="status">
            <p>A new version is ready. Your runs and what you typed stay.</p>
            <div class="row-actions">
              <button class="button small primary" type="button" data-load-version @click=${() => newVersion.load()}>Load it</button>
              <button class="button small quiet-button" type="button" @click=${() => putAway(notNow)}>Not now</button>
            </div>
          </div>`
    }
  </section>`;
}

/** The button that has the focus goes with its notice. */
function putAway(act: () => void): void {
  act();
  focusMain({ preventScroll: true });
}

function skip(event: Event): void {
  event.preventDefault();
  focusMain();
}

function focusMain(options?: FocusOptions): void {
  document.getElementById("main")?.focus(options);
}

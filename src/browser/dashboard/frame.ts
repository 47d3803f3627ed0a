import { html, nothing, type TemplateResult } from "lit-html";
import { runsAddress } from "./route.ts";
import { instantText } from "./wording.ts";

/** What stands around each page of the dashboard. */
interface Frame {
  readonly place: string | undefined;
  readonly signOut: (() => void) | undefined;
  readonly now: number;
  /** When the server could be reached last, where it cannot now. */
  readonly lostAt: number | undefined;
  readonly problem: string | undefined;
  readonly page: TemplateResult;
  tryNow(): void;
  dismiss(): void;
}

/** The head of the dashboard, its notices, and the page between them. */
export function frameTemplate({ place, signOut, now, lostAt, problem, page, tryNow, dismiss }: Frame): TemplateResult {
  return html`<a class="skip" href="#main" @click=${skip}>Skip to content</a>
    <header class="top">
      <a class="home" href=${runsAddress()}>Wavepoint</a>
      ${place === undefined ? nothing : html`<span class="hint">${place}</span>`}
      ${signOut ? html`<button type="button" @click=${signOut}>Sign out</button>` : nothing}
    </header>
    <p class="announcer" role="status"></p>
    ${
      lostAt === undefined
        ? nothing
        : notice(
            `The server cannot be reached since ${instantText(lostAt, now)}. What you see may be old; it is tried again by itself.`,
            "Try now",
            tryNow,
          )
    }
    ${problem === undefined ? nothing : notice(problem, "Dismiss", dismiss)}
    <main id="main" tabindex="-1">${page}</main>`;
}

function notice(text: string, action: string, act: () => void): TemplateResult {
  return html`<p class="notice" role="alert">
    ${text}
    <button type="button" @click=${act}>${action}</button>
  </p>`;
}

/** Within the page, where `#` already means something else. */
function skip(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).parentElement!.querySelector<HTMLElement>("#main")?.focus();
}

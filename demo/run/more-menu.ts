import { html, type TemplateResult } from "lit-html";

interface Choice {
  readonly text: string;
  act(): void;
}

const MENU = "run-more";

/** What is seldom done with a run, behind a button. Escape and a click beside it close the menu; then the button has the focus again. */
export function moreMenu(choices: readonly Choice[]): TemplateResult {
  return html`<button class="button small quiet-button more-button" type="button" popovertarget=${MENU} aria-label="More for this run">
      More
    </button>
    <div class="menu more-menu" id=${MENU} popover role="group" aria-label="More for this run" @beforetoggle=${place}>
      ${choices.map(({ text, act }) => html`<button class="button quiet-button" type="button" @click=${() => choose(act)}>${text}</button>`)}
    </div>`;
}

/** Closed first, so that the focus goes back to the button, and from a question that is asked next as well. */
function choose(act: () => void): void {
  close();
  act();
}

function close(): void {
  document.getElementById(MENU)?.hidePopover();
}

/** Below the button, and as far to the right. */
function place({ currentTarget }: Event): void {
  const menu = currentTarget as HTMLElement;
  const { bottom, right } = menu.previousElementSibling!.getBoundingClientRect();
  menu.style.top = `${bottom + scrollY}px`;
  menu.style.right = `${document.documentElement.clientWidth - right}px`;
  // Then the button stands elsewhere, or what it is about is gone.
  for (const type of ["resize", "popstate"]) addEventListener(type, close, { once: true });
}

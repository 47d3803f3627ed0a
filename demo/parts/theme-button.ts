import { html, svg, type TemplateResult } from "lit-html";
import type { ThemeSwitch } from "../theme.ts";

const SUN = svg`<circle cx="10" cy="10" r="3.4" /><path d="M10 2.4v1.7m0 11.8v1.7M2.4 10h1.7m11.8 0h1.7M4.6 4.6l1.2 1.2m8.4 8.4 1.2 1.2m0-10.8-1.2 1.2m-8.4 8.4-1.2 1.2" />`;
const MOON = svg`<path d="M16 11.8A6.6 6.6 0 0 1 8.2 4a6.6 6.6 0 1 0 7.8 7.8Z" />`;

/** Turns the page light or dark. */
export function themeButton(theme: ThemeSwitch): TemplateResult {
  const isDark = theme.theme === "dark";
  return html`<button
    class="icon-button"
    type="button"
    role="switch"
    aria-checked=${isDark ? "true" : "false"}
    aria-label="Dark colours"
    data-theme-switch
    @click=${() => theme.turn()}
  >
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${isDark ? SUN : MOON}</svg>
  </button>`;
}

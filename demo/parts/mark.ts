import { html, type TemplateResult } from "lit-html";

/** The project's sign: a wave with a point above it. */
export function mark(): TemplateResult {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="9" />
    <path d="M4 19c3 0 3-6 6-6s3 6 6 6 3-6 6-6 3 6 6 6" />
    <circle cx="22" cy="9" r="3" />
  </svg>`;
}

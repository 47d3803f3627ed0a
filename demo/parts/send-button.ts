import { html, type TemplateResult } from "lit-html";

/** The button that sends an answer; it says so while the answer is on its way. */
export function sendButton({ sending, action = "Send answer" }: { readonly sending: boolean; readonly action?: string }): TemplateResult {
  return html`<div class="answers">
    <button class="button primary" type="submit" aria-disabled=${sending ? "true" : "false"}>${sending ? "Sending…" : action}</button>
  </div>`;
}

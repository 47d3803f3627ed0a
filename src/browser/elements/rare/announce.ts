import { html, type TemplateResult } from "lit-html";

/** Where a control says what it did. Its text is no part of the template, so that a drawing does not take it away. */
export function announcer(id: string): TemplateResult {
  return html`<p part="announcement" role="status" id="${id}-said"></p>`;
}

/** Says something to those who do not see what happened. `near`: what was clicked. */
export function announce(near: EventTarget | null, id: string, text: string): void {
  const said = ((near as Element).getRootNode() as Document | ShadowRoot).getElementById(`${id}-said`);
  if (said) said.textContent = text;
}

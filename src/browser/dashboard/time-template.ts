import { html, type TemplateResult } from "lit-html";
import { agoText, preciseText } from "./wording.ts";

/** An instant as how long ago it was; its exact time stands in the title. */
export function timeTemplate(at: number, now: number): TemplateResult {
  return html`<time datetime=${new Date(at).toISOString()} title=${preciseText(at)}>${agoText(at, now)}</time>`;
}

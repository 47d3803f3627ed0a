import { html, nothing, type TemplateResult } from "lit-html";
import type { FormContent } from "../../core/model/json-schema.ts";

/** What stands between fields. A picture of another host is left out: what a workflow says makes no page ask one. */
export function contentTemplate({ heading, text, image }: FormContent<string>): TemplateResult {
  const source = image && URL.canParse(image.src, document.baseURI) ? new URL(image.src, document.baseURI) : undefined;
  return html`${heading === undefined ? nothing : html`<h3 part="section">${heading}</h3>`}${
    text === undefined ? nothing : html`<p part="lead">${text}</p>`
  }${source && source.origin === location.origin ? html`<img part="image" src=${source.href} alt=${image!.alt} />` : nothing}`;
}

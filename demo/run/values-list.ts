import { html, type TemplateResult } from "lit-html";
import type { Value, Values } from "wavepoint";
import { titleOf } from "../wording.ts";

/** Named values for people: text as text with its line breaks, the rest as JSON. */
export function valuesList(values: Values): TemplateResult {
  return html`<dl class="values">
    ${Object.entries(values).map(
      ([name, value]) =>
        html`<div>
          <dt>${titleOf(name)}</dt>
          <dd data-output=${name}>${valueText(value)}</dd>
        </div>`,
    )}
  </dl>`;
}

function valueText(value: Value): string | TemplateResult {
  if (value === null) return html`<span class="quiet">none</span>`;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return html`<code>${JSON.stringify(value, null, 2)}</code>`;
}

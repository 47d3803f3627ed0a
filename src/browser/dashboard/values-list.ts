import { html, type TemplateResult } from "lit-html";
import type { Value, Values } from "../../core/model/value.ts";
import { jsonText } from "./json-text.ts";

/** Named values for people: text as text with its line breaks, the rest as JSON. `nameOf` says how each is called. */
export function valuesList(values: Values, nameOf: (name: string) => string): TemplateResult {
  return html`<dl part="values">
    ${Object.entries(values).map(
      ([name, value]) =>
        html`<div>
          <dt>${nameOf(name)}</dt>
          <dd data-output=${name}>${valueText(value)}</dd>
        </div>`,
    )}
  </dl>`;
}

function valueText(value: Value): string | TemplateResult {
  if (value === null) return html`<span part="hint">none</span>`;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return html`<code>${jsonText(value)}</code>`;
}

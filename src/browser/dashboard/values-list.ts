import { html, type TemplateResult } from "lit-html";
import type { Value, Values } from "../../core/model/value.ts";

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

/** Characters that are shown of one value: what is longer is exported. */
const MAX_SHOWN = 4_000;

/** A value as JSON that people read; of what JSON cannot hold, what comes closest. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, plain, 2) ?? "none";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${value.byteLength} bytes`;
  return value;
}

import { html, type TemplateResult } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { until } from "lit-html/directives/until.js";
import { problemText } from "../problem-text.ts";

const LINE = /^(\s*)(- )?(\{ )?([A-Za-z_]+)(:)(?= |$)/;

/** The text of a workflow, folded away until someone wants to read it. */
export function yamlSource(read: () => Promise<string>, name: string): TemplateResult {
  return html`<details class="source">
    <summary>Read the YAML</summary>
    ${yamlText(read, name)}
  </details>`;
}

/** The text of a workflow. Keys stand out; everything is inert text. */
export function yamlText(read: () => Promise<string>, name: string): TemplateResult {
  const lines = (): Promise<unknown> => read().then((source) => source.split("\n").map(line), problemText);
  return html`<pre
    class="yaml"
    tabindex="0"
    role="region"
    aria-label=${`${name}.yaml`}
  ><code>${guard([read], () => until(lines(), html`<span data-reading>Reading…</span>`))}</code></pre>`;
}

function line(text: string): TemplateResult {
  const match = LINE.exec(text);
  if (!match) return html`<span>${text}${"\n"}</span>`;
  const key = match[4] ?? "";
  const before = text.slice(0, match[0].length - key.length - 1);
  return html`<span>${before}<b>${key}</b>${text.slice(match[0].length - 1)}${"\n"}</span>`;
}

import { html, type TemplateResult } from "lit-html";

const LINE = /^(\s*)(- )?(\{ )?([A-Za-z_]+)(:)(?= |$)/;

/** The text of a workflow, folded away until someone wants to read it. Keys stand out; everything is inert text. */
export function yamlSource(source: string, name: string): TemplateResult {
  return html`<details class="source">
    <summary>Read the YAML</summary>
    <pre tabindex="0" role="region" aria-label=${`${name}.yaml`}><code>${source.split("\n").map(line)}</code></pre>
  </details>`;
}

function line(text: string): TemplateResult {
  const match = LINE.exec(text);
  if (!match) return html`<span>${text}${"\n"}</span>`;
  const key = match[4] ?? "";
  const before = text.slice(0, match[0].length - key.length - 1);
  return html`<span>${before}<b>${key}</b>${text.slice(match[0].length - 1)}${"\n"}</span>`;
}

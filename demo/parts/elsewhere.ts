import { html, nothing, type TemplateResult } from "lit-html";

interface ElsewhereProps {
  /** The line that runs the workflow in Node. */
  readonly command: string;
  /** What the engine says when the workflow is loaded into this page; nothing until it was tried. */
  readonly refusal: string | undefined;
  tryHere(): void;
}

/** Said in place of a start form where a workflow needs what no page has. */
export function elsewhere({ command, refusal, tryHere }: ElsewhereProps): TemplateResult {
  return html`<section class="elsewhere card" aria-labelledby="elsewhere-title">
    <h2 id="elsewhere-title">Runs in Node</h2>
    <p>It runs commands, and no browser has a shell. In the folder of the example:</p>
    <pre tabindex="0" role="region" aria-label="Command line"><code>${command}</code></pre>
    <button class="button" type="button" data-try @click=${tryHere}>Try to load it here</button>
    <p class="field-error" role="status" ?hidden=${refusal === undefined}>${refusal ?? nothing}</p>
  </section>`;
}

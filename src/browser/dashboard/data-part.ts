import { html, nothing, type TemplateResult } from "lit-html";
import type { Values } from "../../core/model/value.ts";
import type { OpenRun } from "./open-run.ts";
import { saveFile } from "./save-file.ts";
import { valuesList } from "./values-list.ts";

/** What the run was given, what it gave, what its blocks gave, and its files. */
export function dataPart(open: OpenRun, onProblem: (thrown: unknown) => void): TemplateResult {
  const { run, values, view } = open;
  values.look(view);
  const blocks = Object.entries(values.value?.values ?? {}).filter((entry): entry is [string, Values] => entry[1] !== null);
  return html`<div class="data">
    ${part("Inputs", view.inputs)} ${view.outputs ? part("Outputs", view.outputs) : nothing}
    ${view.channels ? part("Channels", view.channels) : nothing}
    ${
      view.files
        ? html`<section>
            <h2>Files</h2>
            <ul class="files">
              ${view.files.map(
                ({ name, size, block }) =>
                  html`<li>
                    <button
                      type="button"
                      @click=${() => void run.readFile(name).then(({ bytes }) => saveFile(name, new Uint8Array(bytes)), onProblem)}
                    >
                      Save ${name}
                    </button>
                    <span class="hint">${size.toLocaleString("en")} bytes, written by ${block}</span>
                  </li>`,
              )}
            </ul>
          </section>`
        : nothing
    }
    <section>
      <h2>Outputs of blocks</h2>
      ${values.value ? nothing : html`<p class="hint">Reading the outputs…</p>`}
      ${values.value && blocks.length === 0 ? html`<p class="hint">No block has completed yet.</p>` : nothing}
      ${blocks.map(
        ([block, outputs]) =>
          html`<details>
            <summary>${block}</summary>
            ${shown(outputs)}
          </details>`,
      )}
    </section>
  </div>`;
}

function part(title: string, values: Values): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    ${shown(values)}
  </section>`;
}

function shown(values: Values): TemplateResult {
  return Object.keys(values).length === 0 ? html`<p class="hint">none</p>` : valuesList(values);
}

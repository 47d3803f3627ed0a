import { html, type TemplateResult } from "lit-html";
import type { Run, RunFile } from "wavepoint";
import { saveFile } from "wavepoint/dashboard";
import { titleOf } from "../wording.ts";

/** The files that the blocks of a run wrote, each with a button that saves it. */
export function filesList(run: Run, files: readonly RunFile[]): TemplateResult {
  return html`<ul class="files">
    ${files.map(
      ({ name, size, block }) =>
        html`<li>
          <button class="button small" type="button" @click=${() => save(run, name)}>Save ${name}</button>
          <span class="quiet">${size} bytes, written by ${titleOf(block)}</span>
        </li>`,
    )}
  </ul>`;
}

async function save(run: Run, name: string): Promise<void> {
  saveFile(name, new Uint8Array((await run.readFile(name)).bytes));
}

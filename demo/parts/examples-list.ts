import { html, type TemplateResult } from "lit-html";
import type { Example } from "../examples.ts";
import { titleOf } from "../wording.ts";
import { workflowPrint } from "./workflow-print.ts";
import { yamlSource } from "./yaml-source.ts";

/** The workflows someone can start, each with its picture, its line and its text. */
export function examplesList(examples: readonly Example[], start: (workflow: string) => void): TemplateResult {
  return html`<section class="examples" aria-labelledby="examples-title">
    <h2 id="examples-title">Start a workflow</h2>
    <ul class="example-grid">
      ${examples
        .filter((example) => !example.called)
        .map(({ workflow, source }) => {
          const title = titleOf(workflow.name);
          return html`<li class="example card">
            ${workflowPrint(workflow)}
            <div class="example-text">
              <h3>${title}</h3>
              <p>${workflow.description ?? ""}</p>
              <ul class="tags" aria-label="Shows">
                ${(workflow.tags ?? []).map((tag) => html`<li>${tag}</li>`)}
              </ul>
            </div>
            <button
              class="button primary"
              type="button"
              data-start=${workflow.name}
              aria-label=${`Start ${title}`}
              @click=${() => start(workflow.name)}
            >
              Start
            </button>
            ${yamlSource(source, workflow.name)}
          </li>`;
        })}
    </ul>
  </section>`;
}

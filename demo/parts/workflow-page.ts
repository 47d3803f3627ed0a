import { html, type TemplateResult } from "lit-html";
import type { PauseForm } from "wavepoint/browser";
import type { Example } from "../examples.ts";
import { EXAMPLES } from "../router.ts";
import { titleOf } from "../wording.ts";
import { elsewhere } from "./elsewhere.ts";
import { tagsList } from "./tags-list.ts";
import { workflowGraph } from "./workflow-graph.ts";
import { yamlSource } from "./yaml-source.ts";

interface WorkflowPageProps {
  readonly example: Example;
  /** Asks for what a run is given; an answer starts one. */
  readonly startForm: PauseForm;
  /** What the engine said when the workflow was loaded into this page. */
  readonly refusal: string | undefined;
  tryHere(): void;
}

/** Everything about one workflow, and the form that starts it. */
export function workflowPage({ example, startForm, refusal, tryHere }: WorkflowPageProps): TemplateResult {
  const { workflow, readSource, command } = example;
  const title = titleOf(workflow.name);
  return html`<article class="run" aria-labelledby="workflow-title">
    <header class="run-head">
      <nav aria-label="Where you are"><a href=${EXAMPLES}>Examples</a></nav>
      <h1 id="workflow-title" tabindex="-1">${title}</h1>
      <p>${workflow.description ?? ""}</p>
      ${tagsList(workflow.tags ?? [])}
    </header>
    <div class="run-screen">
      <div class="run-stage">
        ${
          command === undefined
            ? html`<section class="stage-card card" aria-label=${`Start ${title}`}>
                <wavepoint-prompt .form=${startForm} .action=${`Start ${title}`}></wavepoint-prompt>
              </section>`
            : elsewhere({ command, refusal, tryHere })
        }
      </div>
      <div class="workflow-side">
        <section class="card" aria-labelledby="graph-title">
          <h2 id="graph-title">What runs when</h2>
          ${workflowGraph(workflow)}
        </section>
        <section class="card" aria-labelledby="source-title">
          <h2 id="source-title">Definition</h2>
          ${yamlSource(readSource, workflow.name)}
        </section>
      </div>
    </div>
  </article>`;
}

import { html, type TemplateResult } from "lit-html";
import type { Example } from "../examples.ts";
import type { StartState } from "../starting.ts";
import { titleOf } from "../wording.ts";
import { elsewhere } from "./elsewhere.ts";
import { startForm } from "./start-form.ts";
import { tagsList } from "./tags-list.ts";
import { workflowGraph } from "./workflow-graph.ts";
import { yamlSource } from "./yaml-source.ts";

interface WorkflowPageProps {
  readonly example: Example;
  readonly startState: StartState;
  /** What the engine said when the workflow was loaded into this page. */
  readonly refusal: string | undefined;
  tryHere(): void;
}

/** Everything about one workflow, and the form that starts it. */
export function workflowPage({ example, startState, refusal, tryHere }: WorkflowPageProps): TemplateResult {
  const { workflow, source, command } = example;
  return html`<article class="run" aria-labelledby="workflow-title">
    <header class="run-head">
      <nav aria-label="Where you are"><a href="#/">Examples</a></nav>
      <h1 id="workflow-title" tabindex="-1">${titleOf(workflow.name)}</h1>
      <p>${workflow.description ?? ""}</p>
      ${tagsList(workflow.tags ?? [])}
    </header>
    ${command === undefined ? startForm(example, startState) : elsewhere({ command, refusal, tryHere })}
    <section class="card" aria-labelledby="graph-title">
      <h2 id="graph-title">Waves</h2>
      ${workflowGraph(workflow)}
    </section>
    <section class="card" aria-labelledby="source-title">
      <h2 id="source-title">Definition</h2>
      ${yamlSource(source, workflow.name)}
    </section>
  </article>`;
}

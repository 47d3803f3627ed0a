import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Example, Examples } from "../examples.ts";
import { workflowAddress } from "../router.ts";
import { titleOf } from "../wording.ts";
import { tagsFilter } from "./tags-filter.ts";
import { tagsList } from "./tags-list.ts";
import { workflowPrint } from "./workflow-print.ts";

interface ExamplesListProps {
  readonly examples: Examples;
  /** Only workflows that have all of these tags. */
  readonly tags: readonly string[];
  choose(tags: readonly string[]): void;
  start(example: Example): void;
}

/** The workflows someone can start or look at, each with its picture and its line. */
export function examplesList({ examples, tags, choose, start }: ExamplesListProps): TemplateResult {
  const tagged = examples.tagged(tags);
  const shown = examples.shown.filter(({ workflow }) => tagged.has(workflow.name));
  return html`<section class="examples" aria-labelledby="examples-title">
    <h2 id="examples-title">Start a workflow</h2>
    ${tagsFilter({ tags: examples.tags, chosen: tags, shown: shown.length, all: examples.shown.length, choose })}
    <ul class="example-grid">
      ${repeat(
        shown,
        ({ workflow }) => workflow.name,
        (example) => exampleCard(example, start),
      )}
    </ul>
    ${shown.length > 0 ? nothing : html`<p class="quiet">No workflow has all of these. Take one of them back.</p>`}
  </section>`;
}

function exampleCard(example: Example, start: ExamplesListProps["start"]): TemplateResult {
  const { workflow, command } = example;
  const title = titleOf(workflow.name);
  const address = workflowAddress(workflow.name);
  return html`<li class="example card" data-example=${workflow.name}>
    ${workflowPrint(workflow)}
    <div class="example-text">
      <h3><a href=${address}>${title}</a></h3>
      <p>${workflow.description ?? ""}</p>
      ${tagsList(workflow.tags ?? [])}
    </div>
    ${
      command === undefined
        ? html`<button
            class="button primary"
            type="button"
            data-start=${workflow.name}
            aria-label=${`Start ${title}`}
            @click=${() => start(example)}
          >
            Start
          </button>`
        : html`<a class="button" href=${address} aria-label=${`${title} runs in Node`}>Runs in Node</a>`
    }
  </li>`;
}

import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Example, Examples } from "../examples.ts";
import type { Shelf } from "../gallery.ts";
import { workflowAddress } from "../router.ts";
import { titleOf } from "../wording.ts";
import { tagsFilter } from "./tags-filter.ts";
import { tagsList } from "./tags-list.ts";
import { askingBlocks, workflowPrint } from "./workflow-print.ts";

interface ExamplesListProps {
  readonly examples: Examples;
  /** Only workflows that have all of these tags. */
  readonly tags: readonly string[];
  choose(tags: readonly string[]): void;
  start(example: Example): void;
}

const SHELVES: readonly { readonly shelf: Shelf; readonly title: string; readonly lead: string }[] = [
  { shelf: "own", title: "Yours", lead: "Written or changed in this browser." },
  { shelf: "answer", title: "Answer", lead: "Wizards and forms. Close the tab in the middle of a question." },
  { shelf: "form", title: "Forms", lead: "Forms you know from elsewhere. Close the tab with one half filled in." },
  { shelf: "watch", title: "Watch", lead: "Blocks at work. Reload while they run, and nothing runs twice." },
  { shelf: "node", title: "Elsewhere", lead: "The same files in Node, with a shell." },
];

/** The workflows someone can start or look at, each with its picture and its line. */
export function examplesList({ examples, tags, choose, start }: ExamplesListProps): TemplateResult {
  const tagged = examples.tagged(tags);
  const shown = examples.shown.filter(({ workflow }) => tagged.has(workflow.name));
  return html`<section class="examples" aria-labelledby="examples-title">
    <h1 id="examples-title" tabindex="-1">All examples</h1>
    ${tagsFilter({ tags: examples.tags, chosen: tags, shown: shown.length, all: examples.shown.length, choose })}
    ${SHELVES.map(({ shelf, title, lead }) => {
      const here = shown.filter((example) => example.shelf === shelf);
      if (here.length === 0) return nothing;
      return html`<section class="shelf" aria-labelledby=${`shelf-${shelf}`}>
        <header class="shelf-head">
          <h2 id=${`shelf-${shelf}`}>${title}</h2>
          <p class="quiet">${lead}</p>
        </header>
        <ul class="example-grid">
          ${repeat(
            here,
            ({ workflow }) => workflow.name,
            (example) => exampleCard(example, start),
          )}
        </ul>
      </section>`;
    })}
    ${shown.length > 0 ? nothing : html`<p class="quiet">No workflow has all of these. Take one of them back.</p>`}
  </section>`;
}

/** A workflow with its picture, its line, and the way into it. */
export function exampleCard(example: Example, start: ExamplesListProps["start"]): TemplateResult {
  const { workflow, command } = example;
  const title = titleOf(workflow.name);
  const address = workflowAddress(workflow.name);
  return html`<li class="example card" data-example=${workflow.name}>
    ${workflowPrint(example)}
    <div class="example-text">
      <h3><a href=${address}>${title}</a></h3>
      <p class="example-facts">${factsOf(example)}</p>
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

/** How much there is to it: blocks, those that ask among them, and how long it takes. */
function factsOf(example: Example): string {
  const { workflow, takes } = example;
  const { blocks } = workflow;
  const asking = askingBlocks(example).size;
  const parts = [
    `${blocks.length} ${blocks.length === 1 ? "block" : "blocks"}`,
    asking === 0 ? "" : `${asking} ${asking === 1 ? "asks" : "ask"} you`,
    takes ?? "",
  ];
  return parts.filter(Boolean).join(" · ");
}

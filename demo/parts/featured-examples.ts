import { html, nothing, type TemplateResult } from "lit-html";
import type { RunHead } from "wavepoint";
import type { Example, Examples } from "../examples.ts";
import { EXAMPLES, runAddress } from "../router.ts";
import { titleOf } from "../wording.ts";
import { exampleCard } from "./examples-list.ts";

interface FeaturedProps {
  readonly examples: Examples;
  start(example: Example): void;
  /** The newest run that waits for an answer. */
  readonly waiting: RunHead | undefined;
}

/** One of each kind: a wizard, a form, an approval, a crash, an agent, a thousand blocks. */
const FEATURED = ["coffee-subscription", "water-damage", "expense-approval", "stamp-letters", "harbour-desk", "take-soundings"];

/** A few workflows to begin with, and the way to all of them, or back into the run that was open. */
export function featuredExamples({ examples, start, waiting }: FeaturedProps): TemplateResult {
  const featured = FEATURED.flatMap((name) => examples.find(name) ?? []);
  return html`<section class="examples" aria-labelledby="featured-title">
    <header class="shelf-head">
      <h2 id="featured-title">Six to try</h2>
      <a class="all-examples" href=${EXAMPLES}>All ${examples.shown.length} examples</a>
      ${waiting ? html`<a class="go-on" href=${runAddress(waiting.id)} data-go-on>Go on with ${titleOf(waiting.workflow)}</a>` : nothing}
    </header>
    <ul class="example-grid featured">
      ${featured.map((example) => exampleCard(example, start))}
    </ul>
  </section>`;
}

import { html, type TemplateResult } from "lit-html";

interface HeroProps {
  /** The live run, once its code is here. */
  readonly live: HTMLElement | undefined;
}

/** The first block of the workflow that runs beside it, word for word. */
const YAML = `- id: beans
  type: AskChoice
  inputs:
    question: Which beans do you like?
    choices: [Kenya, Peru, Sumatra]`;

/** What this is, in ten seconds: a sentence, how to get it, a piece of a workflow, and a run to break. */
export function hero({ live }: HeroProps): TemplateResult {
  return html`<header class="hero">
    <div class="hero-text">
      <h1 tabindex="-1">Forms and workflows that survive a crash.</h1>
      <p class="hero-lead">A durable engine for the browser and Node.</p>
      <pre class="hero-code" tabindex="0" aria-label="How to install it"><code>npm install wavepoint</code></pre>
    </div>
    <div class="hero-live">${live ?? html`<p class="quiet">Starting the engine…</p>`}</div>
    <div class="hero-text hero-yaml">
      <p>You write blocks. This is the first of the six that run here:</p>
      <pre class="hero-code" tabindex="0" aria-label="A block of a workflow"><code>${YAML}</code></pre>
    </div>
  </header>`;
}

import { html, type TemplateResult } from "lit-html";
import { until } from "lit-html/directives/until.js";
import type { Workflow } from "wavepoint";
import { titleOf } from "../wording.ts";

const drawings = new WeakMap<Workflow, Promise<Element>>();

/** The waves of a workflow and what depends on what, as a picture that scrolls where it is wider than the page. */
export function workflowGraph(workflow: Workflow): TemplateResult {
  let drawing = drawings.get(workflow);
  if (!drawing) {
    drawing = drawGraph(workflow);
    drawings.set(workflow, drawing);
  }
  return html`<div class="graph" tabindex="0" role="region" aria-label=${`Graph of ${titleOf(workflow.name)}`}>
    ${until(drawing, html`<p class="quiet" data-reading>Drawing…</p>`)}
  </div>`;
}

/** The picture comes as a text; it is read as SVG, never as HTML. */
async function drawGraph(workflow: Workflow): Promise<Element> {
  const { graphSvg } = await import("wavepoint/graph");
  return document.importNode(new DOMParser().parseFromString(graphSvg(workflow), "image/svg+xml").documentElement, true);
}

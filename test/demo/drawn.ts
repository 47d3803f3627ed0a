import { render, type nothing, type TemplateResult } from "lit-html";

/** Draws a part into a page of its own and gives the element that holds it. */
export function drawn(part: TemplateResult | typeof nothing): HTMLElement {
  const holder = document.createElement("div");
  document.body.replaceChildren(holder);
  render(part, holder);
  return holder;
}

/** The text of an element as someone reads it: spaces and line breaks of the source folded. */
export function textOf(element: Element | null | undefined): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}

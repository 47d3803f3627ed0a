import { html, type TemplateResult } from "lit-html";

interface HeroProps {
  /** The live run, once its code is here. */
  readonly live: HTMLElement | undefined;
}

/** It stands in the page from the first byte on, so that it is read while the engine is still on its way. */
const element = document.querySelector<HTMLElement>(".hero");

/** What this is, in ten seconds: a sentence, how to get it, a piece of a workflow, and a run to break. */
export function hero({ live }: HeroProps): TemplateResult {
  if (!element) throw new Error("The page lacks its .hero element.");
  const place = element.querySelector(".hero-live")!;
  if (live && place.firstChild !== live) place.replaceChildren(live);
  return html`${element}`;
}

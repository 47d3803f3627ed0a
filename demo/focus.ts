import type { WavepointPrompt, WavepointRun } from "wavepoint/elements";

/** Puts the focus on the heading of what the open run shows. Gives whether there was one. A conversation above it stays in sight. */
export function focusStage(root: ParentNode): boolean {
  return focusHeadingOf(root.querySelector<WavepointRun>("wavepoint-run"), root.querySelector(".talk-place") !== null);
}

/** Puts the focus on the heading of the form that starts a run. Gives whether there was one. */
export function focusStart(root: ParentNode): boolean {
  return focusHeadingOf(root.querySelector<WavepointPrompt>("wavepoint-prompt"));
}

function focusHeadingOf(element: WavepointRun | WavepointPrompt | null, preventScroll = false): boolean {
  // Not before the elements are there, which are loaded behind the page.
  if (!element || !("draw" in element)) return false;
  element.draw();
  const heading = element.querySelector<HTMLElement>('[part~="heading"]');
  heading?.focus({ preventScroll });
  return heading !== null;
}

/** Puts the focus on the heading of the page. Gives whether there was one. */
export function focusHeading(root: ParentNode): boolean {
  const heading = root.querySelector<HTMLElement>("main h1");
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

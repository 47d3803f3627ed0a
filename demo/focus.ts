import type { WavepointPrompt, WavepointRun } from "wavepoint/elements";

/** Puts the focus on the heading of what the open run shows, or of its page where a conversation comes first. Gives whether there was one. */
export function focusStage(root: ParentNode): boolean {
  return root.querySelector(".talk-place") ? focusHeading(root) : focusHeadingOf(root.querySelector<WavepointRun>("wavepoint-run"));
}

/** Puts the focus on the heading of the form that starts a run. Gives whether there was one. */
export function focusStart(root: ParentNode): boolean {
  return focusHeadingOf(root.querySelector<WavepointPrompt>("wavepoint-prompt"));
}

function focusHeadingOf(element: WavepointRun | WavepointPrompt | null): boolean {
  // Not before the elements are there, which are loaded behind the page.
  if (!element || !("draw" in element)) return false;
  element.draw();
  const heading = element.querySelector<HTMLElement>('[part~="heading"]');
  heading?.focus();
  return heading !== null;
}

/** Puts the focus on what says that the open run is at a server. Gives whether that was there. */
export function focusAway(root: ParentNode): boolean {
  const heading = root.querySelector<HTMLElement>("#away-title");
  heading?.focus();
  return heading !== null;
}

/** Puts the focus on the heading of the page. Gives whether there was one. */
export function focusHeading(root: ParentNode): boolean {
  const heading = root.querySelector<HTMLElement>("main h1");
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

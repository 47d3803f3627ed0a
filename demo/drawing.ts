import { render, type TemplateResult } from "lit-html";

/** Changes are drawn at most once in this time, in milliseconds: about a frame. */
const FRAME_MS = 16;
/** How often "2 minutes ago" is looked at again. */
const TICK_MS = 30_000;

/** Draws the page when something changed, at most once for all changes of a moment. */
export interface Drawing {
  draw(): void;
  /** Calls the function after each drawing until it gives true. A later one takes its place. */
  afterwards(act: () => boolean): void;
}

interface DrawingOptions {
  readonly root: HTMLElement;
  page(): TemplateResult;
  title(): string;
}

/** Makes the one place that touches the document. */
export function createDrawing({ root, page, title }: DrawingOptions): Drawing {
  let isDue = false;
  let drawnAt = 0;
  let tick: ReturnType<typeof setTimeout> | undefined;
  let pending: (() => boolean) | undefined;
  root.replaceChildren();

  return {
    draw,
    afterwards(act) {
      pending = act;
      draw();
    },
  };

  function draw(): void {
    if (isDue) return;
    isDue = true;
    const restMs = drawnAt + FRAME_MS - performance.now();
    if (restMs > 0) setTimeout(drawNow, restMs);
    else queueMicrotask(drawNow);
  }

  function drawNow(): void {
    isDue = false;
    render(page(), root);
    if (pending?.()) pending = undefined;
    document.title = title();
    clearTimeout(tick);
    tick = setTimeout(draw, TICK_MS);
    drawnAt = performance.now();
  }
}

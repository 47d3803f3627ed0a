import { render, type TemplateResult } from "lit-html";

/** How often running blocks show their time, and how often "2 minutes ago" is looked at again. */
const FAST_TICK_MS = 200;
const SLOW_TICK_MS = 30_000;

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
  /** Whether times on the page move. */
  isMoving(): boolean;
}

/** Makes the one place that touches the document. */
export function createDrawing({ root, page, title, isMoving }: DrawingOptions): Drawing {
  let isDue = false;
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
    queueMicrotask(() => {
      isDue = false;
      render(page(), root);
      if (pending?.()) pending = undefined;
      document.title = title();
      clearTimeout(tick);
      tick = setTimeout(draw, isMoving() ? FAST_TICK_MS : SLOW_TICK_MS);
    });
  }
}

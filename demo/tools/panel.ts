import type { Run } from "wavepoint";

/** One tool. It draws into its own element and is made when somebody looks at it for the first time. */
export interface ToolPanel {
  readonly element: HTMLElement;
  /** Somebody looks at it, or the page shows another run, or none. */
  show(run: Run | undefined): void;
  /** Nobody looks at it any more: what it follows it need not follow. */
  hide(): void;
}

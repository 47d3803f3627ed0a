import type { Run } from "wavepoint";

/** One tool. It draws into its own element and is made when it is first opened. */
export interface ToolPanel {
  readonly element: HTMLElement;
  /** It was opened, or the page shows another run, or none. */
  show(run: Run | undefined): void;
  /** It was closed: it can stop following things. */
  hide(): void;
}

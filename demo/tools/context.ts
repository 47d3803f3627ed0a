import type { Engine } from "../engine.ts";
import type { Examples } from "../examples.ts";

/** What the tools need from the page. */
export interface ToolsContext {
  readonly engine: Engine;
  readonly examples: Examples;
  /**
   * Keeps a workflow in this browser, in the place of the one of its name. What starts from now on is of this one; runs under way keep the
   * definition they have. Gives whether it survives a reload.
   */
  keepWorkflow(name: string, source: string): Promise<boolean>;
  /** Takes the own workflow of a name away; one that came with the page is again as it came. */
  forgetWorkflow(name: string): Promise<void>;
  /** Shows the page of a run. */
  openRun(run: string): void;
  /** Shows the page of a workflow, with the form that starts it. */
  openWorkflow(name: string): void;
  /** Deletes a run after asking again. */
  remove(run: string): void;
  /** Takes in a run file and shows its run. Throws what is wrong with the file. */
  takeIn(file: File): Promise<void>;
}

import { nothing, type TemplateResult } from "lit-html";
import type { Workflow } from "../../core/model/workflow.ts";
import { WavepointElement } from "./element-base.ts";
import { localeOf } from "./locale.ts";

/** `<wavepoint-waves>`: the blocks of a run as a graph that shows where it is, and as a list. */
export class WavepointWaves extends WavepointElement {
  #workflow: Workflow | undefined;
  #waves: typeof import("./waves.ts") | undefined;

  /** The definition of the run, for the lines between its blocks. Default: none are drawn. */
  get workflow(): Workflow | undefined {
    return this.#workflow;
  }

  set workflow(workflow: Workflow | undefined) {
    this.#workflow = workflow;
    this.requestDraw();
  }

  protected override template(): TemplateResult | typeof nothing {
    const { run } = this;
    if (!run) return nothing;
    if (!this.#waves) void this.attempt(() => this.#load());
    return (
      this.#waves?.wavesTemplate({
        element: this,
        view: run.getSnapshot(),
        workflow: this.#workflow,
        messages: this.messages,
        locale: localeOf(this),
      }) ?? nothing
    );
  }

  async #load(): Promise<void> {
    this.#waves = await import("./waves.ts");
    this.requestDraw();
  }
}

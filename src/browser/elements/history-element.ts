import { nothing, type TemplateResult } from "lit-html";
import type { Executor } from "../../core/engine/face.ts";
import { WavepointElement } from "./element-base.ts";
import type { History } from "./history.ts";
import { localeOf } from "./locale.ts";

/** `<wavepoint-history>`: where a run comes from and what was forked from it, its checkpoints, what differs between them, and forks. */
export class WavepointHistory extends WavepointElement {
  #executor: Executor | undefined;
  #history: History | undefined;

  /** The executor that has the run. */
  get executor(): Executor | undefined {
    return this.#executor;
  }

  set executor(executor: Executor | undefined) {
    this.#executor = executor;
    this.follow();
  }

  protected override follow(): void {
    this.#history = undefined;
    const { run, executor } = this;
    if (run && executor && this.isConnected) {
      void this.attempt(async () => {
        const { createHistory } = await import("./history.ts");
        if (this.run !== run || this.executor !== executor) return;
        this.#history = createHistory({
          run,
          executor,
          element: this,
          id: this.idPrefix,
          language: () => ({ messages: this.messages, locale: localeOf(this) }),
          onOpened: (opened) => this.tell("wavepoint-run-changed", { run: opened }),
          attempt: (act) => void this.attempt(act),
        });
        this.requestDraw();
      });
    }
    super.follow();
  }

  protected override template(): TemplateResult | typeof nothing {
    return this.#history?.template() ?? nothing;
  }

  protected override drawn(): void {
    this.#history?.drawn();
  }
}

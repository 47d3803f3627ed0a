import type { Run } from "wavepoint";
import type { Renderer } from "./renderers.ts";

/** A question, and the library that is to draw it. */
export interface ForeignQuestion {
  readonly run: Run;
  readonly pause: string;
  readonly renderer: Renderer;
}

const NAME = "demo-foreign-question";

/** `<demo-foreign-question>`: an open question of a run, drawn by a library that is not ours. Throws as an event: `demo-problem`. */
class ForeignQuestionElement extends HTMLElement {
  #question: ForeignQuestion | undefined;
  #takeAway: (() => void) | undefined;

  get question(): ForeignQuestion | undefined {
    return this.#question;
  }

  set question(next: ForeignQuestion | undefined) {
    const before = this.#question;
    if (next?.run === before?.run && next?.pause === before?.pause && next?.renderer === before?.renderer) return;
    const hadFocus = this.contains(document.activeElement);
    this.#clear();
    this.#question = next;
    if (next) void this.#draw(next, hadFocus);
  }

  disconnectedCallback(): void {
    this.question = undefined;
  }

  async #draw(question: ForeignQuestion, takesFocus: boolean): Promise<void> {
    const { run, pause, renderer } = question;
    const waiting = document.createElement("p");
    waiting.className = "quiet";
    waiting.textContent = `Loading ${renderer.title}…`;
    this.replaceChildren(waiting);
    // The question before is gone, and the keyboard must not fall to the top of the page.
    if (takesFocus) this.focus();
    try {
      const draw = await renderer.load();
      if (this.#question !== question) return;
      const container = document.createElement("div");
      this.replaceChildren(container);
      this.#takeAway = draw(container, { run, pause });
    } catch (thrown) {
      this.dispatchEvent(new CustomEvent("demo-problem", { detail: { error: thrown } }));
    }
  }

  #clear(): void {
    this.#takeAway?.();
    this.#takeAway = undefined;
    this.replaceChildren();
  }
}

/** Registers the element; the first call does. */
export function defineForeignQuestion(): void {
  if (!customElements.get(NAME)) customElements.define(NAME, ForeignQuestionElement);
}

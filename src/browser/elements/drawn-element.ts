import { nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { WavepointElement, type WavepointEvents } from "./element-base.ts";
import { localeOf } from "./locale.ts";
import type { Language } from "./value-text.ts";

/** Draws a part of a run that has an element of its own. */
export interface Drawing {
  template(): TemplateResult;
  /** Called after each drawing. */
  drawn(): void;
  /** Called when another drawing replaces it, or the element left the page. */
  end?(): void;
}

/** What a drawing gets from its element. */
export interface DrawingOptions<Source> {
  readonly run: Run;
  readonly source: Source;
  readonly element: WavepointElement;
  /** The prefix of its ids. */
  readonly id: string;
  language(): Language;
  tell(name: keyof WavepointEvents, detail: unknown): void;
  attempt(act: () => Promise<void>): void;
}

/** An element with a drawing of its own, made anew for each run and each source. */
export abstract class DrawnElement<Source extends object> extends WavepointElement {
  #drawing: Drawing | undefined;
  #source: Source | undefined;
  /** Whether a change of the run was drawn since the last frame, and whether there was another one after it. */
  #isFrameDrawn = false;
  #isStale = false;

  /** Loads the code that draws; nothing if it is loaded. */
  protected abstract load(): Promise<void> | undefined;

  /** Gives the function that makes the drawing; nothing while there is too little to draw from. */
  protected abstract creator(source: Source | undefined): ((options: DrawingOptions<Source | undefined>) => Drawing) | undefined;

  protected get source(): Source | undefined {
    return this.#source;
  }

  protected set source(source: Source | undefined) {
    this.#source = source;
    this.follow();
  }

  protected override follow(): void {
    super.follow();
    this.#endDrawing();
    const { run } = this;
    const source = this.#source;
    if (!run || !this.isConnected) return;
    this.#drawing = this.creator(source)?.({
      run,
      source,
      element: this,
      id: this.idPrefix,
      language: () => ({ messages: this.messages, locale: localeOf(this) }),
      tell: (name, detail) => this.tell(name, detail),
      attempt: (act) => void this.attempt(act),
    });
  }

  /** Draws soon. If the run changes again before the next frame, draws once more in that frame: a thousand blocks may finish in one. */
  protected override runChanged(): void {
    if (this.#isFrameDrawn) {
      this.#isStale = true;
      return;
    }
    this.#isFrameDrawn = true;
    this.requestDraw();
    requestAnimationFrame(() => {
      this.#isFrameDrawn = false;
      if (this.#isStale) this.runChanged();
      this.#isStale = false;
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Not only with the first run: a page may lose the network before.
    const loading = this.load();
    if (loading) void this.attempt(() => loading.then(() => this.follow()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endDrawing();
  }

  #endDrawing(): void {
    this.#drawing?.end?.();
    this.#drawing = undefined;
  }

  protected override template(): TemplateResult | typeof nothing {
    return this.#drawing?.template() ?? nothing;
  }

  protected override drawn(): void {
    this.#drawing?.drawn();
  }
}

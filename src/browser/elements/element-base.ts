import { render, type nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { ActivationGuard } from "./activation-guard.ts";
import { adoptStyles } from "./adopt-styles.ts";
import { en, type Messages } from "./messages.ts";
import { STYLES } from "./styles.ts";
import type { RevisionPreview } from "../../core/model/history.ts";
import type { RunResult } from "../../core/model/result.ts";

/** The events of the elements. All of them bubble. */
export interface WavepointEvents {
  /** `<wavepoint-history>` has opened or forked a run: show it. */
  readonly "wavepoint-run-changed": CustomEvent<{ readonly run: Run }>;
  /** Nothing of the run executes any more: it asks, or has ended. */
  readonly "wavepoint-settled": CustomEvent<{ readonly result: RunResult }>;
  /** The consequences of a changed answer appear, or disappear: a graph may mark them. */
  readonly "wavepoint-preview": CustomEvent<{ readonly preview: RevisionPreview | undefined }>;
  /** A call threw an error, or an answer came too late. */
  readonly "wavepoint-problem": CustomEvent<{ readonly error: unknown }>;
}

// A server that renders the page has no elements; there the classes only need to exist.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/** The default level of headings. */
const OWN_LEVEL = 2;
let count = 0;

/** An element that shows a run, drawn into itself: the page's own styles and scripts reach all of it. */
export abstract class WavepointElement extends Base {
  /** The prefix of all ids in the element, so that a page can have two of a kind. */
  protected readonly idPrefix: string = `wavepoint-${++count}`;
  #run: Run | undefined;
  #leaveRun: (() => void) | undefined;
  #messages: Messages = en;
  #isWaiting = false;
  #isUsed = false;
  #stage: string | undefined;
  #headingLevel = OWN_LEVEL;
  readonly #guard = new ActivationGuard(this);

  /** The run that is shown. */
  get run(): Run | undefined {
    return this.#run;
  }

  set run(run: Run | undefined) {
    if (run === this.#run) return;
    this.#run = run;
    this.follow();
  }

  /** The texts of the element. Default: English. */
  get messages(): Messages {
    return this.#messages;
  }

  set messages(messages: Messages) {
    this.#messages = messages;
    this.requestDraw();
  }

  connectedCallback(): void {
    takeEarlyProperties(this);
    this.addEventListener("focusin", this.#onFocus);
    this.#guard.connect();
    this.follow();
  }

  disconnectedCallback(): void {
    this.#leaveRun?.();
    this.#leaveRun = undefined;
    this.removeEventListener("focusin", this.#onFocus);
    this.#guard.disconnect();
  }

  /** Draws the element at once. */
  draw(): void {
    if (!this.isConnected) return;
    adoptStyles(this, STYLES);
    render(this.template(), this);
    this.#setHeadingLevel();
    this.drawn();
  }

  /** Draws the element soon: once, however often it is called until then. */
  requestDraw(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      this.draw();
    });
  }

  protected abstract template(): TemplateResult | typeof nothing;

  /** Called after each drawing. */
  protected drawn(): void {}

  /** Listens to what the element shows, instead of what it showed before. */
  protected follow(): void {
    this.#leaveRun?.();
    this.#leaveRun = undefined;
    if (this.isConnected) this.#leaveRun = this.#run?.subscribe(() => this.runChanged());
    this.requestDraw();
  }

  /** Called with each change of the run. */
  protected runChanged(): void {
    this.requestDraw();
  }

  /**
   * Notes what the element shows now. If that changed, and the focus was in the element and is nowhere else now, moves the focus to the heading. `part`:
   * the part of it that asks for a click now.
   */
  protected showStage(stage: string, part = ""): void {
    this.#guard.shows(`${stage} ${part}`);
    const before = this.#stage;
    this.#stage = stage;
    if (before === undefined || before === stage || !this.#isUsed) return;
    const { activeElement, body } = this.ownerDocument;
    if (!activeElement || activeElement === body || this.matches(":focus-within"))
      this.querySelector<HTMLElement>("[part~=heading]")?.focus();
  }

  protected tell(name: keyof WavepointEvents, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /** Calls a function, and reports its error as an event. */
  protected async attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.tell("wavepoint-problem", { error });
      return undefined;
    }
  }

  /** Headings are of the second level, unless an element around them says otherwise: `<wavepoint-run heading-level="3">`. */
  #setHeadingLevel(): void {
    const level = Number(this.closest("[heading-level]")?.getAttribute("heading-level") ?? OWN_LEVEL);
    // Headings say their own level, and looking for them in a large graph takes longer than drawing what changed.
    if (level === OWN_LEVEL && this.#headingLevel === OWN_LEVEL) return;
    this.#headingLevel = level;
    for (const heading of this.querySelectorAll("h2, h3")) heading.ariaLevel = String(level + (heading.localName === "h3" ? 1 : 0));
  }

  #onFocus = (): void => {
    this.#isUsed = true;
  };
}

/** A page may set properties before the element is defined; they would hide those of the class. */
function takeEarlyProperties(element: object): void {
  for (const name of Object.keys(element)) {
    if (!(name in Object.getPrototypeOf(element))) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}

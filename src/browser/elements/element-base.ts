import { render, type nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { ActivationGuard } from "./activation-guard.ts";
import { adoptStyles } from "./adopt-styles.ts";
import { en, type Messages } from "./messages.ts";
import { STYLES } from "./styles.ts";
import type { RevisionPreview } from "../../core/model/history.ts";
import type { RunResult } from "../../core/model/result.ts";

/** What the elements tell; all of it bubbles. */
export interface WavepointEvents {
  /** `<wavepoint-history>` has opened or forked a run, which is to be shown. */
  readonly "wavepoint-run-changed": CustomEvent<{ readonly run: Run }>;
  /** Nothing of the run executes any more: it asks, or is over. */
  readonly "wavepoint-settled": CustomEvent<{ readonly result: RunResult }>;
  /** What a changed answer would do is shown, and then no longer: a graph may mark it. */
  readonly "wavepoint-preview": CustomEvent<{ readonly preview: RevisionPreview | undefined }>;
  /** Something was thrown, or an answer came too late. */
  readonly "wavepoint-problem": CustomEvent<{ readonly error: unknown }>;
}

// A server that renders the page has no elements; there the classes only need to exist.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/** The level of headings where nothing else is said. */
const OWN_LEVEL = 2;
let count = 0;

/** An element that shows a run, drawn into itself: the page's own styles and scripts reach all of it. */
export abstract class WavepointElement extends Base {
  /** Begins the ids of all that is in the element, so that two of a kind can stand in one page. */
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

  /** What the element says by itself. Default: English. */
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

  /** Draws the element as it stands, at once. */
  draw(): void {
    if (!this.isConnected) return;
    adoptStyles(this, STYLES);
    render(this.template(), this);
    this.#setHeadingLevel();
    this.drawn();
  }

  /** Draws the element once, soon, however often it is called until then. */
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

  /** Begins to listen to what is shown, in place of what was listened to before. */
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
   * Sets what the element shows now. If that changed, and the focus was in the element and is nowhere else in the page now, it moves to
   * the heading. `part`: which part of it asks for a click now.
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

  /** Does something that may throw, and tells what it threw. */
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

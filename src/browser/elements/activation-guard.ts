/** How long after something new is shown a click, Enter or Space still counts as meant for what stood there before. */
const QUIET_MS = 400;

/** Set on the element for that time. */
const NEW = "data-new";

/**
 * Keeps one click from answering two questions. A button takes nothing within 400 ms after the element shows something new, unless something was
 * typed into that, and nothing from a pointer or key that went down while something else was shown. It stays as it is meanwhile, with the focus that it may have: what is ignored says
 * nothing, and what is typed or ticked is kept.
 */
export class ActivationGuard {
  readonly #element: HTMLElement;
  #shown = "";
  #shownAt = -Infinity;
  /** What was shown when a pointer or a key went down; known until a moment after it went up, when its click has come. */
  #aim: string | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #forgetting: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  connect(): void {
    this.#listen("addEventListener");
  }

  disconnect(): void {
    this.#listen("removeEventListener");
    clearTimeout(this.#quiet);
    clearTimeout(this.#forgetting);
    this.#aim = undefined;
    this.#element.removeAttribute(NEW);
  }

  /** Says what is shown from now on. */
  shows(what: string): void {
    if (what === this.#shown) return;
    this.#shown = what;
    this.#shownAt = performance.now();
    // The pointer goes through the buttons: a program that waits until it can click one, as those that test pages do, waits long enough.
    this.#element.setAttribute(NEW, "");
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#element.removeAttribute(NEW), QUIET_MS);
  }

  #listen(how: "addEventListener" | "removeEventListener"): void {
    for (const type of ["pointerdown", "keydown"]) this.#element[how](type, this.#onDown, true);
    for (const type of ["pointerup", "pointercancel", "keyup", "blur"]) globalThis[how](type, this.#onUp, true);
    // Enter in a field is a click on the button that sends.
    this.#element[how]("click", this.#onClick, true);
    this.#element[how]("input", this.#onInput, true);
  }

  #onDown = (event: Event): void => {
    // A key that is held goes on meaning what it meant when it went down.
    if ("repeat" in event && event.repeat) return;
    clearTimeout(this.#forgetting);
    this.#aim = this.#shown;
  };

  #onUp = (event: Event): void => {
    // Of the window alone: the focus of a page goes elsewhere while a key is held, too.
    if (event.type === "blur" && event.target !== globalThis) return;
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => (this.#aim = undefined), QUIET_MS);
  };

  /** Who types into it has seen it. */
  #onInput = ({ target }: Event): void => {
    if (!(target as Element).matches("[type=checkbox], [type=radio]")) this.#shownAt = -Infinity;
  };

  #onClick = (event: Event): void => {
    if (!(event.target as Element).closest("button")) return;
    const isTooSoon = event.timeStamp - this.#shownAt < QUIET_MS;
    if (!isTooSoon && (this.#aim === undefined || this.#aim === this.#shown)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

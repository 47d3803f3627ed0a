import { questionIds } from "./parts/question.ts";

/**
 * Keeps the keyboard where the person is. Call it before the page is drawn, and what it gives afterwards: if the part of the stage that had
 * the focus is gone (an answered question, a finished wait), the focus moves on to what the stage shows now. It is never taken from a field.
 */
export function followStage(root: ParentNode): () => void {
  const focused = document.activeElement;
  const wasOnStage = focused?.closest(".stage") !== null && focused?.closest(".stage") !== undefined;
  return () => {
    if (wasOnStage && !document.activeElement?.closest(".stage")) focusStage(root);
  };
}

/** Puts the focus on the first question, or on the heading of what the stage shows. Gives whether there was one. */
export function focusStage(root: ParentNode): boolean {
  const form = root.querySelector<HTMLElement>(".stage form[data-pause]");
  const target = (form && controlOf(form)) ?? root.querySelector<HTMLElement>("#stage-title");
  target?.focus();
  return target !== null;
}

/** Puts the focus on the heading of the page, and the page at its top. Gives whether there was one. */
export function focusHeading(root: ParentNode): boolean {
  const heading = root.querySelector<HTMLElement>("main h1");
  heading?.focus({ preventScroll: true });
  if (heading) scrollTo({ top: 0 });
  return heading !== null;
}

/** Puts the focus on the control of a question whose answer did not do, or on the list of what is wrong with it. Gives whether the question is there. */
export function focusQuestion(pause: string): boolean {
  return focusForm(questionIds(pause).form);
}

/** Puts the focus where someone begins with a form, or on the list of what is wrong in it. Gives whether the form is there. */
export function focusForm(id: string): boolean {
  const form = document.getElementById(id);
  if (form) controlOf(form)?.focus();
  return form !== null;
}

/** Puts the focus on what is shown where an answer is changed: its form, or what would follow. Gives whether there is one. */
export function focusChange(): boolean {
  const part = document.querySelector<HTMLElement>(".changing");
  const form = part?.querySelector("form");
  const target = part && (form ? controlOf(form) : part.querySelector<HTMLElement>("h3"));
  target?.focus();
  return target !== null && target !== undefined;
}

/** Puts the focus on the button that changes an answer. Gives whether it is there. */
export function focusChangeButton(pause: string): boolean {
  const button = document.querySelector<HTMLElement>(`[data-change="${CSS.escape(pause)}"]`);
  button?.focus();
  return button !== null;
}

// Two buttons get no focus of their own: an Enter held too long would answer. Their question is read instead.
function controlOf(form: HTMLElement): HTMLElement | null {
  const first = form.querySelector(".form-fields")?.querySelector<HTMLElement>("input, select, textarea");
  return (
    form.querySelector<HTMLElement>(".error-summary") ??
    first ??
    form.querySelector<HTMLElement>("input:checked") ??
    form.querySelector<HTMLElement>("input, textarea") ??
    form.querySelector<HTMLElement>("legend")
  );
}

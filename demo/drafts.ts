/** What someone typed into a form so far, and why it did not do. */
export interface Draft {
  readonly draft: string;
  /** Why the last try did not do. */
  readonly error?: string | undefined;
  /** The same field by field, where the form has several. */
  readonly fieldErrors?: ReadonlyMap<string, string> | undefined;
  keepDraft(text: string): void;
}

const PREFIX = "wavepoint-demo:draft:";

/** What was typed into a form that belongs to no run yet, and not sent; survives a reload of this tab. */
export function readDraft(form: string): string {
  return tabStorage()?.getItem(PREFIX + form) ?? "";
}

/** Keeps what was typed into a form. */
export function keepDraft(form: string, text: string): void {
  tabStorage()?.setItem(PREFIX + form, text);
}

/** Forgets a draft once its form is settled. */
export function dropDraft(form: string): void {
  tabStorage()?.removeItem(PREFIX + form);
}

function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    // A browser that keeps nothing for this page refuses even to be asked.
    return undefined;
  }
}

const PREFIX = "wavepoint-demo:draft:";

/** What was typed into a form that belongs to no run, and not sent; survives a reload of this tab. Empty where there is nothing. */
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

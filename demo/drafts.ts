const PREFIX = "wavepoint-demo:draft:";

/** What was typed for a question and not sent yet; survives a reload of this tab. */
export function readDraft(pause: string): string {
  return tabStorage()?.getItem(PREFIX + pause) ?? "";
}

/** Keeps what was typed for a question. */
export function keepDraft(pause: string, text: string): void {
  tabStorage()?.setItem(PREFIX + pause, text);
}

/** Forgets a draft once its question is settled. */
export function dropDraft(pause: string): void {
  tabStorage()?.removeItem(PREFIX + pause);
}

function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    // A browser that keeps nothing for this page refuses even to be asked.
    return undefined;
  }
}

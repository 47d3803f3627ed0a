const PREFIX = "wavepoint-demo:draft:";

/** What was typed for a question and not sent yet; survives a reload of this tab. */
export function readDraft(pause: string): string {
  return sessionStorage.getItem(PREFIX + pause) ?? "";
}

/** Keeps what was typed for a question. */
export function keepDraft(pause: string, text: string): void {
  sessionStorage.setItem(PREFIX + pause, text);
}

/** Forgets a draft once its question is settled. */
export function dropDraft(pause: string): void {
  sessionStorage.removeItem(PREFIX + pause);
}

import { html, type TemplateResult } from "lit-html";
import type { Entry, Store } from "wavepoint";
import { entryText } from "wavepoint/dashboard";
import { readJournal } from "../hero/journal.ts";

/** Entries that are shown. */
const SHOWN = 200;

/** What is stored of a run, entry by entry. */
export interface JournalList {
  /** Reads the journal of this run, again where it was read before. */
  read(run: string): void;
  template(): TemplateResult;
}

/** Makes the list of the newest entries of a run, read past the engine as they are stored. */
export function journalList(store: Store, onChange: () => void, onProblem: (thrown: unknown) => void): JournalList {
  let entries: readonly Entry[] = [];
  let shown: string | undefined;
  return {
    read: (run) => void readAgain(run),
    template: () =>
      html`<ol class="journal" aria-label="The journal, newest entry first">
        ${entries
          .toReversed()
          .map((entry) => html`<li data-type=${entry.type}><code>${entry.type}</code> <span>${entryText(entry)}</span></li>`)}
      </ol>`,
  };

  async function readAgain(run: string): Promise<void> {
    if (run !== shown) entries = [];
    shown = run;
    try {
      const read = await readJournal(store, run, SHOWN);
      if (shown !== run) return;
      entries = read;
      onChange();
    } catch (thrown) {
      onProblem(thrown);
    }
  }
}

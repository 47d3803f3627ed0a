import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { JournalRecord } from "../../core/model/journal.ts";
import type { Page } from "../../core/ports/store.ts";
import type { Run } from "../../core/run/run.ts";
import { localeOf } from "../elements/locale.ts";
import { entryText } from "./entry-text.ts";
import { jsonText } from "./values-list.ts";
import { ReadingElement } from "./reading-element.ts";
import { preciseText } from "./wording.ts";

/** Entries of a page. */
const PAGE = 50;

/** `<wavepoint-journal>`: what happened in a run, entry by entry, newest first. */
export class WavepointJournal extends ReadingElement<Page<JournalRecord>> {
  #page: Page<JournalRecord> | undefined;
  /** What lies behind the newest page, as far as it was asked for. */
  #older: readonly JournalRecord[] = [];
  /** Where what comes next begins. */
  #next: string | undefined;
  #wantsOlder = false;
  #isReadingOlder = false;
  /** The key of the first row. Rows keep their place and take the newer entries, unless someone reads in them: then they go down with what they show. */
  #first = 0;

  protected override read(run: Run): Promise<Page<JournalRecord>> {
    return run.journal({ limit: PAGE });
  }

  protected override follow(): void {
    this.#page = undefined;
    this.#older = [];
    this.#next = undefined;
    this.#wantsOlder = false;
    super.follow();
  }

  protected override template(): TemplateResult | typeof nothing {
    const page = this.#page;
    if (!page) return html`<p part="hint">Reading the journal…</p>`;
    const records = [...page.items, ...this.#older];
    return html`<ol part="journal" reversed start=${(records[0]?.place ?? 0) + 1} aria-label="Entries, newest first">
        ${repeat(
          records,
          (_record, i) => this.#first + i,
          (record) => this.#row(record),
        )}
      </ol>
      ${
        this.#next !== undefined
          ? html`<button type="button" part="button" aria-disabled=${this.#isReadingOlder} @click=${() => void this.#readOlder()}>
              Show older entries
            </button>`
          : nothing
      }`;
  }

  /** Takes the newest page. Once older entries were asked for, those that it no longer holds are kept, unless so much came that some are missing. */
  protected override wasRead(page: Page<JournalRecord>): void {
    const last = page.items.at(-1)?.place ?? 0;
    const older = this.#wantsOlder ? [...(this.#page?.items ?? []), ...this.#older].filter(({ place }) => place < last) : [];
    const newer = (page.items[0]?.place ?? 0) - (this.#page?.items[0]?.place ?? 0);
    if (this.querySelector("[part~=journal] :focus, details[open]")) this.#first -= newer;
    const isWhole = this.#wantsOlder && (older.length === 0 || older[0]!.place === last - 1);
    this.#page = page;
    this.#older = isWhole ? older : [];
    if (!isWhole) this.#next = page.next;
    this.#wantsOlder = isWhole;
    this.requestDraw();
  }

  async #readOlder(): Promise<void> {
    const after = this.#next;
    const { run } = this;
    if (this.#isReadingOlder || after === undefined) return;
    this.#isReadingOlder = true;
    this.#wantsOlder = true;
    await this.attempt(async () => {
      const { items, next } = await run!.journal({ limit: PAGE, after });
      // Another run may be shown by now, or the newest page may have left the older ones behind.
      if (run !== this.run || after !== this.#next) return;
      this.#older = [...this.#older, ...items];
      this.#next = next;
    });
    this.#isReadingOlder = false;
    this.requestDraw();
  }

  #row({ place, at, entry }: JournalRecord): TemplateResult {
    return html`<li part="journal-row" value=${place + 1} data-type=${entry.type}>
      <details>
        <summary>
          <time part="journal-time" datetime=${new Date(at).toISOString()}>${preciseText(at, localeOf(this).tag)}</time>
          <b>${entry.type}</b> <span part="journal-text">${entryText(entry)}</span>
        </summary>
        <pre tabindex="0" role="region" aria-label=${`Entry ${place + 1}`}><code>${jsonText(entry)}</code></pre>
      </details>
    </li>`;
  }
}

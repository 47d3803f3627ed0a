import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { JournalRecord } from "../../core/model/journal.ts";
import type { Page } from "../../core/ports/store.ts";
import { adoptStyles } from "../elements/adopt-styles.ts";
import { WavepointElement } from "../elements/element-base.ts";
import { localeOf } from "../elements/locale.ts";
import { entryText } from "./entry-text.ts";
import { jsonText } from "./json-text.ts";
import { PART_STYLES } from "./part-styles.ts";
import { createReader, type Reader } from "./reader.ts";
import { preciseText } from "./wording.ts";

/** Entries of a page. */
const PAGE = 50;

/** `<wavepoint-journal>`: what happened in a run, entry by entry, newest first. */
export class WavepointJournal extends WavepointElement {
  #reader: Reader<Page<JournalRecord>> | undefined;
  /** Pages behind the newest one, as far as they were asked for. */
  #older: readonly JournalRecord[] = [];
  #next: string | undefined;
  #isReadingOlder = false;

  protected override follow(): void {
    this.#reader?.end();
    const { run } = this;
    this.#older = [];
    this.#next = undefined;
    this.#reader =
      run &&
      createReader({
        read: () => run.journal({ limit: PAGE }),
        onRead: () => this.requestDraw(),
        attempt: (act) => void this.attempt(act),
      });
    super.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reader?.end();
  }

  protected override drawn(): void {
    adoptStyles(this, PART_STYLES);
    if (this.run) this.#reader?.look(this.run.getSnapshot());
  }

  protected override template(): TemplateResult | typeof nothing {
    const page = this.#reader?.value;
    if (!page) return html`<p part="hint">Reading the journal…</p>`;
    const records = this.#records(page);
    const hasOlder = this.#olderThan(page) !== undefined;
    return html`<ol part="journal" reversed start=${(records[0]?.place ?? 0) + 1} aria-label="Entries, newest first">
        ${repeat(
          records,
          ({ place }) => place,
          (record) => this.#row(record),
        )}
      </ol>
      ${
        hasOlder
          ? html`<button type="button" part="button" aria-disabled=${this.#isReadingOlder} @click=${() => void this.#readOlder(page)}>
              Show older entries
            </button>`
          : nothing
      }`;
  }

  /** What came since stands on the newest page, which may have moved on behind the older ones: then those begin anew. */
  #records({ items }: Page<JournalRecord>): readonly JournalRecord[] {
    const last = items.at(-1)?.place ?? 0;
    if ((this.#older[0]?.place ?? -1) < last - 1 && this.#older.length > 0) {
      this.#older = [];
      this.#next = undefined;
    }
    return [...items, ...this.#older.filter(({ place }) => place < last)];
  }

  #olderThan(page: Page<JournalRecord>): string | undefined {
    return this.#older.length > 0 ? this.#next : page.next;
  }

  async #readOlder(page: Page<JournalRecord>): Promise<void> {
    const after = this.#olderThan(page);
    if (this.#isReadingOlder || after === undefined) return;
    this.#isReadingOlder = true;
    await this.attempt(async () => {
      const { items, next } = await this.run!.journal({ limit: PAGE, after });
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

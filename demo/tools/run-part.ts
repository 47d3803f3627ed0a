import { html, nothing, type TemplateResult } from "lit-html";
import type { BlobContent } from "wavepoint";
import { figure } from "./database-part.ts";
import type { RunLook, StoredBlob, StoredRecord } from "./storage-look.ts";
import { bytesText, textBytes } from "./stored-text.ts";

/** Characters of a blob or a note that are shown. */
const MAX_SHOWN = 4_000;

interface RunPartProps {
  readonly look: RunLook;
  showOlder(): void;
  save(): void;
  handOver(): void;
  remove(): void;
}

/** What the store keeps about one run. */
export function runPart({ look, showOlder, save, handOver, remove }: RunPartProps): TemplateResult {
  const { head, records, notes, checkpoints, blobs } = look;
  const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
  const hasAll = (records[0]?.place ?? 0) === 0;
  return html`<section class="tool-part" aria-labelledby="run-records-title">
    <h3 id="run-records-title">This run</h3>
    <dl class="figures">
      ${figure("Revision", `${head.revision}`, "commits so far; a writer must have seen the newest")}
      ${figure("Epoch", `${head.epoch}`, "how often a runner took it over")}
      ${figure("Records", `${head.entries}`, `${hasAll ? "" : "the newest "}${records.length === head.entries ? "" : `${records.length} take `}${bytesText(bytes)}`)}
      ${figure("Status", head.status, head.transferredTo === undefined ? "" : `handed over to ${head.transferredTo}`)}
    </dl>
    <p class="quiet"><code>${head.id}</code></p>
    <div class="row-actions">
      <button class="button small" type="button" @click=${save}>Save as a file</button>
      ${head.transferredTo === undefined ? html`<button class="button small" type="button" @click=${handOver}>Hand over</button>` : nothing}
      <button class="button small danger" type="button" @click=${remove}>Delete</button>
    </div>
    <details class="tool-details" open>
      <summary>Journal, newest first</summary>
      ${records[0] === undefined || hasAll ? nothing : html`<button class="button small" type="button" @click=${showOlder}>Read older records too</button>`}
      <ol class="records" reversed start=${(records.at(-1)?.place ?? 0) + 1}>
        ${records.toReversed().map(recordRow)}
      </ol>
    </details>
    <details class="tool-details">
      <summary>Notes: ${notes.length}</summary>
      <p class="quiet">Drafts and caches. They may be lost without harm to the truth.</p>
      <ul class="records">
        ${notes.map(({ key, text }) => stored(key, textBytes(text), text))}
      </ul>
    </details>
    <details class="tool-details">
      <summary>Blobs: ${blobs.length}</summary>
      <p class="quiet">Definitions and large values, each stored once, named by the hash of what it says.</p>
      <ul class="records">
        ${blobs.map(blobRow)}
      </ul>
    </details>
    <details class="tool-details">
      <summary>Checkpoints: ${checkpoints.length}</summary>
      <ul class="records">
        ${checkpoints.map(
          ({ id, kind, superseded }) =>
            html`<li class="record">
              <span class="record-head"
                ><b>${kind}</b> <code>${id}</code>${superseded ? html` <span class="quiet">superseded</span>` : nothing}</span
              >
            </li>`,
        )}
      </ul>
    </details>
  </section>`;
}

function recordRow({ place, type, text, bytes, isPacked, json }: StoredRecord): TemplateResult {
  return html`<li class="record" value=${place + 1} data-type=${type}>
    <details>
      <summary>
        <b>${type}</b> <span class="record-text">${text}</span>
        <span class="quiet">${bytesText(bytes)}${isPacked ? ", compressed" : ""}</span>
      </summary>
      <pre tabindex="0" role="region" aria-label=${`Record ${place + 1}`}><code>${json}</code></pre>
    </details>
  </li>`;
}

function blobRow({ hash, content, isDefinition }: StoredBlob): TemplateResult {
  const name = `${isDefinition ? "definition " : ""}${hash.slice(0, 12)}…`;
  if (content === undefined) return html`<li class="record"><b>${name}</b> <span class="quiet">is gone</span></li>`;
  return stored(name, typeof content === "string" ? textBytes(content) : content.length, shown(content));
}

function stored(name: string, bytes: number, text: string): TemplateResult {
  const isLong = text.length > MAX_SHOWN;
  return html`<li class="record">
    <details>
      <summary><b>${name}</b> <span class="quiet">${bytesText(bytes)}</span></summary>
      <pre tabindex="0" role="region" aria-label=${name}><code>${isLong ? `${text.slice(0, MAX_SHOWN)}…` : text}</code></pre>
    </details>
  </li>`;
}

function shown(content: BlobContent): string {
  if (typeof content !== "string") return `${content.length} bytes`;
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}

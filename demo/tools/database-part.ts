import { html, nothing, type TemplateResult } from "lit-html";
import { bytesText } from "./stored-text.ts";
import type { DatabaseLook } from "./storage-look.ts";

interface DatabasePartProps {
  readonly database: DatabaseLook;
  cleanUp(): void;
  readAgain(): void;
}

/** The figures of all runs together. */
export function databasePart({ database: { metrics, kind, usage, quota }, cleanUp, readAgain }: DatabasePartProps): TemplateResult {
  const statuses = Object.entries(metrics.runsByStatus).filter(([, count]) => count > 0);
  return html`<section class="tool-part" aria-labelledby="database-title">
    <h3 id="database-title">All runs</h3>
    <dl class="figures">
      ${figure("Runs", `${metrics.runs}`, statuses.map(([status, count]) => `${count} ${status}`).join(", "))}
      ${figure("Checkpoints", `${metrics.checkpoints}`, `${metrics.pausedCheckpoints} of them questions`)}
      ${metrics.damagedRuns > 0 ? figure("Damaged runs", `${metrics.damagedRuns}`, "They cannot be read; the others are not touched") : nothing}
      ${metrics.bytes === undefined ? nothing : figure("Stored", bytesText(metrics.bytes), WORDS.get(kind) ?? kind)}
      ${usage === undefined ? nothing : figure("This site takes", bytesText(usage), quota === undefined ? "" : `of ${bytesText(quota)} that it may have`)}
    </dl>
    <div class="row-actions">
      <button class="button small" type="button" @click=${readAgain}>Read again</button>
      <button class="button small" type="button" @click=${cleanUp}>Clean up</button>
    </div>
  </section>`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["indexeddb", "in IndexedDB"],
  ["memory", "in memory: gone after a reload"],
]);

/** A number with what it says, and a remark. */
export function figure(name: string, value: string, remark: string): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd><strong>${value}</strong>${remark === "" ? nothing : html` <span class="quiet">${remark}</span>`}</dd>
  </div>`;
}

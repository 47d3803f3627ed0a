import { html, type TemplateResult } from "lit-html";
import type { RunHead } from "wavepoint";
import { runStatusText } from "../wording.ts";
import { statusIcon } from "wavepoint/dashboard";

/** How a run stands, as icon and word. */
export function statusBadge(run: Pick<RunHead, "status" | "reason" | "transferredTo">): TemplateResult {
  // One that was stopped asks nothing.
  const shown = run.reason ?? run.status;
  return html`<span class="badge" data-status=${shown}>${statusIcon(shown)}${runStatusText(run)}</span>`;
}

import { html, type TemplateResult } from "lit-html";
import type { RunHead } from "wavepoint";
import { runStatusText } from "../wording.ts";
import { statusIcon } from "wavepoint/dashboard";

/** How a run stands, as icon and word. */
export function statusBadge(run: Pick<RunHead, "status" | "reason" | "transferredTo">): TemplateResult {
  return html`<span class="badge" data-status=${run.status}>${statusIcon(run.status)}${runStatusText(run)}</span>`;
}

import { html, type TemplateResult } from "lit-html";
import type { RunStatus } from "wavepoint";
import { statusIcon } from "./icons.ts";

const WORDS: Record<RunStatus, string> = {
  running: "Running",
  paused: "Waits for you",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** How a run stands, as icon and word. */
export function statusBadge(status: RunStatus): TemplateResult {
  return html`<span class="badge" data-status=${status}>${statusIcon(status)}${WORDS[status]}</span>`;
}

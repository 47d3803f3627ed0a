import { html, type TemplateResult } from "lit-html";
import type { RunHead, RunStatus } from "wavepoint";
import { statusIcon } from "./icons.ts";

const WORDS: Record<RunStatus, string> = {
  running: "Running",
  paused: "Waits for you",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** How a run stands, as icon and word. */
export function statusBadge({ status, reason }: Pick<RunHead, "status" | "reason">): TemplateResult {
  return html`<span class="badge" data-status=${status}>${statusIcon(status)}${reason ? "Stopped for now" : WORDS[status]}</span>`;
}

import { html, type TemplateResult } from "lit-html";
import type { RunHead, RunStatus } from "../../core/model/run.ts";
import { statusIcon } from "./status-icon.ts";

const WORDS: Readonly<Record<RunStatus, string>> = {
  running: "Running",
  paused: "Waiting",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** How a run stands, in a word. */
export function runStatusText({ status, reason, transferredTo }: Pick<RunHead, "status" | "reason" | "transferredTo">): string {
  if (transferredTo !== undefined) return "Handed over";
  return reason === "stopped" ? "Stopped" : WORDS[status];
}

/** The same with its icon. */
export function statusBadge(run: Pick<RunHead, "status" | "reason" | "transferredTo">): TemplateResult {
  return html`<span class="badge" data-status=${run.status}>${statusIcon(run.reason ? "stopped" : run.status)}${runStatusText(run)}</span>`;
}

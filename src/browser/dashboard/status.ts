import { svg, html, type TemplateResult } from "lit-html";
import type { RunStatus, RunHead } from "../../core/model/run.ts";
import type { BlockStatus } from "../../core/model/view.ts";

const SHAPES: Record<BlockStatus | RunStatus, TemplateResult> = {
  pending: svg`<circle cx="10" cy="10" r="6.5" stroke-dasharray="2.2 2.6" />`,
  running: svg`<path class="spin" d="M10 3.5a6.5 6.5 0 1 1-6.5 6.5" />`,
  completed: svg`<circle cx="10" cy="10" r="7.5" class="disc" /><path class="on-disc" d="m6.6 10.3 2.3 2.3 4.5-5" />`,
  failed: svg`<circle cx="10" cy="10" r="7.5" class="disc" /><path class="on-disc" d="m7.3 7.3 5.4 5.4m0-5.4-5.4 5.4" />`,
  paused: svg`<circle cx="10" cy="10" r="7.5" class="disc" /><path class="on-disc" d="M8 8.1c0-2.7 4-2.7 4-.1 0 1.7-2 1.6-2 3.2" /><path class="on-disc" d="M10 13.7v.1" />`,
  skipped: svg`<path d="M3.5 12.5c2.5-6 8.5-6 11-.5" /><path d="m15.6 8-.9 4.2-4-1.2" />`,
  stopped: svg`<rect x="5" y="5" width="10" height="10" rx="2" />`,
  waiting: svg`<circle cx="10" cy="10" r="7" /><path d="M10 5.8v4.4l2.8 1.8" />`,
  cancelled: svg`<circle cx="10" cy="10" r="7" /><path d="m5.2 5.2 9.6 9.6" />`,
};

/** The shape that stands for a status beside its word, so that colour is never the only sign. */
export function statusIcon(status: BlockStatus | RunStatus): TemplateResult {
  return html`<svg class="icon" data-status=${status} viewBox="0 0 20 20" aria-hidden="true" focusable="false">${SHAPES[status]}</svg>`;
}

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

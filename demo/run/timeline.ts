import { html, nothing, type TemplateResult } from "lit-html";
import type { BlockView, RunView, Step } from "wavepoint";
import { statusIcon } from "../parts/icons.ts";
import { runAddress } from "../router.ts";
import { attemptsText, blockStatusText, durationText, skipText, titleOf } from "../wording.ts";
import { itemsList } from "./items-list.ts";
import { timeScale, type Stretch } from "./time-scale.ts";

interface TimelineProps {
  readonly view: Pick<RunView, "waves" | "compensations" | "createdAt" | "endedAt" | "updatedAt" | "status">;
  readonly steps: readonly Step[];
  readonly now: number;
  /** How many attempts the retry policies of blocks allow, by block id. */
  readonly attempts?: ReadonlyMap<string, number>;
}

/** When each block of a run worked, and for how long: a line for each, in the order of the plan. */
export function timeline({ view, steps, now, attempts }: TimelineProps): TemplateResult {
  const blocks = [...view.waves.flatMap((wave) => wave.blocks), ...(view.compensations ?? [])];
  const bars = new Map(blocks.map((block) => [block.id, barsOf(block, steps, now)]));
  const all = [...bars.values()].flat();
  const work = all.map(({ from, workedUntil }) => ({ from, to: workedUntil }));
  const end = Math.max(view.createdAt + 1, ...all.map(({ to }) => to));
  const place = timeScale({ from: view.createdAt, to: end }, work);
  return html`<ol class="timeline" aria-label="Blocks, and when they worked">
    ${blocks.map((block) => line(block))}
  </ol>`;

  function line(block: BlockView): TemplateResult {
    const title = titleOf(block.id);
    const most = attempts?.get(block.id);
    const tried = attemptsText(block, most, now);
    return html`<li class="line" data-block=${block.id} data-status=${block.status}>
      <span class="line-name">${statusIcon(block.status)}<strong>${title}</strong></span>
      <span class="line-track" aria-hidden="true"
        >${bars
          .get(block.id)!
          .map(
            ({ from, to, workedUntil, status }) =>
              html`<span
                class="bar"
                data-status=${status}
                ?data-waits=${workedUntil < to}
                .style=${`--from: ${place(from)}; --to: ${place(to)}`}
              ></span>`,
          )}</span
      >
      <span class="block-facts"><span class="block-status">${blockStatusText(block.status)}</span> ${timeOf(block, now)}</span>
      ${tried === undefined ? nothing : html`<span class="line-more block-tried">${tried}</span>`}
      ${block.skipped ? html`<span class="line-more reason">${skipText(block.skipped)}</span>` : nothing}
      ${block.error ? html`<span class="line-more reason">${block.error.message}</span>` : nothing}
      ${block.child ? html`<a class="line-more" href=${runAddress(block.child)} aria-label=${`Open the called run of ${title}`}>Open the called run</a>` : nothing}
      ${block.items ? html`<div class="line-more">${itemsList({ title, items: block.items, attempts: most, now })}</div>` : nothing}
    </li>`;
  }
}

interface Bar extends Stretch {
  /** Later it only waits, for an answer or an instant. */
  readonly workedUntil: number;
  readonly status: BlockView["status"];
}

/** A bar for each execution of a block, and one for what it does now. */
function barsOf({ id, status, startedAt }: BlockView, steps: readonly Step[], now: number): readonly Bar[] {
  const over = steps.filter((step) => step.block === id && step.item === undefined && SETTLED.has(step.status));
  const bars = over.map((step): Bar => {
    const to = Math.max(step.at, step.startedAt + step.tookMs);
    return { from: step.startedAt, to, workedUntil: step.startedAt + step.tookMs, status: step.status };
  });
  const isOpen = status === "running" || status === "paused" || status === "waiting";
  if (!isOpen || startedAt === undefined || over.some((step) => step.startedAt === startedAt)) return bars;
  return [...bars, { from: startedAt, to: now, workedUntil: status === "running" ? now : startedAt, status }];
}

const SETTLED: ReadonlySet<BlockView["status"]> = new Set(["completed", "failed", "stopped"]);

function timeOf(block: BlockView, now: number): TemplateResult | typeof nothing {
  if (block.status === "paused" || block.status === "skipped" || block.status === "waiting") return nothing;
  if (block.tookMs !== undefined) return html`<span class="block-time">${durationText(block.tookMs)}</span>`;
  if (block.status !== "running" || block.startedAt === undefined) return nothing;
  return html`<span class="block-time">${durationText(Math.max(0, now - block.startedAt))}</span>`;
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { BlockView, RunView, Step } from "wavepoint";
import { runAddress } from "../router.ts";
import { attemptsText, blockStatusText, durationText, skipText, statusIcon } from "wavepoint/dashboard";
import { titleOf } from "../wording.ts";
import { itemsList } from "./items-list.ts";
import { timeScale, type Stretch } from "./time-scale.ts";

interface TimelineProps {
  readonly view: Pick<RunView, "waves" | "compensations" | "createdAt" | "endedAt" | "updatedAt" | "status">;
  readonly steps: readonly Step[];
  readonly now: number;
  /** How many attempts the retry policies of blocks allow, by block id. */
  readonly attempts?: ReadonlyMap<string, number>;
}

/** Blocks that are listed. */
const LISTED = 150;

/** When each block of a run worked, and for how long: a line for each, in the order of the plan. Of very many, those around what begins. */
export function timeline({ view, steps, now, attempts }: TimelineProps): TemplateResult {
  const all = [...view.waves.flatMap((wave) => wave.blocks), ...(view.compensations ?? [])];
  const newest = all.findLastIndex(({ status }) => status !== "pending" && status !== "skipped");
  const first = Math.max(0, Math.min(all.length - LISTED, newest - LISTED / 2));
  const blocks = all.slice(first, first + LISTED);
  const bars = barsOf(blocks, steps, now);
  const drawn = [...bars.values()].flat();
  const work = drawn.map(({ from, workedUntil }) => ({ from, to: workedUntil }));
  const end = Math.max(view.createdAt + 1, ...drawn.map(({ to }) => to));
  const place = timeScale({ from: view.createdAt, to: end }, work);
  return html`<ol class="timeline" aria-label="Blocks, and when they worked">
    ${first === 0 ? nothing : html`<li class="quiet">${first} before these. The graph shows all.</li>`}
    ${blocks.map((block) => line(block))}
    ${first + LISTED >= all.length ? nothing : html`<li class="quiet">and ${all.length - first - LISTED} more</li>`}
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
      ${block.skipped ? html`<span class="line-more reason">${skipText(block.skipped, titleOf)}</span>` : nothing}
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
function barsOf(blocks: readonly BlockView[], steps: readonly Step[], now: number): ReadonlyMap<string, readonly Bar[]> {
  const bars = new Map(blocks.map(({ id }): [string, Bar[]] => [id, []]));
  for (const { block, item, status, startedAt, tookMs, at } of steps) {
    if (item !== undefined || !SETTLED.has(status)) continue;
    bars.get(block)?.push({ from: startedAt, to: Math.max(at, startedAt + tookMs), workedUntil: startedAt + tookMs, status });
  }
  for (const { id, status, startedAt } of blocks) {
    const over = bars.get(id)!;
    const isOpen = status === "running" || status === "paused" || status === "waiting";
    if (!isOpen || startedAt === undefined || over.some(({ from }) => from === startedAt)) continue;
    over.push({ from: startedAt, to: now, workedUntil: status === "running" ? now : startedAt, status });
  }
  return bars;
}

const SETTLED: ReadonlySet<BlockView["status"]> = new Set(["completed", "failed", "stopped"]);

function timeOf(block: BlockView, now: number): TemplateResult | typeof nothing {
  if (block.status === "paused" || block.status === "skipped" || block.status === "waiting") return nothing;
  if (block.tookMs !== undefined) return html`<span class="block-time">${durationText(block.tookMs)}</span>`;
  if (block.status !== "running" || block.startedAt === undefined) return nothing;
  return html`<span class="block-time">${durationText(Math.max(0, now - block.startedAt))}</span>`;
}

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit-html";
import type { BlockStatus, BlockView, RunView } from "../../core/model/view.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import { routeEdges } from "../../graph/edges.ts";
import { measureGraph, nodeLabels, type Box } from "../../graph/geometry.ts";
import { layoutGraph } from "../../graph/layout.ts";
import { adoptStyles } from "./adopt-styles.ts";
import type { Drawing, DrawingOptions } from "./drawn-element.ts";
import { nameText } from "./field-kind.ts";
import type { Language } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";

/** What the picture of a run is drawn from: made once, however often the run changes. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Box[];
  readonly boxes: ReadonlyMap<string, { readonly box: Box; readonly labels: readonly [id: string, type: string] }>;
  readonly required: string;
  readonly optional: string;
  readonly undoing: string;
  /** The ids of the blocks that undo others. */
  readonly compensations: readonly string[];
}

/** Above the first wave the printed graph has a heading; here the page has one. */
const HEADER = 52;

/** Draws the graph of a run, for the eye alone, and beside it the same as a list. */
export function createWaves({ run, source, element, language }: DrawingOptions<Workflow | undefined>): Drawing {
  let drawn: { readonly ids: string; readonly picture: Picture } | undefined;
  return {
    template() {
      const view = run.getSnapshot();
      const ids = view.waves.map(({ blocks }) => blocks.map(({ id }) => id).join("\n")).join("\n\n");
      // A run may go on with another definition.
      if (drawn?.ids !== ids) drawn = { ids, picture: drawPicture(view, source) };
      return wavesTemplate(view, drawn.picture, language());
    },
    drawn: () => adoptStyles(element, WAVES_STYLES),
  };
}

function wavesTemplate(view: RunView, picture: Picture, { messages, locale }: Language): TemplateResult {
  const words = wordsOf(messages);
  const { width, height, frames, boxes, required, optional, undoing } = picture;
  const { compensations = [] } = view;
  const blocks = view.waves.flatMap((wave) => wave.blocks);
  // What has not begun to undo anything stands in no view.
  const undo = picture.compensations.map(
    (id) => ({ id, status: compensations.find((block) => block.id === id)?.status ?? "pending" }) as const,
  );
  return html`<div part="picture" tabindex="0" role="group" aria-label=${words.waves}>
      <svg aria-hidden="true" width=${width} height=${height - HEADER} viewBox="0 ${HEADER} ${width} ${height - HEADER}">
        ${frames.map(
          ({ x, y, width, height }, i) =>
            svg`<rect x=${x} y=${y} width=${width} height=${height} rx="14" fill="currentColor" fill-opacity="0.04" /><text x=${x + 16} y=${y + 22} font-size="11" fill="currentColor" fill-opacity="0.75">${i < view.waves.length ? words.wave(locale.number(i + 1)) : words.undoing}</text>`,
        )}
        <g fill="none" stroke="currentColor" stroke-opacity="0.45" stroke-width="1.5">
          <path d=${required} />
          <path d=${optional} stroke-dasharray="5 4" />
          <path d=${undoing} stroke-dasharray="1 4" />
        </g>
        ${[...blocks, ...undo].map((block) => drawBlock(block, boxes.get(block.id)))}
      </svg>
    </div>
    <ol part="waves" aria-label=${words.waves}>
      ${view.waves.map((wave, i) => waveTemplate(words.wave(locale.number(i + 1)), wave.blocks, { messages, locale }))}${
        compensations.length > 0 ? waveTemplate(words.undoing, compensations, { messages, locale }) : nothing
      }
    </ol>`;
}

/** Blocks that run together, as a list under its title. */
function waveTemplate(title: string, blocks: readonly BlockView[], { messages, locale }: Language): TemplateResult {
  const words = wordsOf(messages);
  return html`<li part="wave">
    <p part="label">${title}</p>
    <ul>
      ${blocks.map(
        ({ id, status, error, until, events }) =>
          html`<li part="block" data-block=${id} data-status=${status}>
            <span>${nameText(id)}</span> <span part="block-status">${words.status[status]}</span>${
              error ? html` <span part="hint">${words.error(error)}</span>` : nothing
            }${status === "waiting" && until !== undefined ? html` <span part="hint">${words.waitingUntil(locale.instant(until))}</span>` : nothing}${
              events ? html` <span part="hint">${words.waitingFor(events.join(", "))}</span>` : nothing
            }
          </li>`,
      )}
    </ul>
  </li>`;
}

/** A mark for each status, so that nothing hangs on colour: drawn in a square of 14 pixels. */
const MARKS: { readonly [status in BlockStatus]: string } = {
  pending: "",
  running: "M3 2l8 5-8 5z",
  completed: "M2 7l3.5 4L12 3",
  failed: "M3 3l8 8M11 3l-8 8",
  stopped: "M3 3h8v8H3z",
  paused: "M4 5a3 3 0 1 1 3 3v1.5M7 12v.5",
  waiting: "M3 2h8L3 12h8z",
  skipped: "M2 7h10",
};

function drawBlock(
  { status }: Pick<BlockView, "status">,
  place: { readonly box: Box; readonly labels: readonly [string, string] } | undefined,
): SVGTemplateResult {
  if (!place) return svg``;
  const {
    box: { x, y, width, height },
    labels: [id, type],
  } = place;
  return svg`<g data-status=${status}>
    <rect x=${x} y=${y} width=${width} height=${height} rx="9" fill="currentColor" stroke="currentColor" stroke-opacity="0.6" />
    <text x=${x + 16} y=${y + 20} font-size="13" font-weight="600" fill="currentColor">${id}</text>
    <text x=${x + 16} y=${y + 36} font-size="11" fill="currentColor" fill-opacity="0.8">${type}</text>
    <path transform="translate(${x + width - 18} ${y + 5})" d=${MARKS[status]} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
  </g>`;
}

function drawPicture({ waves }: RunView, known: Workflow | undefined): Picture {
  const workflow: Workflow = known ?? {
    name: "",
    blocks: waves.flatMap(({ blocks }, i) =>
      blocks.map(({ id, type }) => ({ id, type, dependsOn: i === 0 ? [] : [waves[i - 1]!.blocks[0]!.id] })),
    ),
  };
  const layout = layoutGraph(workflow);
  const geometry = measureGraph(workflow, layout);
  return {
    width: geometry.width,
    height: geometry.height,
    frames: geometry.waves,
    boxes: new Map(workflow.blocks.map((block, i) => [block.id, { box: geometry.nodes[i]!, labels: nodeLabels(block) }])),
    // Without a definition the dependencies are unknown.
    ...(known ? routeEdges(layout, geometry) : { required: "", optional: "", undoing: "" }),
    compensations: (layout.waves[layout.plan.waves.length] ?? []).map((block) => workflow.blocks[block]!.id),
  };
}

/** The looks of the graph. */
const WAVES_STYLES = `@layer wavepoint{
wavepoint-waves{
& [part~=picture]{contain:inline-size;overflow-x:auto;direction:ltr}
& [part~=wave]{margin-block-end:.75rem}
& [part~=block-status]{margin-inline-start:.35em}
& [part~=block] [part~=hint]{display:block}
& [part~=block-status]{color:var(--w-quiet)}
& svg{color:var(--w-ink);max-inline-size:none}
& [data-status] rect{fill-opacity:.06}
& [data-status=completed]{color:var(--w-good)}
& [data-status=failed],& [data-status=stopped]{color:var(--w-bad)}
& [data-status=running],& [data-status=paused],& [data-status=waiting]{color:var(--w-accent)}
& svg [data-status=pending] rect,& svg [data-status=skipped] rect{stroke-dasharray:4 4}
& svg [data-status=running] rect,& svg [data-status=paused] rect{stroke-width:3}
}
@media (prefers-reduced-motion:no-preference){wavepoint-waves svg [data-status=running] rect{animation:wavepoint-pulse 1.2s ease-in-out infinite alternate}}
@keyframes wavepoint-pulse{to{stroke-opacity:1;fill-opacity:.2}}
@media (forced-colors:active){wavepoint-waves svg,wavepoint-waves svg [data-status]{color:CanvasText}}
}`;

import { html, svg, type TemplateResult } from "lit-html";
import type { BlockStatus, RunView } from "../../../core/model/view.ts";
import { drawCells } from "../../../graph/cells.ts";
import { MARKS } from "../../../graph/drawing.ts";
import type { Graph } from "../../../graph/graph.ts";
import type { Language } from "../value-text.ts";
import { wordsOf } from "../wizard-messages.ts";
import type { GraphMessages } from "./graph-messages.ts";

/** A mark with its meaning. */
type Line = readonly [mark: TemplateResult | string, meaning: string, status?: BlockStatus];

/** What the marks mean that the picture has. */
export function legendTemplate(graph: Graph, view: RunView, words: GraphMessages, { messages }: Language): TemplateResult {
  const { status: names } = wordsOf(messages);
  const blocks = view.waves.flatMap((wave) => wave.blocks);
  const hasCells = blocks.some(({ items }) => items !== undefined);
  const shown = new Set(blocks.flatMap(({ status, items = [] }) => [status, ...items.map((item) => item.status)]));
  const has = (is: (block: Graph["blocks"][number]) => boolean): boolean => graph.blocks.some(is);
  const lines: readonly Line[] = [
    ...(Object.keys(MARKS) as BlockStatus[])
      .filter((status) => shown.has(status))
      .map((status): Line => [mark(status, hasCells), names[status], status]),
    ...(has(({ hasCondition }) => hasCondition) ? [["◆", words.marks.condition] as const] : []),
    ...(has(({ hasItems }) => hasItems) ? [["❐", words.marks.items] as const] : []),
    ...(has(({ iterations }) => iterations !== undefined) ? [["↻", words.marks.loop] as const] : []),
    ...(has(({ writes }) => writes.length > 0) ? [["✎", words.marks.writes] as const] : []),
    ...(graph.edges.some(({ kind }) => kind === "optional") ? [["╌╌", words.marks.optional] as const] : []),
    ...(graph.edges.some(({ kind }) => kind === "undoing") ? [["┈┈", words.marks.undoing] as const] : []),
  ];
  return html`<ul part="legend" aria-label=${words.legend}>
    ${lines.map(([sign, meaning, status]) => html`<li data-status=${status ?? ""}><span aria-hidden="true">${sign}</span> ${meaning}</li>`)}
  </ul>`;
}

const CELL = { columns: 1, pitch: 12, side: 12, width: 12, height: 12 };

/** The mark of a status, and the cell of an item that stands so. What has not begun has no mark: its box is dashed. */
function mark(status: BlockStatus, hasCell: boolean): TemplateResult {
  const cell = drawCells([{ status }], CELL).get(status)!;
  const icon =
    MARKS[status] === ""
      ? svg`<rect x="1" y="3" width="12" height="9" rx="2" fill="none" stroke="currentColor" stroke-dasharray="2.5 2" />`
      : svg`<path d=${MARKS[status]} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />`;
  return html`<svg width="14" height="14">${icon}</svg>${
      hasCell ? html`<svg width="12" height="12">${svg`<path d=${cell} fill="currentColor" fill-rule="evenodd" />`}</svg>` : ""
    }`;
}

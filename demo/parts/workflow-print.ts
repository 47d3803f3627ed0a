import { html, svg, type TemplateResult } from "lit-html";
import type { Workflow } from "wavepoint";
import type { Example } from "../examples.ts";

const WIDTH = 240;
const HEIGHT = 84;
const MARGIN = 16;

/** A small picture of a workflow: a dot for each block, a column for each wave, a curve for each dependency. */
export function workflowPrint(example: Pick<Example, "workflow" | "called">): TemplateResult {
  const { workflow } = example;
  const asking = askingBlocks(example);
  const columns = columnsOf(workflow);
  const place = new Map<string, { x: number; y: number }>();
  columns.forEach((ids, column) => {
    const x = columns.length === 1 ? WIDTH / 2 : MARGIN + ((WIDTH - 2 * MARGIN) * column) / (columns.length - 1);
    const step = Math.min(18, (HEIGHT - 2 * MARGIN) / Math.max(1, ids.length - 1));
    const swell = ids.length === 1 ? 7 * Math.sin(column * 1.7) : 0;
    ids.forEach((id, row) => place.set(id, { x, y: HEIGHT / 2 + (row - (ids.length - 1) / 2) * step + swell }));
  });
  const edges = workflow.blocks.flatMap((block) =>
    dependenciesOf(block).map((from) => ({ from: place.get(from), to: place.get(block.id) })),
  );
  return html`<svg class="print" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">
    ${edges.map(({ from, to }) => {
      if (!from || !to) return "";
      const bend = (to.x - from.x) / 2;
      return svg`<path d=${`M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`} />`;
    })}
    ${workflow.blocks.map(({ id }) => {
      const at = place.get(id);
      return at ? svg`<circle class=${asking.has(id) ? "asks" : ""} cx=${at.x} cy=${at.y} r=${asking.has(id) ? 5.5 : 4} />` : "";
    })}
  </svg>`;
}

function columnsOf(workflow: Workflow): string[][] {
  const level = new Map<string, number>();
  const columns: string[][] = [];
  let waiting = [...workflow.blocks];
  while (waiting.length > 0) {
    const later: typeof waiting = [];
    for (const block of waiting) {
      const dependencies = dependenciesOf(block);
      if (dependencies.some((id) => !level.has(id))) later.push(block);
      else {
        const column = Math.max(-1, ...dependencies.map((id) => level.get(id) ?? 0)) + 1;
        level.set(block.id, column);
        (columns[column] ??= []).push(block.id);
      }
    }
    if (later.length === waiting.length) break;
    waiting = later;
  }
  return columns;
}

function dependenciesOf(block: Workflow["blocks"][number]): string[] {
  return (block.dependsOn ?? []).map((dependency) => (typeof dependency === "string" ? dependency : dependency.block));
}

/** The ids of the blocks that ask a person, or call a workflow that does. */
export function askingBlocks({ workflow, called }: Pick<Example, "workflow" | "called">): ReadonlySet<string> {
  const doCalledAsk = called.some(({ blocks }) => blocks.some(({ type }) => ASKING.has(type)));
  const asking = workflow.blocks.filter(({ type }) => ASKING.has(type) || (type === "ExecuteWorkflow" && doCalledAsk));
  return new Set(asking.map(({ id }) => id));
}

const ASKING: ReadonlySet<string> = new Set(["Agent", "AskChoice", "ConfirmOperation", "Form", "GetInput", "Review"]);

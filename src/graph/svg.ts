import type { Block, Workflow } from "../core/model/workflow.ts";
import { type EdgePaths, HEAD, routeEdges } from "./edges.ts";
import { MARGIN, measureGraph, nodeLabels, type Box } from "./geometry.ts";
import { blockDetails, shortened, sizeText } from "./label.ts";
import { layoutGraph } from "./layout.ts";

const RADIUS = 9;
/** Half the width of the mark of a condition. */
const MARK = 6;
/** How far the second card of a block with `for_each` shows. */
const STACK = 5;
/** Characters of the title. */
const MAX_NAME = 60;

/**
 * A workflow as a picture: waves are columns, blocks boxes with id and type, a dashed line a dependency that need not have run, or does not always lead on, a dotted one leads to
 * what undoes a block. A box with a diamond has a condition, a stacked one runs once for each item; what exactly, its tooltip tells. The picture takes the colour of the
 * text around it. It is inert: no script, style or address, so that it can stand in any page as it is. Throws what `planWaves` throws.
 */
export function graphSvg(workflow: Workflow): string {
  const { blocks } = workflow;
  const layout = layoutGraph(workflow);
  const geometry = measureGraph(workflow, layout);
  const edges = routeEdges(layout, geometry);
  const hasDependency = (block: number): boolean =>
    layout.plan.dependencyStart[block + 1]! > layout.plan.dependencyStart[block]! || layout.plan.waveOf[block]! < 0;
  const { width, height, waves, nodes } = geometry;
  const { plan } = layout;
  const size = sizeText(workflow, plan.waves.length);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="currentColor" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${escape(workflow.name)}</title>`,
    `<desc>${escape(workflow.description ?? "")} ${size}: ${escape(layout.plan.waves.map((wave) => wave.map((block) => blocks[block]!.id).join(", ")).join("; "))}</desc>`,
    `<text x="${MARGIN}" y="38" font-size="18" font-weight="650">${escape(shortened(workflow.name, MAX_NAME))}</text>`,
    `<text x="${MARGIN}" y="58" font-size="12" fill-opacity="0.65">${size}${legend(blocks, edges)}</text>`,
    ...waves.map((frame, i) => drawFrame(frame, i < plan.waves.length ? `Wave ${i + 1}` : "Undoing")),
    `<g fill="none" stroke="currentColor" stroke-opacity="0.45" stroke-width="1.5">`,
    ...(edges.required === "" ? [] : [`<path d="${edges.required}"/>`]),
    ...(edges.optional === "" ? [] : [`<path stroke-dasharray="5 4" d="${edges.optional}"/>`]),
    ...(edges.undoing === "" ? [] : [`<path stroke-dasharray="1 4" d="${edges.undoing}"/>`]),
    "</g>",
    ...blocks.map((block, i) => drawBlock(block, nodes[i]!, hasDependency(i))),
    "</svg>\n",
  ].join("\n");
}

function legend(blocks: readonly Block[], { optional, undoing }: EdgePaths): string {
  return [
    blocks.some(({ condition }) => condition !== undefined) ? " · ◆ under a condition" : "",
    blocks.some(({ forEach }) => forEach !== undefined) ? " · stacked: once for each item" : "",
    optional === "" ? "" : " · dashed: need not have run, or does not always lead on",
    undoing === "" ? "" : " · dotted: undone by, where the run fails or is cancelled",
  ].join("");
}

function drawFrame({ x, y, width, height }: Box, title: string): string {
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="14" fill-opacity="0.04"/>`,
    `<text x="${x + 16}" y="${y + 22}" font-size="11" font-weight="600" letter-spacing="0.5" fill-opacity="0.6">${title}</text>`,
  ].join("");
}

function drawBlock(block: Block, box: Box, hasDependency: boolean): string {
  const { x, y, width, height } = box;
  const [id, type] = nodeLabels(block);
  const tooltip = [`${block.id} (${block.type})`, ...blockDetails(block)].map(escape).join("\n");
  const middle = y + height / 2;
  const head = block.condition === undefined ? `M${x - HEAD - 1} ${middle - 4}L${x - 1} ${middle}L${x - HEAD - 1} ${middle + 4}z` : "";
  return [
    `<g><title>${tooltip}</title>`,
    block.forEach === undefined ? "" : drawStack(box),
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${RADIUS}" fill-opacity="0.06" stroke="currentColor" stroke-opacity="0.4"/>`,
    block.condition === undefined ? "" : `<path d="M${x - MARK} ${middle}l${MARK} -${MARK}l${MARK} ${MARK}l-${MARK} ${MARK}z"/>`,
    hasDependency && head !== "" ? `<path fill-opacity="0.6" d="${head}"/>` : "",
    `<text x="${x + 16}" y="${y + 20}" font-weight="600">${escape(id)}</text>`,
    `<text x="${x + 16}" y="${y + 36}" font-size="11" fill-opacity="0.65">${escape(type)}</text></g>`,
  ].join("");
}

/** The edge of a second card behind the first. */
function drawStack({ x, y, width, height }: Box): string {
  const outline = [
    `M${x + STACK + 1} ${y}`,
    `q0 -${STACK} ${RADIUS} -${STACK}`,
    `H${x + width + STACK - RADIUS}`,
    `q${RADIUS} 0 ${RADIUS} ${RADIUS}`,
    `V${y + height - STACK - RADIUS}`,
    `q0 ${RADIUS - 1} -${STACK} ${RADIUS - 1}`,
  ].join("");
  return `<path fill="none" stroke="currentColor" stroke-opacity="0.4" d="${outline}"/>`;
}

/** Text for XML: what has a meaning there is written as an entity, what cannot stand there is left out. */
function escape(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

import type { Workflow } from "../core/model/workflow.ts";
import { drawPicture } from "./drawing.ts";
import { type Graph, graphOf } from "./graph.ts";
import { shortened, sizeText } from "./label.ts";
import { placeGraph } from "./picture.ts";
import { shape, writeShape } from "./shape.ts";

/** Characters of the title. */
const MAX_NAME = 60;
/** Pixels. */
const HEADER = 66;
const MARGIN = 12;
/** The width of a character of the title, and of what stands below it. */
const NAME_CHARACTER = 11.5;
const CAPTION_CHARACTER = 6.6;

/**
 * A workflow as a picture: waves are columns, blocks boxes with id and type, a dashed line a way that is not always taken, a dotted one leads to what undoes a
 * block. A box with a diamond has a condition, a stacked one runs once for each item; what exactly, its tooltip tells. The picture takes the colour of the
 * text around it. It is inert: no script, style or address, so that it can stand in any page as it is. Throws what `planWaves` throws.
 */
export function graphSvg(workflow: Workflow): string {
  const { name, description = "" } = workflow;
  const graph = graphOf(workflow);
  const picture = placeGraph(graph, "right");
  const size = sizeText(workflow, graph.waves.length);
  const order = graph.waves.map((wave) => wave.map((block) => graph.blocks[block]!.id).join(", ")).join("; ");
  const [title, caption] = [shortened(name, MAX_NAME), `${size}${legend(graph)}`];
  const textWidth = Math.ceil(Math.max(title.length * NAME_CHARACTER, caption.length * CAPTION_CHARACTER));
  const [width, height] = [Math.max(picture.width, 2 * MARGIN + Math.max(160, textWidth)), picture.height + HEADER];
  const svg = shape(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      role: "img",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      fill: "currentColor",
      "font-family": "system-ui, sans-serif",
      "font-size": 13,
    },
    shape("title", {}, name),
    shape("desc", {}, `${description} ${size}: ${order}`),
    shape("text", { x: MARGIN, y: 30, "font-size": 18, "font-weight": 650 }, title),
    shape("text", { x: MARGIN, y: 50, "font-size": 12, "fill-opacity": 0.65 }, caption),
    shape(
      "g",
      { transform: `translate(0 ${HEADER})` },
      ...drawPicture(picture, { viewOf: () => undefined, hasRun: false, waveTitle: (i) => `Wave ${i + 1}`, undoingTitle: "Undoing" }),
    ),
  );
  return `${writeShape(svg)}\n`;
}

function legend({ blocks, edges }: Graph): string {
  return [
    blocks.some(({ hasCondition }) => hasCondition) ? " · ◆ under a condition" : "",
    blocks.some(({ hasItems }) => hasItems) ? " · stacked: once for each item" : "",
    blocks.some(({ iterations }) => iterations !== undefined) ? " · ↻ repeats" : "",
    blocks.some(({ writes }) => writes.length > 0) ? " · ✎ writes to channels" : "",
    edges.some(({ kind }) => kind === "optional") ? " · dashed: optional path" : "",
    edges.some(({ kind }) => kind === "undoing") ? " · dotted: undone by, where the run fails or is cancelled" : "",
  ].join("");
}

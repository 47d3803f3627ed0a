import type { BlockStatus, BlockView } from "../core/model/view.ts";
import { drawCells } from "./cells.ts";
import type { EdgeKind } from "./graph.ts";
import { headHeight, innerPlace, INSET, labelsOf, noteOf, type Picture, type PlacedBlock } from "./picture.ts";
import { type Shape, shape } from "./shape.ts";

const RADIUS = 9;
/** Half the width of the mark of a condition. */
const MARK = 6;
/** How far the second card of a block with `for_each` shows. */
const STACK = 5;

/** What a picture is drawn with. */
export interface Pen {
  /** How a block stands, by its path: its id, behind those of the blocks that called its run. Nothing where it has not begun to undo anything. */
  viewOf(path: string): BlockView | undefined;
  readonly hasRun: boolean;
  /** What stands above the frames. */
  waveTitle(index: number): string;
  readonly undoingTitle: string;
}

/** The shapes of a picture: frames behind lines behind blocks. `prefix` begins the paths of its blocks. */
export function drawPicture(picture: Picture, pen: Pen, prefix = ""): readonly Shape[] {
  return [...drawGround(picture, pen, prefix), ...picture.nodes.map((node) => drawBlock(node, pen, prefix))];
}

/** What stands behind the blocks. */
export function drawGround(picture: Picture, pen: Pen, prefix = ""): readonly Shape[] {
  const { waves } = picture.graph;
  return [
    ...picture.frames.flatMap(({ x, y, width, height }, i) => [
      shape("rect", { x, y, width, height, rx: 14, "fill-opacity": 0.04 }),
      shape(
        "text",
        {
          x: picture.direction === "left" ? x + width - 14 : x + 14,
          y: y + 19,
          "font-size": 11,
          "font-weight": 600,
          "fill-opacity": 0.7,
          "text-anchor": picture.direction === "left" ? "end" : undefined,
        },
        i < waves.length ? pen.waveTitle(i) : pen.undoingTitle,
      ),
    ]),
    shape(
      "g",
      { "data-edges": prefix, fill: "none", stroke: "currentColor", "stroke-opacity": 0.5, "stroke-width": 1.5 },
      ...drawEdges(picture, pen, prefix),
    ),
  ];
}

const DASHES: { readonly [kind in EdgeKind]: string | undefined } = { required: undefined, optional: "5 4", undoing: "1 4" };

/** The lines, those of a kind in one path; those to and from what was skipped are faded. */
export function drawEdges({ edges, nodes }: Picture, { viewOf }: Pick<Pen, "viewOf">, prefix: string): readonly Shape[] {
  const isSkipped = nodes.map(({ block }) => viewOf(prefix + block.id)?.status === "skipped");
  const paths = new Map<string, { readonly kind: EdgeKind; readonly isFaded: boolean; readonly pieces: Set<string> }>();
  for (const { from, to, kind, line } of edges) {
    const isFaded = isSkipped[from]! || isSkipped[to]!;
    const key = `${kind} ${isFaded}`;
    let known = paths.get(key);
    if (!known) paths.set(key, (known = { kind, isFaded, pieces: new Set() }));
    for (const piece of line) known.pieces.add(piece);
  }
  return [...paths.values()].map(({ kind, isFaded, pieces }) =>
    shape("path", { "stroke-dasharray": DASHES[kind], opacity: isFaded ? FADED : undefined, d: [...pieces].join("") }),
  );
}

/** How much is left of what was skipped. */
const FADED = 0.45;

/** A mark for each status, so that nothing hangs on colour: drawn in a square of 14 pixels. */
export const MARKS: { readonly [status in BlockStatus]: string } = {
  pending: "",
  running: "M3 2l8 5-8 5z",
  completed: "M2 7l3.5 4L12 3",
  failed: "M3 3l8 8M11 3l-8 8",
  stopped: "M3 3h8v8H3z",
  paused: "M4 5a3 3 0 1 1 3 3v1.5M7 12v.5",
  waiting: "M3 2h8L3 12h8z",
  skipped: "M2 7h10",
};

/** A block, with what is inside of it. */
export function drawBlock(node: PlacedBlock, pen: Pen, prefix: string): Shape {
  const { block, box, arrow, grid, inner, note } = node;
  const path = prefix + block.id;
  const { x, y, width, height } = box;
  const [id, type] = labelsOf(block);
  const view = pen.viewOf(path);
  const status = view?.status ?? "pending";
  const isOpen = grid !== undefined || inner !== undefined;
  const within = innerPlace(node);
  return shape(
    "g",
    { "data-block": path, "data-status": status, opacity: status === "skipped" ? FADED + 0.2 : undefined },
    shape("title", {}, [`${block.id} (${block.type})`, ...block.details].join("\n")),
    ...(block.hasItems && !isOpen ? [drawStack(box)] : []),
    shape("rect", {
      x,
      y,
      width,
      height,
      rx: RADIUS,
      "fill-opacity": inner ? 0.02 : 0.06,
      stroke: "currentColor",
      "stroke-opacity": 0.45,
      "stroke-dasharray": pen.hasRun && (status === "pending" || status === "skipped") ? "4 4" : undefined,
    }),
    ...(arrow === undefined ? [] : [shape("path", { "fill-opacity": 0.6, d: arrow })]),
    ...(block.hasCondition ? [shape("path", { d: diamond(box) })] : []),
    shape("text", { x: x + 16, y: y + 20, "font-weight": 600 }, id),
    shape("text", { x: x + 16, y: y + 36, "font-size": 11, "fill-opacity": 0.75 }, type),
    ...(note === "" ? [] : [shape("text", { x: x + 16, y: y + 51, "font-size": 11, "fill-opacity": 0.75 }, noteOf(block, view))]),
    ...(MARKS[status] === ""
      ? []
      : [
          shape("path", {
            transform: `translate(${x + width - 20} ${y + 7})`,
            d: MARKS[status],
            fill: "none",
            stroke: "currentColor",
            "stroke-width": 2,
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
          }),
        ]),
    ...(grid && view?.items
      ? [
          shape(
            "g",
            { transform: `translate(${x + INSET} ${y + headHeight(note)})` },
            ...[...drawCells(view.items, grid)].map(([cells, d]) => shape("path", { "data-cells": cells, "fill-rule": "evenodd", d })),
          ),
        ]
      : []),
    ...(inner
      ? [shape("g", { "data-inner": "", transform: `translate(${x + within.x} ${y + within.y})` }, ...drawPicture(inner, pen, `${path}/`))]
      : []),
  );
}

/** The mark of a condition, at the corner of the box: where the arrow ends it would hide it. */
function diamond({ x, y }: PlacedBlock["box"]): string {
  return `M${x - MARK} ${y}l${MARK} ${-MARK}l${MARK} ${MARK}l${-MARK} ${MARK}z`;
}

/** The edge of a second card behind the first. */
function drawStack({ x, y, width, height }: PlacedBlock["box"]): Shape {
  const outline = [
    `M${x + STACK + 1} ${y}`,
    `q0 -${STACK} ${RADIUS} -${STACK}`,
    `H${x + width + STACK - RADIUS}`,
    `q${RADIUS} 0 ${RADIUS} ${RADIUS}`,
    `V${y + height - STACK - RADIUS}`,
    `q0 ${RADIUS - 1} -${STACK} ${RADIUS - 1}`,
  ].join("");
  return shape("path", { fill: "none", stroke: "currentColor", "stroke-opacity": 0.45, d: outline });
}

import type { BlockView } from "../../../core/model/view.ts";
import type { Change } from "./changes.ts";
import { drawBlock, drawEdges, drawGround, type Pen } from "../../../graph/drawing.ts";
import type { Box } from "../../../graph/layout/layout.ts";
import { innerPlace, type Picture, type PlacedBlock } from "../../../graph/picture.ts";
import { type Shape, shape } from "../../../graph/shape.ts";

/** A block of the picture, by its path. */
export interface Place {
  readonly path: string;
  readonly picture: Picture;
  readonly number: number;
  readonly node: PlacedBlock;
  /** In the whole picture. */
  readonly box: Box;
}

/** The picture as elements of a page. */
export interface Scene {
  readonly svg: SVGSVGElement;
  readonly places: ReadonlyMap<string, Place>;
  /** Draws a picture in the place of the one before. One with many blocks is drawn in slices, a frame each, from a block outwards. */
  show(picture: Picture, pen: Pen, from: string | undefined): void;
  /** Draws again the blocks whose view changed since. */
  refresh(pen: Pen): void;
  /** Marks what a change would do to blocks, by their ids, in place of what was marked before. */
  markChanges(changes: ReadonlyMap<string, Change>): void;
  /** Puts a frame around a block. */
  mark(path: string | undefined): void;
}

const NAMESPACE = "http://www.w3.org/2000/svg";
/** Blocks that are drawn in one frame. */
const SLICE = 150;
/** How far the frame stands from the box. */
const FRAME = 4;

export function createScene(page: Document): Scene {
  const svg = page.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("aria-hidden", "true");
  const places = new Map<string, Place>();
  const elements = new Map<string, Element>();
  const views = new Map<string, BlockView | undefined>();
  const frame = makeElement(page, shape("rect", { "data-cursor": "", rx: 12, fill: "none" }));

  let pen: Pen;
  let changes: ReadonlyMap<string, Change> = new Map();
  let waiting: readonly Place[] = [];

  const markChange = (path: string, drawn: Element): void => {
    const change = changes.get(path);
    if (change === undefined) drawn.removeAttribute("data-change");
    else drawn.setAttribute("data-change", change);
  };
  const index = (element: Element): void => {
    for (const drawn of [element, ...element.querySelectorAll("[data-block]")]) {
      const path = drawn.getAttribute("data-block")!;
      elements.set(path, drawn);
      markChange(path, drawn);
      views.set(path, pen.viewOf(path));
    }
  };
  const drawSlice = (): void => {
    const slice = waiting.slice(0, SLICE);
    waiting = waiting.slice(SLICE);
    const drawn = slice.map(({ node, path }) => makeElement(page, drawBlock(node, pen, prefixOf(path))));
    frame.before(...drawn);
    for (const element of drawn) index(element);
    if (waiting.length > 0) page.defaultView!.requestAnimationFrame(drawNext);
  };
  let drawNext = drawSlice;
  const redrawEdges = (lines: Element): void => {
    const prefix = lines.getAttribute("data-edges")!;
    const within = [...places.values()].find(({ path }) => prefixOf(path) === prefix);
    if (within) lines.replaceChildren(...drawEdges(within.picture, pen, prefix).map((drawn) => makeElement(page, drawn)));
  };

  return {
    svg,
    places,
    show(picture, newPen, from) {
      pen = newPen;
      const { width, height } = picture;
      for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
        svg.setAttribute(name, String(value));
      svg.replaceChildren(...drawGround(picture, pen).map((drawn) => makeElement(page, drawn)), frame);
      places.clear();
      elements.clear();
      views.clear();
      for (const place of listPlaces(picture)) places.set(place.path, place);
      const all = picture.nodes.map(({ block }) => places.get(block.id)!);
      waiting = all.length > SLICE ? nearest(all, from === undefined ? undefined : places.get(from)) : all;
      // What still waits for a frame belongs to the picture before.
      const draw = (): void => {
        if (draw === drawNext) drawSlice();
      };
      drawNext = draw;
      draw();
    },
    refresh(newPen) {
      pen = newPen;
      let isSkippingOther = false;
      for (const path of elements.keys()) {
        const [before, now] = [views.get(path), pen.viewOf(path)];
        const { node } = places.get(path)!;
        if (before === now) continue;
        isSkippingOther ||= (before?.status === "skipped") !== (now?.status === "skipped");
        const element = makeElement(page, drawBlock(node, pen, prefixOf(path)));
        elements.get(path)!.replaceWith(element);
        index(element);
      }
      if (isSkippingOther) for (const lines of svg.querySelectorAll("[data-edges]")) redrawEdges(lines);
    },
    markChanges(next) {
      if (next === changes) return;
      changes = next;
      for (const [path, drawn] of elements) markChange(path, drawn);
    },
    mark(path) {
      const box = path === undefined ? undefined : places.get(path)?.box;
      frame.toggleAttribute("hidden", !box);
      if (!box) return;
      const { x, y, width, height } = box;
      const around = { x: x - FRAME, y: y - FRAME, width: width + 2 * FRAME, height: height + 2 * FRAME };
      for (const [name, value] of Object.entries(around)) frame.setAttribute(name, String(value));
    },
  };
}

/** The path of a block without its id. */
export function prefixOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Places by how far they are from one. */
function nearest(places: readonly Place[], from: Place = places[0]!): readonly Place[] {
  const distance = ({ box }: Place): number => Math.hypot(box.x - from.box.x, box.y - from.box.y);
  return places.toSorted((a, b) => distance(a) - distance(b));
}

function listPlaces(picture: Picture, prefix = "", x = 0, y = 0): readonly Place[] {
  return picture.nodes.flatMap((node, number) => {
    const { box, block, inner } = node;
    const path = prefix + block.id;
    const place = { path, picture, number, node, box: { ...box, x: box.x + x, y: box.y + y } };
    if (!inner) return [place];
    const within = innerPlace(node);
    return [place, ...listPlaces(inner, `${path}/`, place.box.x + within.x, place.box.y + within.y)];
  });
}

function makeElement(page: Document, { tag, attributes, children }: Shape): Element {
  const element = page.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, String(value));
  element.append(...children.map((child) => (typeof child === "string" ? child : makeElement(page, child))));
  return element;
}

import type { BlockView } from "../../../core/model/view.ts";
import { drawBlock, drawEdges, drawGround, type Pen } from "../../../graph/drawing.ts";
import type { Box } from "../../../graph/layout/layout.ts";
import { innerPlace, type Picture, type PlacedBlock } from "../../../graph/picture.ts";
import { type Shape, shape } from "../../../graph/shape.ts";
import type { RevisionPreview } from "../../../core/model/history.ts";

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
  /** Draws a picture in place of the one before. One with many blocks is drawn in slices, a frame each, from a block outwards. */
  show(picture: Picture, pen: Pen, from: string | undefined): void;
  /** Tells which part of the picture is in sight. Of many blocks, those far from it are not painted. */
  look(sight: Box): void;
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
/** Blocks that have left the sight are painted for so long, in milliseconds: the picture may be on its way there. */
const LEAVE_MS = 500;
/** What is painted is at most so many times as wide as what is in sight. */
const WIDEST = 6;
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
  /** What is in sight, with half as much on each side; all of it is painted. */
  let near: Box | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;

  const isFar = ({ box }: Place): boolean => near !== undefined && places.size > SLICE && !overlaps(box, near);
  const hideFar = (): void => {
    for (const place of ofPicture()) elements.get(place.path)?.toggleAttribute("data-far", isFar(place));
  };
  /** The blocks that stand in no other one. */
  const ofPicture = (): readonly Place[] => [...places.values()].filter(({ path }) => !path.includes("/"));
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
    for (const [i, element] of drawn.entries()) element.toggleAttribute("data-far", isFar(slice[i]!));
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
    look(sight) {
      if (near && contains(near, sight) && near.width <= WIDEST * sight.width) return;
      near = widen(sight);
      for (const place of ofPicture()) if (!isFar(place)) elements.get(place.path)?.removeAttribute("data-far");
      clearTimeout(leaving);
      leaving = setTimeout(hideFar, LEAVE_MS);
    },
    refresh(newPen) {
      pen = newPen;
      let isSkippingOther = false;
      for (const path of elements.keys()) {
        const [before, now] = [views.get(path), pen.viewOf(path)];
        const { node } = places.get(path)!;
        if (before === now) continue;
        isSkippingOther ||= (before?.status === "skipped") !== (now?.status === "skipped");
        const element = elements.get(path)!;
        redraw(element, drawBlock(node, pen, prefixOf(path)));
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

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function contains({ x, y, width, height }: Box, inner: Box): boolean {
  return x <= inner.x && y <= inner.y && x + width >= inner.x + inner.width && y + height >= inner.y + inner.height;
}

/** A box with half as much on each side. */
function widen({ x, y, width, height }: Box): Box {
  return { x: x - width / 2, y: y - height / 2, width: 2 * width, height: 2 * height };
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

/** Has an element show another shape of its kind. Only what differs is touched: what is put in anew is laid out anew. */
function redraw(element: Element, { attributes, children }: Shape): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
  for (const [i, child] of children.entries()) {
    const drawn = element.childNodes[i];
    if (typeof child === "string") {
      if (drawn?.textContent !== child) element.textContent = child;
    } else if (drawn instanceof Element && drawn.localName === child.tag) redraw(drawn, child);
    else {
      const made = makeElement(element.ownerDocument, child);
      if (drawn) drawn.replaceWith(made);
      else element.append(made);
    }
  }
  while (element.childNodes.length > children.length) element.lastChild!.remove();
}

function makeElement(page: Document, { tag, attributes, children }: Shape): Element {
  const element = page.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, String(value));
  element.append(...children.map((child) => (typeof child === "string" ? child : makeElement(page, child))));
  return element;
}

/** What a changed answer would do to a block: its question is asked, it runs again, or it is left out. */
export type Change = "ask" | "run" | "skip";

const NOTHING: ReadonlyMap<string, Change> = new Map();
const known = new WeakMap<RevisionPreview, ReadonlyMap<string, Change>>();

/** The blocks to which a revision would do something: the same map for the same preview. */
export function changesOf(preview: RevisionPreview | undefined): ReadonlyMap<string, Change> {
  if (!preview) return NOTHING;
  let changes = known.get(preview);
  if (!changes) {
    // A question that is asked again is among the blocks that run again, too.
    changes = new Map<string, Change>([
      ...preview.rerun.map((block) => [block, "run"] as const),
      ...preview.asked.map((block) => [block, "ask"] as const),
      ...preview.skipped.map((block) => [block, "skip"] as const),
    ]);
    known.set(preview, changes);
  }
  return changes;
}

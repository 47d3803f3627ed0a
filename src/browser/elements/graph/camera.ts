import type { Box, Size } from "../../../graph/layout/layout.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What of a picture is seen, and how large. Moves the picture by a transform alone, so that nothing is drawn again. */
export interface Camera {
  readonly scale: number;
  /** Whether all of the picture is in sight. */
  readonly seesAll: boolean;
  /** The sides of the window beyond which the picture goes on, with blanks between: "right bottom". */
  readonly beyond: string;
  /** The window or the picture has another size. */
  resize(window: Size, content: Size): void;
  /** Shows all. */
  fit(): void;
  /** Shows all where that needs no smaller scale than is given, else what is given, or where the picture begins. Default: what can be read. */
  home(box: Box | undefined, start: Point, smallest?: number): void;
  /** Makes all larger or smaller around a point of the window. */
  zoom(factor: number, at?: Point): void;
  pan(x: number, y: number): void;
  /** Moves calmly to a box that is not well in sight. */
  reveal(box: Box): void;
  /** The place in the picture at a point of the window. */
  toPicture(point: Point): Point;
}

/** What is smaller cannot be read: its smallest text then has 10 pixels. */
export const READABLE = 0.9;
const LARGEST = 2.5;
const SMALLEST = 0.02;
/** Pixels of the picture that stay in sight. */
const KEPT = 48;
/** Pixels before what begins at the edge of the window. */
const BESIDE = 8;
/** The part of the window at each side in which a box is not well in sight: one also wants to see what comes before it and after it. */
const EDGE = 0.2;

/** `moved` is called with the part of the picture that is in sight, after each move. */
export function createCamera(svg: SVGSVGElement, moved: (sight: Box) => void): Camera {
  let window: Size = { width: 0, height: 0 };
  let content: Size = { width: 1, height: 1 };
  let scale = 1;
  let x = 0;
  let y = 0;

  const fitting = (): number => Math.min(1, window.width / content.width, window.height / content.height);
  /** Less than the window in the middle of it, else no more than its edge. */
  const hold = (at: number, room: number, size: number): number =>
    size <= room ? (room - size) / 2 : Math.min(Math.max(at, Math.min(KEPT, room) - size), room - KEPT);
  const apply = (isCalm = false): void => {
    x = hold(x, window.width, content.width * scale);
    y = hold(y, window.height, content.height * scale);
    svg.toggleAttribute("data-calm", isCalm);
    svg.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    moved({ x: -x / scale, y: -y / scale, width: window.width / scale, height: window.height / scale });
  };
  /** In the middle, or from its beginning where it is larger than the window. */
  const middle = (at: number, length: number, room: number): number =>
    length * scale <= room ? room / 2 - (at + length / 2) * scale : BESIDE - at * scale;
  const center = (box: Box): void => {
    x = middle(box.x, box.width, window.width);
    y = middle(box.y, box.height, window.height);
  };

  const isWellInSight = (at: number, length: number, offset: number, room: number, size: number): boolean =>
    at * scale + offset >= Math.min(room * EDGE, at * scale) &&
    (at + length) * scale + offset <= room - Math.min(room * EDGE, (size - at - length) * scale);
  const seesWell = (box: Box): boolean =>
    isWellInSight(box.x, box.width, x, window.width, content.width) && isWellInSight(box.y, box.height, y, window.height, content.height);

  /** What is near the edge needs no margin beside it. */
  const keepFull = (): void => {
    x = Math.max(Math.min(x, 0), window.width - content.width * scale);
    y = Math.max(Math.min(y, 0), window.height - content.height * scale);
  };

  return {
    get scale() {
      return scale;
    },
    get seesAll() {
      return content.width * scale <= window.width + 1 && content.height * scale <= window.height + 1;
    },
    get beyond() {
      const goesOn: readonly [side: string, by: number][] = [
        ["left", -x],
        ["right", x + content.width * scale - window.width],
        ["top", -y],
        ["bottom", y + content.height * scale - window.height],
      ];
      return goesOn.flatMap(([side, by]) => (by > 1 ? [side] : [])).join(" ");
    },
    resize(newWindow, newContent) {
      x += (newWindow.width - window.width) / 2;
      [window, content] = [newWindow, newContent];
      apply();
    },
    fit() {
      scale = Math.max(SMALLEST, fitting());
      apply(true);
    },
    home(box, start, smallest = READABLE) {
      scale = Math.max(smallest, fitting());
      [x, y] = [start.x > 0 ? window.width - content.width * scale : 0, 0];
      if (box && !seesWell(box)) center(box);
      keepFull();
      apply();
    },
    zoom(factor, at = { x: window.width / 2, y: window.height / 2 }) {
      const next = Math.min(LARGEST, Math.max(SMALLEST, Math.min(scale, fitting()), scale * factor));
      x = at.x - ((at.x - x) * next) / scale;
      y = at.y - ((at.y - y) * next) / scale;
      scale = next;
      apply();
    },
    pan(dx, dy) {
      x += dx;
      y += dy;
      apply();
    },
    reveal(box) {
      if (seesWell(box)) return;
      center(box);
      keepFull();
      apply(true);
    },
    toPicture: (point) => ({ x: (point.x - x) / scale, y: (point.y - y) / scale }),
  };
}

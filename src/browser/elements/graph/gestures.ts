import type { Camera, Point } from "./camera.ts";

/** What people do with the picture beside moving it. */
export interface Gestures {
  /** The picture was moved or zoomed by hand. */
  moved(): void;
  /** A click, or a tap, at a place of the picture. */
  pressed(at: Point): void;
}

/** Pixels that a pointer may move in a click. */
const STILL = 4;
/** How much a step of a wheel zooms, by its way in pixels. */
const WHEEL = 0.0022;
const LINE_PIXELS = 16;

/** Lets the pointers of a picture pan it, and two of them, or a wheel with the control key, zoom it. Gives its listeners. */
export function createGestures(camera: Camera, { moved, pressed }: Gestures): { readonly [event: string]: (event: Event) => void } {
  const pointers = new Map<number, Point>();
  let start: Point | undefined;
  let isClick = false;

  const pointOf = (event: PointerEvent | WheelEvent): Point => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const move = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    isClick &&= Math.hypot(now.x - start!.x, now.y - start!.y) <= STILL;
    if (isClick) return;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!(event.currentTarget as Element).hasPointerCapture(event.pointerId))
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, now);
    if (other) {
      const distance = Math.hypot(before.x - other.x, before.y - other.y) || 1;
      camera.zoom(Math.hypot(now.x - other.x, now.y - other.y) / distance, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    } else camera.pan(now.x - before.x, now.y - before.y);
    moved();
  };
  const end = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    if (isClick && event.type === "pointerup") pressed(pointOf(event));
    isClick = false;
  };
  return {
    pointerdown: (event) => {
      const { pointerId, button } = event as PointerEvent;
      if (button !== 0) return;
      const point = pointOf(event as PointerEvent);
      isClick = pointers.size === 0;
      if (isClick) start = point;
      pointers.set(pointerId, point);
    },
    pointermove: (event) => move(event as PointerEvent),
    pointerup: (event) => end(event as PointerEvent),
    pointercancel: (event) => end(event as PointerEvent),
    wheel: (event) => {
      const wheel = event as WheelEvent;
      // Without the key the page scrolls.
      if (!wheel.ctrlKey && !wheel.metaKey) return;
      event.preventDefault();
      camera.zoom(Math.exp(-wheel.deltaY * (wheel.deltaMode === 0 ? 1 : LINE_PIXELS) * WHEEL), pointOf(wheel));
      moved();
    },
  };
}

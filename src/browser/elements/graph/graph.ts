/** The graph of a run, for `<wavepoint-waves>`: loaded when the first of these elements is in a page. */
import { html, nothing, type TemplateResult } from "lit-html";
import type { Executor, Run } from "../../../core/run/run.ts";
import type { CheckpointInfo } from "../../../core/model/checkpoint.ts";
import type { RevisionPreview } from "../../../core/model/history.ts";
import type { BlockView, RunView } from "../../../core/model/view.ts";
import type { Workflow } from "../../../core/model/workflow.ts";
import { cellAt } from "../../../graph/cells.ts";
import type { Pen } from "../../../graph/drawing.ts";
import type { Size } from "../../../graph/layout/layout.ts";
import { headHeight, INSET, type Picture } from "../../../graph/picture.ts";
import { adoptStyles } from "../adopt-styles.ts";
import type { Drawing, DrawingOptions } from "../drawn-element.ts";
import { nameText } from "../field-kind.ts";
import { wordsOf } from "../wizard-messages.ts";
import { viewAtCheckpoint } from "./at-checkpoint.ts";
import { listTemplate } from "./block-list.ts";
import type { PanelProps } from "./block-panel.ts";
import { blockOf, createCalledRuns } from "./called-runs.ts";
import { changesOf, createScene, prefixOf } from "./scene.ts";
import { createCamera, type Point, READABLE } from "./camera.ts";
import { createGestures } from "./gestures.ts";
import { graphEnglish, type GraphMessages } from "./graph-messages.ts";
import { GRAPH_STYLES } from "./graph-styles.ts";
import { legendTemplate } from "./legend.ts";
import { openBlock } from "./open-block.ts";
import { runPictures } from "./run-pictures.ts";
import { walk } from "./walk.ts";

/** What the graph of a run may be drawn from beside the run. */
export interface GraphSource {
  readonly workflow?: Workflow | undefined;
  readonly executor?: Executor | undefined;
}

/** What of the run the graph shows, asked at each drawing. */
export interface GraphLook {
  /** The state in place of the present one. */
  checkpoint(): CheckpointInfo | undefined;
  /** The consequences of a changed answer, which are marked. */
  preview(): RevisionPreview | undefined;
}

interface GraphOptions extends DrawingOptions<GraphSource> {
  readonly look: GraphLook;
}

/** Pixels: what is narrower is drawn downwards. */
const NARROW = 560;
const ZOOM_STEP = 1.3;
const PAN_STEP = 60;
/** How small the picture may become where all of it matters: while it marks what a changed answer would do, and once the run is over. */
const OVERVIEW = 0.5;

/** Draws the graph of a run, and beside it the same as a list. */
export function createGraph({ run, source, look, element, id, language, attempt }: GraphOptions): Drawing {
  const presentOrPast = viewAtCheckpoint();
  const scene = createScene(element.ownerDocument);
  const camera = createCamera(scene.svg, (sight) => {
    scene.look(sight);
    host?.toggleAttribute("data-whole", camera.seesAll);
    if (host?.dataset["beyond"] !== camera.beyond) host?.setAttribute("data-beyond", camera.beyond);
  });
  const called = createCalledRuns(source.executor, () => element.requestDraw());
  const gestures = createGestures(camera, { moved: takeOver, pressed });
  const pictureOf = runPictures(called);
  const opened = openBlock({ id, element, viewOf, runOf, inside, closed: closePanel, attempt });
  let definition = source.workflow;
  /** For how many blocks it was read the last time. */
  let readFor = 0;
  let picture: Picture | undefined;
  let cursor: string | undefined;
  let followed: string | undefined;
  let isFollowing = true;
  /** Set where the next drawing shows all, or the block with this path, or where the run is. */
  let isNew: { readonly at?: string } | undefined = {};
  /** The size of the window onto the picture, when it was looked at last. */
  let seen: Size = { width: 0, height: 0 };
  let isResized = true;
  let isOverview = false;
  let announcement = "";
  let isListOpen = false;
  let host: HTMLElement | undefined;
  // In the next frame: drawing may change the size that is observed. Asking for it in each drawing would lay the page out each time.
  const sizes = new ResizeObserver(() => {
    isResized = true;
    requestAnimationFrame(() => element.requestDraw());
  });

  return {
    template,
    drawn: afterDrawing,
    end() {
      called.end();
      sizes.disconnect();
    },
  };

  function words(): GraphMessages {
    return { ...graphEnglish, ...language().messages.graph };
  }

  /** The run as it is shown. */
  function shownView(): RunView {
    return presentOrPast(run.getSnapshot(), look.checkpoint());
  }

  function viewAt(prefix: string): RunView | undefined {
    return prefix === "" ? shownView() : called.at(prefix.slice(0, -1))?.run.getSnapshot();
  }

  function viewOf(path: string): BlockView | undefined {
    const prefix = prefixOf(path);
    const view = viewAt(prefix);
    return view && blockOf(view, path.slice(prefix.length));
  }

  function runOf(path: string): Run {
    const prefix = prefixOf(path);
    return prefix === "" ? run : called.at(prefix.slice(0, -1))!.run;
  }

  function pen(): Pen {
    const { wave, undoing } = words();
    return { viewOf, hasRun: true, waveTitle: (index) => wave(language().locale.number(index + 1)), undoingTitle: undoing };
  }

  /** Reads the definition where none is given, or the run has blocks that it lacks: others added them, or it went on with another one. */
  function readDefinition({ waves }: RunView): void {
    const count = waves.reduce((sum, { blocks }) => sum + blocks.length, 0);
    const known = new Set(definition?.blocks.map((block) => block.id));
    if (count === readFor || waves.every(({ blocks }) => blocks.every((block) => known.has(block.id)))) return;
    readFor = count;
    attempt(async () => {
      definition = await run.definition();
      element.requestDraw();
    });
  }

  function template(): TemplateResult {
    const view = shownView();
    const { title, help, zoomIn, zoomOut, fit, follow, list } = words();
    const tool = (sign: string, name: string, act: () => void): TemplateResult =>
      html`<button type="button" part="button tool" title=${name} aria-label=${name} @click=${act}>${sign}</button>`;
    return html`<div part="graph" @keydown=${closeOnEscape}>
      <p part="announcement" role="status">${announcement}</p>
      <div part="graph-body">
        <div part="graph-view">
          <div part="tools" role="group" aria-label=${title}>
            ${tool("+", zoomIn, () => zoom(ZOOM_STEP))} ${tool("−", zoomOut, () => zoom(1 / ZOOM_STEP))} ${tool("⤢", fit, showAll)}
            <button type="button" part="button tool" aria-pressed=${isFollowing} @click=${toggleFollowing}>${follow}</button>
          </div>
          <div
            part="picture"
            tabindex="0"
            role="application"
            aria-label=${title}
            aria-describedby="${id}-help"
            @keydown=${onKey}
            @focus=${() => scene.mark(cursor)}
            @pointerdown=${gestures["pointerdown"]}
            @pointermove=${gestures["pointermove"]}
            @pointerup=${gestures["pointerup"]}
            @pointercancel=${gestures["pointercancel"]}
            @wheel=${gestures["wheel"]}
          >
            ${scene.svg}
          </div>
          <p part="hint help" id="${id}-help">${help}</p>
        </div>
        ${opened.template(words(), language())}
      </div>
      ${picture ? legendTemplate(picture.graph, view, words(), language()) : nothing}
      <details part="list" @toggle=${toggleList}>
        <summary>${list}</summary>
        ${isListOpen ? listTemplate({ view, words: words(), language: language(), open: (block, button) => open(block, { from: button }) }) : nothing}
      </details>
    </div>`;
  }

  function toggleList(event: Event): void {
    isListOpen = (event.currentTarget as HTMLDetailsElement).open;
    element.requestDraw();
  }

  function afterDrawing(): void {
    adoptStyles(element, GRAPH_STYLES);
    const view = shownView();
    const found = element.querySelector<HTMLElement>("[part~=picture]")!;
    if (found !== host) {
      sizes.disconnect();
      sizes.observe(found);
      host = found;
      isResized = true;
    }
    const width = isResized ? host.clientWidth : seen.width;
    const isMirrored = element.matches(":dir(rtl)");
    const direction = width > 0 && width < NARROW ? "down" : isMirrored ? "left" : "right";
    const current = pictureOf({ view, definition, direction, waveTitle: words().wave("") });
    if (current !== picture) {
      const isFirst = picture === undefined;
      picture = current;
      readDefinition(view);
      scene.show(picture, pen(), isNew?.at ?? activePath(""));
      if (isFollowing) isNew ??= {};
      // The legend goes by the picture.
      if (isFirst) element.requestDraw();
    } else scene.refresh(pen());
    const changes = changesOf(look.preview());
    scene.markChanges(changes);
    const matters = changes.size > 0 || (view.status !== "running" && view.status !== "paused");
    if (isOverview !== matters && isFollowing) isNew ??= {};
    isOverview = matters;
    scene.mark(cursor);
    fitInto(host);
    opened.read();
  }

  /** Gives the picture its part of the page, and moves to where the run is. */
  function fitInto(within: HTMLElement): void {
    const { width, height, direction } = picture!;
    if (isResized || isNew) {
      const scale = Math.max(READABLE, Math.min(1, within.clientWidth / width || 1));
      within.style.setProperty("--w-graph-height", `${Math.ceil(height * scale)}px`);
    }
    const room = isResized || isNew ? { width: within.clientWidth, height: within.clientHeight } : seen;
    isResized = false;
    const hasOtherRoom = room.width !== seen.width || room.height !== seen.height;
    if (isFollowing && hasOtherRoom) isNew ??= {};
    seen = room;
    camera.resize(room, { width, height });
    const active = activePath("");
    // A panel beside the picture takes its room: what it is about stays in sight.
    const path = isNew ? (isNew.at ?? opened.path ?? active ?? followed) : active;
    const box = path === undefined ? undefined : scene.places.get(path)?.box;
    if (isNew) camera.home(box, { x: direction === "left" ? width : 0, y: 0 }, isOverview ? OVERVIEW : READABLE);
    else if (opened.path !== undefined && hasOtherRoom) reveal(opened.path);
    else if (isFollowing && box && active !== followed) camera.reveal(box);
    isNew = undefined;
    // Where nothing is active any more, it stays there.
    followed = active ?? followed;
  }

  /** The block that asks, works, waits or failed, in a called run that is shown too. */
  function activePath(prefix: string): string | undefined {
    const blocks = viewAt(prefix)?.waves.flatMap((wave) => wave.blocks) ?? [];
    const found = ["paused", "running", "waiting", "failed"].flatMap((status) => blocks.find((block) => block.status === status) ?? [])[0];
    if (!found) return undefined;
    const path = prefix + found.id;
    return (called.at(path) && activePath(`${path}/`)) ?? path;
  }

  function takeOver(): void {
    if (!isFollowing) return;
    isFollowing = false;
    element.requestDraw();
  }

  function zoom(factor: number, at?: Point): void {
    camera.zoom(factor, at);
    takeOver();
  }

  function showAll(): void {
    camera.fit();
  }

  function toggleFollowing(): void {
    isFollowing = !isFollowing;
    const active = activePath("");
    const box = active === undefined ? undefined : scene.places.get(active)?.box;
    if (isFollowing && box) camera.reveal(box);
    element.requestDraw();
  }

  function pressed(at: Point): void {
    const point = camera.toPicture(at);
    // The innermost box: those of called runs stand behind those that they are in.
    const place = [...scene.places.values()].findLast(
      ({ box }) => point.x >= box.x && point.y >= box.y && point.x < box.x + box.width && point.y < box.y + box.height,
    );
    if (!place) return;
    const { node, box, path } = place;
    const count = viewOf(path)?.items?.length ?? 0;
    const item = node.grid && cellAt(node.grid, point.x - box.x - INSET, point.y - box.y - headHeight(node.note));
    open(path, { item: item !== undefined && item < count ? item : undefined });
  }

  /** Opens the panel of a block, and puts the focus on its heading, so that it is read and in sight. */
  function open(path: string, { item, from = host! }: { readonly item?: number | undefined; readonly from?: HTMLElement } = {}): void {
    show(path, item, from);
    element.draw();
    const shown = element.querySelector<HTMLElement>("[part~=panel]")!;
    shown.querySelector<HTMLElement>("h3")!.focus({ preventScroll: true });
    shown.scrollIntoView({ block: "nearest" });
    // From the list one may open what is out of sight.
    reveal(path);
  }

  function reveal(path: string): void {
    const place = scene.places.get(path);
    if (place) camera.reveal(place.box);
  }

  function show(path: string, item: number | undefined, from: HTMLElement): void {
    cursor = path;
    scene.mark(path);
    opened.open(path, item, from);
  }

  function closePanel(): void {
    opened.close(host!);
  }

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || opened.path === undefined) return;
    event.stopPropagation();
    closePanel();
  }

  /** The run that a block called, inside of it; nothing where none can be opened. */
  function inside(path: string, child: string): PanelProps["inside"] {
    if (!called.isPossible) return undefined;
    const isShown = called.at(path)?.run.id === child;
    return { isShown, toggle: () => (isShown ? hideInside(path) : showInside(path, child)) };
  }

  function hideInside(path: string): void {
    isNew = { at: path };
    called.close(path);
    if (cursor?.startsWith(`${path}/`)) cursor = path;
    element.requestDraw();
  }

  function showInside(path: string, child: string): void {
    attempt(async () => {
      await called.open(path, child);
      isNew = { at: path };
      element.requestDraw();
    });
  }

  function moveTo(path: string): void {
    cursor = path;
    scene.mark(path);
    camera.reveal(scene.places.get(path)!.box);
    takeOver();
    const view = viewOf(path);
    announcement = [nameText(path.slice(prefixOf(path).length)), view && wordsOf(language().messages).status[view.status]]
      .filter(Boolean)
      .join(", ");
    if (opened.path !== undefined) show(path, undefined, host!);
    element.requestDraw();
  }

  function onKey(event: KeyboardEvent): void {
    const act = keyAction(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  function keyAction({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): (() => void) | undefined {
    if (ctrlKey || metaKey || altKey) return undefined;
    if (key === "+" || key === "=") return () => zoom(ZOOM_STEP);
    if (key === "-" || key === "_") return () => zoom(1 / ZOOM_STEP);
    if (key === "0") return showAll;
    const [first, last] = [scene.places.keys().next().value, [...scene.places.keys()].at(-1)];
    if (first === undefined) return undefined;
    if (key === "Home" || key === "End") return () => moveTo(key === "Home" ? first : last!);
    if ((key === "Enter" || key === " ") && cursor !== undefined) {
      const path = cursor;
      return () => open(path);
    }
    const arrow = ARROWS[key];
    if (!arrow) return undefined;
    if (shiftKey) {
      return () => {
        camera.pan(-arrow.x * PAN_STEP, -arrow.y * PAN_STEP);
        takeOver();
      };
    }
    return () => moveTo(cursor === undefined ? (activePath("") ?? first) : (walk(scene, cursor, key) ?? cursor));
  }
}

const ARROWS: { readonly [key: string]: Point } = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

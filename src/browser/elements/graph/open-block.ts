import { nothing, type TemplateResult } from "lit-html";
import type { BlockView } from "../../../core/model/view.ts";
import type { Run } from "../../../core/run/run.ts";
import type { WavepointElement } from "../element-base.ts";
import type { Language } from "../value-text.ts";
import { type BlockRecords, type PanelProps, panelTemplate, readRecords } from "./block-panel.ts";
import type { GraphMessages } from "./graph-messages.ts";

/** The block whose panel is open. */
interface Opened {
  readonly path: string;
  readonly item: number | undefined;
  /** As it stood when its records were read. */
  readonly view: BlockView | undefined;
  readonly records: BlockRecords | undefined;
  /** Gets the focus back once the panel is closed. */
  readonly from: HTMLElement;
}

/** Which block of the graph is open beside it, if one is. */
export interface OpenBlock {
  readonly path: string | undefined;
  template(words: GraphMessages, language: Language): TemplateResult | typeof nothing;
  /** Opens a block, or one of its items, at the next drawing. `from` gets the focus once the panel is closed. */
  open(path: string, item: number | undefined, from: HTMLElement): void;
  /** Closes the panel and draws. `otherwise` gets the focus where the panel was opened from what is gone. */
  close(otherwise: HTMLElement): void;
  /** Reads the records of the block, again when it has changed. */
  read(): void;
}

interface OpenBlockOptions {
  /** Begins the ids. */
  readonly id: string;
  readonly element: WavepointElement;
  viewOf(path: string): BlockView | undefined;
  /** The run that a block belongs to. */
  runOf(path: string): Run;
  /** Shows or hides a called run inside of the block that called it. */
  inside(path: string, child: string): PanelProps["inside"];
  closed(): void;
  attempt(act: () => Promise<void>): void;
}

export function openBlock({ id, element, viewOf, runOf, inside, closed, attempt }: OpenBlockOptions): OpenBlock {
  let opened: Opened | undefined;

  return {
    get path() {
      return opened?.path;
    },
    template(words, language) {
      const view = opened && viewOf(opened.path);
      if (!opened || !view) return nothing;
      const { path, item, records } = opened;
      const child = (item === undefined ? view : view.items?.[item])?.child;
      return panelTemplate({
        id,
        view,
        item,
        records,
        words,
        language,
        close: closed,
        pick: (picked) => {
          opened = { ...opened!, item: picked };
          element.requestDraw();
        },
        inside: child === undefined ? undefined : inside(path, child),
      });
    },
    open(path, item, from) {
      opened = { path, item, from, view: undefined, records: opened?.path === path ? opened.records : undefined };
    },
    close(otherwise) {
      const { from } = opened!;
      opened = undefined;
      element.draw();
      (from.isConnected ? from : otherwise).focus();
    },
    read() {
      const view = opened && viewOf(opened.path);
      if (!opened || !view || opened.view === view) return;
      const { path } = opened;
      opened = { ...opened, view };
      const run = runOf(path);
      attempt(async () => {
        const records = await readRecords(run, view.id);
        if (opened?.path !== path) return;
        opened = { ...opened, records };
        element.requestDraw();
      });
    },
  };
}

import type { BlockView, RunView } from "../../../core/model/view.ts";
import type { Workflow } from "../../../core/model/workflow.ts";
import { graphOfRun } from "../../../graph/graph.ts";
import type { Direction } from "../../../graph/layout/layout.ts";
import { type Picture, placeGraph } from "../../../graph/picture.ts";
import { blockOf, type CalledRuns } from "./called-runs.ts";

/** What a picture of a run is made of. */
interface Subject {
  readonly view: RunView;
  readonly definition: Workflow | undefined;
  readonly direction: Direction;
  /** The title of a wave, which stands in the picture. */
  readonly waveTitle: string;
}

/** Gives pictures of a run and of the called runs that are shown in it: the same one as long as no place in it would change. */
export function runPictures(called: CalledRuns): (subject: Subject) => Picture {
  const keys = new WeakMap<readonly BlockView[], string>();
  let last: { readonly key: string; readonly definition: Workflow | undefined; readonly picture: Picture } | undefined;

  return ({ view, definition, direction, waveTitle }) => {
    const key = `${direction} ${waveTitle} ${keyOf(view, "")}`;
    if (last?.key !== key || last.definition !== definition) {
      last = { key, definition, picture: place(view, definition, direction) };
    }
    return last.picture;
  };

  /** All of a run on which the places depend. */
  function keyOf({ waves, compensations = [] }: RunView, prefix: string): string {
    return [...waves.map(({ blocks }) => keyOfBlocks(blocks, prefix)), keyOfBlocks(compensations, prefix)].join("|");
  }

  /** Of a thousand blocks few waves change from one drawing to the next: the lists of all others are the same. */
  function keyOfBlocks(blocks: readonly BlockView[], prefix: string): string {
    const known = called.isEmpty ? keys.get(blocks) : undefined;
    if (known !== undefined) return known;
    const key = blocks.map((block) => keyOfBlock(block, prefix + block.id)).join();
    if (called.isEmpty) keys.set(blocks, key);
    return key;
  }

  function keyOfBlock({ id, items, iteration }: BlockView, path: string): string {
    const inner = called.at(path);
    const inside = inner ? `{${keyOf(inner.run.getSnapshot(), `${path}/`)}}` : "";
    return `${id} ${items?.length ?? ""}${iteration === undefined ? "" : "↻"}${inside}`;
  }

  function place(view: RunView, workflow: Workflow | undefined, direction: Direction, prefix = ""): Picture {
    return placeGraph(graphOfRun(view, workflow), direction, (block) => {
      const path = prefix + block;
      const inner = called.at(path);
      return {
        view: blockOf(view, block),
        inner: inner && place(inner.run.getSnapshot(), inner.definition, direction, `${path}/`),
      };
    });
  }
}

import type { Executor, Run } from "../../../core/run/run.ts";
import type { BlockView, RunView } from "../../../core/model/view.ts";
import type { Workflow } from "../../../core/model/workflow.ts";

/** A run that is shown inside of the block that called it. */
export interface CalledRun {
  readonly run: Run;
  readonly definition: Workflow;
}

/** The runs that are shown inside of blocks, by the path of the block. */
export interface CalledRuns {
  at(path: string): CalledRun | undefined;
  readonly isEmpty: boolean;
  readonly isPossible: boolean;
  open(path: string, run: string): Promise<void>;
  close(path: string): void;
  end(): void;
}

/** Opens called runs and listens to them. Without an executor none can be opened. */
export function createCalledRuns(executor: Executor | undefined, changed: () => void): CalledRuns {
  const opened = new Map<string, CalledRun & { readonly leave: () => void }>();
  const close = (path: string): void => {
    for (const [key, { leave }] of opened) {
      if (key !== path && !key.startsWith(`${path}/`)) continue;
      leave();
      opened.delete(key);
    }
  };
  return {
    at: (path) => opened.get(path),
    get isEmpty() {
      return opened.size === 0;
    },
    isPossible: executor !== undefined,
    async open(path, id) {
      const run = await executor!.open(id);
      const definition = await run.definition();
      close(path);
      opened.set(path, { run, definition, leave: run.subscribe(changed) });
    },
    close,
    end: () => {
      for (const { leave } of opened.values()) leave();
      opened.clear();
    },
  };
}

const indexes = new WeakMap<RunView["waves"], ReadonlyMap<string, BlockView>>();

/** A block of a run by its id, also one that undoes others. */
export function blockOf({ waves, compensations }: RunView, id: string): BlockView | undefined {
  let index = indexes.get(waves);
  if (!index) {
    index = new Map(waves.flatMap(({ blocks }) => blocks.map((block) => [block.id, block] as const)));
    indexes.set(waves, index);
  }
  return index.get(id) ?? compensations?.find((block) => block.id === id);
}

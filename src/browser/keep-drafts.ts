import { errorData, type ErrorData } from "../core/model/errors.ts";
import type { Answer } from "../core/model/file-value.ts";

/** Drafts of one question on their way to the store: only the newest, and one at a time unless it is urgent. */
export interface DraftKeeper {
  keep(draft: Answer | undefined): void;
  /** Saves at once what waits. */
  flush(): void;
  /** Whether it saves nothing by itself: an answer with all of it is on its way. */
  hold(isHeld: boolean): void;
  /** Forgets what waits. */
  drop(): void;
}

interface DraftKeeperOptions {
  save(draft: Answer | undefined): Promise<void>;
  /** A draft could not be saved; called with nothing once one could. */
  onProblem(error: ErrorData | undefined): void;
}

/** Long enough for a few keys, short enough that a crash loses no sentence. */
const QUIET_MS = 300;

/** Makes the keeper of the drafts of one question. */
export function keepDrafts({ save, onProblem }: DraftKeeperOptions): DraftKeeper {
  let waiting: { readonly draft: Answer | undefined } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving = 0;
  let held = false;

  return {
    keep(draft) {
      waiting = { draft };
      // Fired also when the page is left.
      globalThis.document?.addEventListener("visibilitychange", flush);
      schedule();
    },
    flush,
    hold(isHeld) {
      held = isHeld;
      schedule();
    },
    drop: forget,
  };

  function schedule(): void {
    clearTimeout(timer);
    if (waiting && !held) timer = setTimeout(() => saving || flush(), QUIET_MS);
  }

  /** Waits for nothing, not for what is being saved either: where the page is left, nothing comes later. */
  function flush(): void {
    clearTimeout(timer);
    if (waiting) void saveNewest(waiting);
  }

  function forget(): void {
    clearTimeout(timer);
    waiting = undefined;
    globalThis.document?.removeEventListener("visibilitychange", flush);
  }

  async function saveNewest(taken: NonNullable<typeof waiting>): Promise<void> {
    saving += 1;
    let problem: ErrorData | undefined;
    try {
      await save(taken.draft);
    } catch (thrown) {
      problem = errorData(thrown, "STORE_FAILED");
    }
    saving -= 1;
    // Typed meanwhile, or an older one may be written later: after a moment of quiet.
    if (waiting !== taken || saving) schedule();
    // What the store is to blame for may do later: when the page is hidden, left or seen again.
    else if (!problem?.code.startsWith("STORE_")) forget();
    onProblem(problem);
  }
}

import type { ReviewItem } from "../../core/model/history.ts";
import type { RunView } from "../../core/model/view.ts";
import type { Executor, Run } from "../../core/run/run.ts";
import { createReader, type Reader } from "./reader.ts";

/** What a dashboard may offer: `answer` with retry and resume, `manage` with stop, cancel, fork and delete, `transfer` with export. */
export type DashboardRight = "read" | "answer" | "manage" | "transfer";

export const ALL_RIGHTS: ReadonlySet<DashboardRight> = new Set(["read", "answer", "manage", "transfer"]);

/** The run that is shown, with what its view leaves out. */
export interface OpenRun {
  readonly run: Run;
  readonly rights: ReadonlySet<DashboardRight>;
  readonly view: RunView;
  readonly answers: Reader<readonly ReviewItem[]>;
  /** Listens to the run again, or for now no more: what no one looks at needs no connection. */
  follow(isFollowing: boolean): void;
  close(): void;
}

interface OpenRunOptions {
  readonly rights: ReadonlySet<DashboardRight>;
  onView(view: RunView): void;
  onRead(): void;
  onProblem(thrown: unknown): void;
}

/** Opens a run and follows it. Throws what opening it throws. */
export async function openRun(executor: Executor, id: string, options: OpenRunOptions): Promise<OpenRun> {
  const { rights, onView, onRead, onProblem } = options;
  const run = await executor.open(id);
  const attempt = (act: () => Promise<void>): void => void act().catch(onProblem);
  const answers = createReader({ read: () => run.answers(), onRead, attempt });
  let leave: (() => void) | undefined;
  const opened: OpenRun = {
    run,
    rights,
    get view() {
      return run.getSnapshot();
    },
    answers,
    follow(isFollowing) {
      if (isFollowing) leave ??= run.subscribe(onView);
      else {
        leave?.();
        leave = undefined;
      }
    },
    close() {
      opened.follow(false);
      answers.end();
    },
  };
  return opened;
}

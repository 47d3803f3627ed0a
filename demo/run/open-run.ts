import { isWorkflowError, type Executor, type Run, type RunView } from "wavepoint";
import { questionHistory, type QuestionHistory } from "wavepoint/browser";
import { problemText } from "../problem-text.ts";

/** The run that the page shows: one at a time. */
export interface OpenRun {
  /** Nothing until it was read. */
  readonly shown: { readonly run: Run; readonly view: RunView } | undefined;
  /** Why it cannot be shown. */
  readonly missing: string | undefined;
  /** Shows a run in the place of the one before, and has it go on where it was cut off. */
  open(id: string): Promise<void>;
  /** Shows it no longer. */
  leave(): void;
  /** Reads it again after a change of the run with this id, or of any, and finds out whether it is gone. */
  catchUp(changed: string | undefined): Promise<void>;
}

interface OpenRunOptions {
  readonly executor: Executor;
  /** Called beside the first reading of a run: what its page needs. */
  load(): Promise<void>;
  /** Called before anything of the run is executed. */
  prepare(view: RunView): void;
  /** Another run is shown, or none. */
  onOpened(run: Run | undefined): void;
  /** `before` is nothing at first, and where the run is missing both are. */
  onChange(next?: RunView, before?: RunView): void;
  onProblem(thrown: unknown): void;
}

/** Follows the run that the page shows. */
export function createOpenRun({ executor, load, prepare, onOpened, onChange, onProblem }: OpenRunOptions): OpenRun {
  /** Counts what was opened and left: while a run is read, another one may be asked for. */
  let turn = 0;
  let opened: { readonly run: Run; leave(): void } | undefined;
  let view: RunView | undefined;
  let questions: QuestionHistory | undefined;
  let missing: string | undefined;

  return {
    get shown() {
      return opened && view && { run: opened.run, view };
    },
    get missing() {
      return missing;
    },
    open,
    leave,
    async catchUp(changed) {
      if (!opened || (changed !== undefined && changed !== opened.run.id)) return;
      const { run } = opened;
      // While it executes here nothing else changes it.
      if (run.getSnapshot().active) return;
      try {
        await run.refresh();
      } catch (thrown) {
        if (run !== opened?.run) return;
        if (isWorkflowError(thrown) && thrown.code === "RUN_NOT_FOUND") void open(run.id);
        else onProblem(thrown);
      }
    },
  };

  async function open(id: string): Promise<void> {
    leave();
    const mine = turn;
    try {
      const [run] = await Promise.all([executor.open(id), load()]);
      if (mine !== turn) return;
      prepare(run.getSnapshot());
      show(run);
      questions = questionHistory(run, { onProblem });
      const { status, active, parent } = run.getSnapshot();
      // A called run is carried on by the run that called it.
      if (status === "running" && !active && !parent) run.resume().catch(onProblem);
    } catch (thrown) {
      if (mine !== turn) return;
      missing = problemText(thrown);
      onChange();
    }
  }

  function show(run: Run): void {
    opened = {
      run,
      leave: run.subscribe((next) => {
        const before = view;
        view = next;
        onChange(next, before);
      }),
    };
    onOpened(run);
  }

  function leave(): void {
    questions?.dispose();
    opened?.leave();
    [questions, opened, view, missing] = [undefined, undefined, undefined, undefined];
    turn += 1;
    onOpened(undefined);
  }
}

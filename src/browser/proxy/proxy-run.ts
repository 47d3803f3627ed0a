import type {
  DeclineOptions,
  JournalQuery,
  ResumeRunOptions,
  Run,
  RunValues,
  SignalOptions,
  SuperstepOptions,
  WaitOptions,
} from "../../core/run/run.ts";
import type { RunContext } from "../../core/model/checkpoint.ts";
import type { Answer, FileValue } from "../../core/model/file-value.ts";
import type { MovePlan } from "../../core/model/move-plan.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { ReviewItem, RevisionPreview } from "../../core/model/history.ts";
import type { JournalRecord } from "../../core/model/journal.ts";
import type { RunFile } from "../../core/model/run-file.ts";
import type { Step } from "../../core/model/run.ts";
import type { RunView } from "../../core/model/view.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Page } from "../../core/ports/store.ts";
import type { AbortSignalLike } from "../../core/ports/host.ts";

/** What is to be known of a call to an executor elsewhere. */
export interface CallRules {
  readonly run?: ProxyRun;
  /** The part of the executor that is called. Default: the run, or the executor itself. */
  readonly of?: "runs" | "checkpoints" | undefined;
  /** The last argument; a signal among them aborts the waiting. */
  readonly options?: { readonly signal?: AbortSignalLike | undefined } | undefined;
  /** Set where a second time would be another thing: such a call fails with its connection. All others may be made again. */
  readonly isOnce?: boolean;
  /** Set where the run that comes of it executes. */
  readonly drives?: boolean;
}

/** The calls of a page to an executor elsewhere, as runs make them. */
export interface RunCalls {
  /** Called when the first listener of a run comes, and when the last one goes. */
  listen(run: ProxyRun, isListening: boolean): void;
  call<T>(method: string, args: readonly unknown[], rules?: CallRules): Promise<T>;
}

/** A run of an executor elsewhere, as its page holds it. Its view is the one that arrived last. */
export class ProxyRun implements Run {
  readonly id: string;
  /** Whether it is executed for this page: then it goes on where its executor is made anew. */
  isEngaged = false;
  readonly #calls: RunCalls;
  readonly #listeners = new Set<(view: RunView) => void>();
  #view: RunView;

  constructor(calls: RunCalls, view: RunView) {
    this.id = view.id;
    this.#calls = calls;
    this.#view = view;
    this.isEngaged = view.active;
  }

  show(view: RunView): void {
    this.isEngaged ||= view.active;
    if (view === this.#view) return;
    this.#view = view;
    for (const listener of this.#listeners) queueMicrotask(() => this.#listeners.has(listener) && listener(this.#view));
  }

  getSnapshot(): RunView {
    return this.#view;
  }

  subscribe(listener: (view: RunView) => void): () => void {
    const own = (view: RunView): void => listener(view);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#calls.listen(this, true);
    own(this.#view);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#calls.listen(this, false);
    };
  }

  settled(options?: WaitOptions): Promise<RunResult> {
    return this.#call("settled", [], { options });
  }

  answer(
    pauseOrAnswers: string | { readonly [pause: string]: Answer },
    ...rest: readonly (Answer | WaitOptions | undefined)[]
  ): Promise<RunResult> {
    const isOne = typeof pauseOrAnswers === "string";
    const answers = isOne ? { [pauseOrAnswers]: rest[0] } : pauseOrAnswers;
    return this.#call("answer", [answers], { options: rest[isOne ? 1 : 0] as WaitOptions });
  }

  decline(pause: string, options?: DeclineOptions): Promise<RunResult> {
    return this.#call("decline", [pause], { options });
  }

  saveDraft(pause: string, draft: Answer | undefined): Promise<void> {
    return this.#call("saveDraft", [pause, draft]);
  }

  answers(): Promise<readonly ReviewItem[]> {
    return this.#call("answers", []);
  }

  revise(pause: string, response: Answer, options?: WaitOptions): Promise<RunResult> {
    return this.#call("revise", [pause, response], { options });
  }

  previewRevise(pause: string, response: Answer): Promise<RevisionPreview> {
    return this.#call("previewRevise", [pause, response]);
  }

  back(options?: WaitOptions): Promise<RunResult> {
    return this.#call("back", [], { options, isOnce: true });
  }

  plan(workflow?: Workflow): Promise<MovePlan> {
    return this.#call("plan", [workflow]);
  }

  resume(options?: ResumeRunOptions): Promise<RunResult> {
    return this.#call("resume", [], { options });
  }

  signal(name: string, value?: Answer, options?: SignalOptions): Promise<void> {
    return this.#call("signal", [name, value], { options, isOnce: options?.id === undefined });
  }

  stop(): Promise<RunResult> {
    return this.#call("stop", []);
  }

  cancel(options?: { readonly reason?: string }): Promise<RunResult> {
    return this.#call("cancel", [options]);
  }

  steps(options?: SuperstepOptions): Promise<readonly Step[]> {
    return this.#call("steps", [options]);
  }

  journal(query?: JournalQuery): Promise<Page<JournalRecord>> {
    return this.#call("journal", [query]);
  }

  state(options?: SuperstepOptions): Promise<RunValues> {
    return this.#call("state", [options]);
  }

  context(options?: SuperstepOptions): Promise<RunContext> {
    return this.#call("context", [options]);
  }

  definition(options?: SuperstepOptions): Promise<Workflow> {
    return this.#call("definition", [options]);
  }

  files(options?: SuperstepOptions): Promise<readonly RunFile[]> {
    return this.#call("files", [options]);
  }

  readFile(name: string, options?: SuperstepOptions): Promise<FileValue> {
    return this.#call("readFile", [name, options]);
  }

  refresh(): Promise<void> {
    return this.#call("refresh", []);
  }

  #call<T>(method: keyof Run, args: readonly unknown[], rules?: CallRules): Promise<T> {
    return this.#calls.call(method, args, { ...rules, run: this });
  }
}

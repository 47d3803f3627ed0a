import type {
  DeclineOptions,
  ResumeRunOptions,
  ReviseOptions,
  Run,
  RunValues,
  SuperstepOptions,
  WaitOptions,
} from "../../core/engine/face.ts";
import type { Answer } from "../../core/model/file-value.ts";
import type { MovePlan } from "../../core/model/move-plan.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { ReviewItem } from "../../core/model/review.ts";
import type { RevisionPreview } from "../../core/model/revision.ts";
import type { Step } from "../../core/model/run.ts";
import type { RunView } from "../../core/model/view.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { CallRules, WorkerCalls } from "./worker-calls.ts";

/** A run of a worker, as its page holds it. Its view is the one the worker told last. */
export class WorkerRun implements Run {
  readonly id: string;
  /** Whether it is executed for this page: then it goes on in another worker. */
  isEngaged = false;
  readonly #calls: WorkerCalls;
  readonly #listeners = new Set<(view: RunView) => void>();
  #view: RunView;

  constructor(calls: WorkerCalls, view: RunView) {
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
    this.#calls.listening.add(this);
    own(this.#view);
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#calls.listening.delete(this);
    };
  }

  settled(options?: WaitOptions): Promise<RunResult> {
    return this.#call("settled", [], { options });
  }

  answer(
    pauseOrAnswers: string | { readonly [pause: string]: Answer },
    ...rest: readonly (Answer | WaitOptions | undefined)[]
  ): Promise<RunResult> {
    const answers = typeof pauseOrAnswers === "string" ? [pauseOrAnswers, rest[0]] : [pauseOrAnswers];
    return this.#call("answer", answers, { options: rest[answers.length - 1] as WaitOptions });
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

  revise(pause: string, response: Answer, options?: ReviseOptions): Promise<WorkerRun> {
    return this.#call("revise", [pause, response, options], { isOnce: true, drives: true });
  }

  previewRevise(pause: string, response: Answer): Promise<RevisionPreview> {
    return this.#call("previewRevise", [pause, response]);
  }

  back(): Promise<WorkerRun> {
    return this.#call("back", [], { isOnce: true, drives: true });
  }

  plan(workflow?: Workflow): Promise<MovePlan> {
    return this.#call("plan", [workflow]);
  }

  resume(options?: ResumeRunOptions): Promise<RunResult> {
    return this.#call("resume", [], { options });
  }

  cancel(options?: { readonly reason?: string }): Promise<RunResult> {
    return this.#call("cancel", [options]);
  }

  steps(options?: SuperstepOptions): Promise<readonly Step[]> {
    return this.#call("steps", [options]);
  }

  state(options?: SuperstepOptions): Promise<RunValues> {
    return this.#call("state", [options]);
  }

  refresh(): Promise<void> {
    return this.#call("refresh", []);
  }

  #call<T>(method: keyof Run, args: readonly unknown[], rules?: CallRules): Promise<T> {
    return this.#calls.call(method, args, { ...rules, run: this });
  }
}

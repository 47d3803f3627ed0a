import { errorData, type ErrorData } from "../core/model/errors.ts";
import type { FieldError } from "../core/model/value-problem.ts";
import type { RunResult } from "../core/model/result.ts";
import type { Pause } from "../core/model/run.ts";
import type { Answer } from "../core/model/file-value.ts";
import type { Value } from "../core/model/value.ts";
import type { Run } from "../core/run/run.ts";
import { type FormConditionState, lookAtForm } from "./form-conditions.ts";
import { keepDrafts } from "./keep-drafts.ts";

export type { FieldError, FormConditionState };

/** The form of one question while a person answers it. */
export interface PauseForm {
  /** The state: the same object until something changes. */
  getSnapshot(): PauseFormState;
  /** Calls the listener after each change; only once if it is passed twice. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  /**
   * Sends an answer, and resolves when the run is settled again. What is wrong with the answer is in the state. While one is being sent, another one is not
   * sent and gives the result of the first. Rejects with what `run.answer` throws.
   */
  answer(response: Answer): Promise<RunResult>;
  /** Declines the question in the same way; see `run.decline`. */
  decline(action?: "decline" | "cancel" | "skip"): Promise<RunResult>;
  /**
   * Saves what was typed, 300 ms after the last change. Saves at once, and retries what the store had refused, when the page is hidden or left, or the last
   * listener goes. Never saves what is typed for a `sensitive` question.
   */
  saveDraft(draft: Answer | undefined): void;
}

/** The state of a question while a person answers it. */
export interface PauseFormState {
  /** Absent once the question no longer waits: it was answered, here or elsewhere. */
  readonly pause: Pause | undefined;
  /** Whether an answer is being sent. */
  readonly isSending: boolean;
  /** Why the last answer was refused; gone with the next one. */
  readonly error: ErrorData | undefined;
  /** What is wrong with its fields. */
  readonly fieldErrors: readonly FieldError[];
  /**
   * What was typed: here, saved or not, else what is saved. A newer draft of another tab replaces it. Once the question no longer waits, what was typed here
   * and not sent.
   */
  readonly draft: Answer | undefined;
  /** Why the draft could not be saved; gone once it is. */
  readonly draftError: ErrorData | undefined;
  /** The conditions of the form, evaluated on the draft or the prefill; absent where it has none. Fields that are not asked are dropped from an answer. */
  readonly conditions?: FormConditionState | undefined;
}

/** Before an answer. */
const QUIET = { isSending: false, error: undefined, fieldErrors: [] } as const;

const forms = new WeakMap<Run, { [pause: string]: PauseForm }>();

/**
 * Makes the form of a question of a run, which keeps its drafts, its errors, and whether an answer is being sent. All callers get the same form for the
 * same question.
 */
export function createPauseForm(run: Run, pause: string): PauseForm {
  const ofRun = forms.get(run) ?? (Object.create(null) as { [pause: string]: PauseForm });
  forms.set(run, ofRun);
  return (ofRun[pause] ??= makeForm(run, pause));
}

/** Whether an answer was refused because its question no longer waits: it was answered or withdrawn elsewhere. */
export function isTooLate({ code }: ErrorData): boolean {
  return code === "PAUSE_ALREADY_ANSWERED" || code === "PAUSE_WITHDRAWN";
}

function makeForm(run: Run, pause: string): PauseForm {
  const listeners = new Set<() => void>();
  let leaveRun: (() => void) | undefined;
  let sending: Promise<RunResult> | undefined;
  /** With what the store made of it: a secret is masked there, and stays what it is in the control. */
  let typed: { readonly draft: Answer | undefined; readonly kept?: { readonly draft: Value | undefined } } | undefined;
  let state: PauseFormState = {
    ...QUIET,
    pause: undefined,
    draft: undefined,
    draftError: undefined,
  };
  const drafts = keepDrafts({
    async save(draft) {
      const saved = typed;
      await run.saveDraft(pause, draft);
      if (saved && typed === saved) typed = { ...saved, kept: { draft: findPause()?.draft } };
    },
    onProblem(problem) {
      // Once the question is answered, here or elsewhere, the draft is no longer needed.
      const draftError = findPause() && problem;
      if (draftError !== state.draftError) change({ draftError });
    },
  });
  look();
  let told = state;

  return {
    getSnapshot() {
      look();
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      leaveRun ??= run.subscribe(() => {
        look();
        // The store may be back that could not be reached.
        if (state.draftError && !run.getSnapshot().error) drafts.flush();
        tell();
      });
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        leaveRun?.();
        leaveRun = undefined;
        // The draft of a question that no longer waits is not needed.
        look();
        drafts.flush();
      };
    },
    answer: (response) => send(() => run.answer(pause, response)),
    decline: (action = "decline") => send(() => run.decline(pause, { action })),
    saveDraft(draft) {
      const open = findPause();
      if (!open) return;
      typed = { draft };
      look();
      tell();
      if (!open.sensitive) drafts.keep(draft);
    },
  };

  function findPause(): Pause | undefined {
    return run.getSnapshot().pauses.find(({ id }) => id === pause);
  }

  /** Does not notify listeners: the reader of the state may be in the middle of drawing it. */
  function look(): void {
    const found = findPause();
    // While an answer is on its way the question is gone, and comes back where the answer could not be stored.
    if (!found && !sending) drafts.drop();
    // One that is gone may have gone with an answer that is not seen here yet.
    if (found?.draft !== undefined && typed?.kept && typed.kept.draft !== found.draft) typed = undefined;
    const draft = typed ? typed.draft : found?.draft;
    if (found === state.pause && draft === state.draft) return;
    state = { ...state, pause: found, draft };
    if (found) lookAtConditions(found);
  }

  function lookAtConditions({ schema, prefill, earlier }: Pause): void {
    const shown = state.draft ?? prefill ?? earlier?.response;
    const conditions = lookAtForm(schema, shown, () => {
      const open = findPause();
      if (!open) return;
      lookAtConditions(open);
      tell();
    });
    if (conditions ?? state.conditions) state = { ...state, conditions };
  }

  function change(part: Partial<PauseFormState>): void {
    state = { ...state, ...part };
    tell();
  }

  function tell(): void {
    if (told === state) return;
    told = state;
    for (const listener of listeners) listener();
  }

  function send(act: () => Promise<RunResult>): Promise<RunResult> {
    return (sending ??= settle(act));
  }

  async function settle(act: () => Promise<RunResult>): Promise<RunResult> {
    let error: ErrorData | undefined;
    const sent = typed?.draft;
    drafts.hold(true);
    change({ ...QUIET, isSending: true });
    try {
      const result = await act();
      // A run that failed later on does not mean that the answer was wrong.
      if (result.status === "failure" && (findPause() || isTooLate(result.error))) error = result.error;
      // What was typed since is no part of the answer.
      else if (typed?.draft === sent) typed = undefined;
      return result;
    } catch (thrown) {
      error = errorData(thrown, "STORE_FAILED");
      throw thrown;
    } finally {
      sending = undefined;
      look();
      drafts.hold(false);
      change({ ...QUIET, error, fieldErrors: (error?.details?.["errors"] ?? []) as unknown as readonly FieldError[] });
    }
  }
}

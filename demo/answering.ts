import type { Pause, Run, RunResult, Value } from "wavepoint";
import { fieldErrorsOf } from "./form-fields.ts";
import type { QuestionProps } from "./parts/question.ts";
import { createQuestionDrafts } from "./question-drafts.ts";

/** What happens to the questions of the open run: drafts, answers on their way, and why an answer did not do. */
export interface Answering {
  propsFor(pause: Pause): QuestionProps;
  /** Resolves when everything typed so far is kept. */
  draftsSaved(): Promise<void>;
}

interface AnsweringOptions {
  /** The open run. */
  run(): Run | undefined;
  /** Runs something that may throw, and shows what it threw. */
  attempt(act: () => Promise<RunResult>): Promise<RunResult | undefined>;
  report(problem: unknown): void;
  draw(): void;
  /** A message appeared beside the question's control. */
  onRefused(pause: Pause): void;
}

/** Makes the part of the page that answers questions. */
export function createAnswering({ run, attempt, report, draw, onRefused }: AnsweringOptions): Answering {
  const drafts = createQuestionDrafts({ run, onProblem: report });
  const sending = new Set<string>();
  const errors = new Map<string, { readonly message: string; readonly fields: ReadonlyMap<string, string> }>();
  return {
    propsFor: (pause) => ({
      pause,
      draft: drafts.read(pause),
      isKept: drafts.isKept(pause),
      error: errors.get(pause.id)?.message,
      fieldErrors: errors.get(pause.id)?.fields,
      sending: sending.has(pause.id),
      keepDraft: (text) => drafts.keep(pause, text),
      answer: (response) => void answer(pause, response),
      refuse: (message) => refuse(pause, message),
    }),
    draftsSaved: drafts.saved,
  };

  async function answer(pause: Pause, response: Value): Promise<void> {
    const open = run();
    if (!open) return;
    sending.add(pause.id);
    errors.delete(pause.id);
    draw();
    const result = await attempt(() => open.answer(pause.id, response));
    sending.delete(pause.id);
    const waits = open.getSnapshot().pauses.some(({ id }) => id === pause.id);
    if (!waits) drafts.drop(pause);
    if (result?.status === "failure" && waits) refuse(pause, result.error.message, result.error.details?.fields);
    else if (result?.error?.code === "PAUSE_ALREADY_ANSWERED") report(result.error.message);
    draw();
  }

  function refuse(pause: Pause, message: string, fields?: Value): void {
    errors.set(pause.id, { message, fields: fieldErrorsOf(fields) });
    onRefused(pause);
  }
}

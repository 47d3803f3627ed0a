import { isWorkflowError, type ReviewItem, type RevisionPreview, type Run, type Value } from "wavepoint";
import { answerDraft } from "./answer-draft.ts";
import { fieldErrorsOf } from "./form-fields.ts";
import type { QuestionProps } from "./parts/question.ts";

/** A line of the review page that has an answer, so that it can be changed. */
export type AnsweredItem = ReviewItem & Required<Pick<ReviewItem, "pause" | "prompt" | "schema" | "metadata" | "answer">>;

/** How far somebody has come with changing an answer of the open run: writing another one, or looking at what would follow from it. */
export type Change =
  | { readonly step: "answer"; readonly pause: string; readonly question: QuestionProps }
  | { readonly step: "preview"; readonly pause: string; readonly preview: RevisionPreview; readonly sending: boolean; make(): void };

/** What happens to answers that somebody wants to change, one at a time. */
export interface Revising {
  readonly change: Change | undefined;
  begin(item: AnsweredItem): void;
  leave(): void;
}

interface RevisingOptions {
  /** The open run. */
  run(): Run | undefined;
  /** The run in which the answer is another one. */
  onRevised(run: Run): void;
  /** Something else is shown where the answer is changed. */
  onStep(): void;
  onProblem(thrown: unknown): void;
  draw(): void;
}

/** Whether a line of the review page has an answer that can be changed. */
export function isAnswered(item: ReviewItem): item is AnsweredItem {
  return item.status === "answered" && item.pause !== undefined && item.answer !== undefined;
}

/** Makes the part of the page that changes answers: another answer, what would follow from it, and then the new run. */
export function createRevising({ run, onRevised, onStep, onProblem, draw }: RevisingOptions): Revising {
  let change: Change | undefined;
  return {
    get change() {
      return change;
    },
    begin(item) {
      ask(item, { draft: answerDraft(item, item.answer) });
      onStep();
    },
    leave() {
      change = undefined;
      draw();
    },
  };

  function ask(item: AnsweredItem, rest: Pick<QuestionProps, "draft"> & Partial<QuestionProps>): void {
    const { pause, path, type, prompt, schema, metadata } = item;
    change = {
      step: "answer",
      pause,
      question: {
        pause: { id: pause, path, type, prompt, schema, metadata },
        sending: false,
        action: "See what would change",
        keepDraft: (draft) => ask(item, { ...rest, draft }),
        answer: (response) => void preview(item, response, rest.draft),
        refuse(error) {
          ask(item, { ...rest, error });
          onStep();
        },
        ...rest,
      },
    };
    draw();
  }

  async function preview(item: AnsweredItem, response: Value, draft: string): Promise<void> {
    const open = run();
    if (!open) return;
    ask(item, { draft, sending: true });
    try {
      const found = await open.previewRevise(item.pause, response);
      show(item, { response, preview: found, sending: false });
      onStep();
    } catch (thrown) {
      if (isWorkflowError(thrown) && thrown.code === "RESPONSE_INVALID") {
        ask(item, { draft, error: thrown.message, fieldErrors: fieldErrorsOf(thrown.details["fields"]) });
        onStep();
      } else fail(thrown);
    }
  }

  function show(
    item: AnsweredItem,
    { response, ...rest }: { readonly response: Value } & Pick<Change & { step: "preview" }, "preview" | "sending">,
  ) {
    change = { step: "preview", pause: item.pause, ...rest, make: () => void make(item, response, rest.preview) };
    draw();
  }

  async function make(item: AnsweredItem, response: Value, found: RevisionPreview): Promise<void> {
    const open = run();
    if (!open || (change?.step === "preview" && change.sending)) return;
    show(item, { response, preview: found, sending: true });
    try {
      const revised = await open.revise(item.pause, response, { confirm: found.once.length > 0 });
      change = undefined;
      onRevised(revised);
    } catch (thrown) {
      fail(thrown);
    }
  }

  function fail(thrown: unknown): void {
    change = undefined;
    onProblem(thrown);
  }
}

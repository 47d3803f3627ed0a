import { html, nothing, type TemplateResult } from "lit-html";
import type { ErrorData } from "../../core/model/errors.ts";
import type { RunView } from "../../core/model/view.ts";
import { type Language, valueText } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";
import type { Run } from "../../core/run/run.ts";
import type { Pause } from "../../core/model/run.ts";
import type { Value } from "../../core/model/value.ts";
import { createPauseForm, type PauseForm } from "../pause-form.ts";
import { askedOf } from "./read-question.ts";
import { isSame } from "./typed-entry.ts";

/** Notices beside the question that is shown, until the person continues. */
export interface Notices {
  /** Called after each drawing, with the question that is shown. */
  look(asked: string | undefined): void;
  say(problem: ErrorData): void;
  template(language: Language): TemplateResult | typeof nothing;
}

/** Watches a run for errors, and for text typed for questions that no longer wait. */
export function createNotices(run: Run, changed: () => void): Notices {
  let shown: Pause | undefined;
  let problem: ErrorData | undefined;
  let unsent: Unsent | undefined;
  let left: Pause | undefined;

  return {
    look(asked) {
      leave();
      shown = waitingIn(run.getSnapshot()).find(({ id }) => id === asked);
    },
    say(told) {
      // It is about the question that was left, where one was.
      leave();
      problem = told;
      if (left) void search(left);
      changed();
    },
    template({ messages, locale }) {
      if (!problem && !unsent) return nothing;
      const words = wordsOf(messages);
      const asked = unsent && askedOf(unsent.pause, locale.tag);
      return html`<div part="notice" role="alert">
        ${problem ? html`<p>${words.error(problem)}</p>` : nothing}
        ${
          unsent && asked
            ? html`<p>${words.unsent(asked.heading)}</p>
                <p part="answer">${valueText(asked.schema, unsent.draft, { messages, locale })}</p>`
            : nothing
        }
      </div>`;
    },
  };

  /** Where the question that was shown no longer waits, what was said about it is over. */
  function leave(): void {
    const gone = shown;
    if (!gone || waitingIn(run.getSnapshot()).some(({ id }) => id === gone.id)) return;
    if (problem || unsent) changed();
    left = gone;
    shown = problem = unsent = undefined;
    void search(gone);
  }

  async function search(gone: Pause): Promise<void> {
    const found = await findUnsent(run, gone);
    if (left !== gone || !found) return;
    unsent = found;
    changed();
  }
}

/** A run that was handed over asks elsewhere. */
function waitingIn({ pauses, transferredTo }: RunView): readonly Pause[] {
  return transferredTo === undefined ? pauses : [];
}

/** What was typed for a question that no longer waits, and was not sent. */
interface Unsent {
  readonly pause: Pause;
  readonly draft: Value;
}

/**
 * Finds what was typed for a question that another tab answered, that expired, or that ended with its run. What was sent anyway is not
 * lost, nor is what waits for a question that is asked again later, and a sensitive answer is not shown again.
 */
async function findUnsent(run: Run, pause: Pause): Promise<Unsent | undefined> {
  // If a run was deleted, or cannot be read, its answers are unknown.
  const items = await run.answers().catch(() => []);
  const form = createPauseForm(run, pause.id);
  await sent(form);
  const { draft: typed, pause: open } = form.getSnapshot();
  // Read as data, as the question reads it.
  const draft = typed as Value | undefined;
  const waits = open !== undefined && run.getSnapshot().transferredTo === undefined;
  if (draft === undefined || waits || pause.sensitive) return undefined;
  if (items.some((item) => item.pause === pause.id && isSame(item.answer)(draft))) return undefined;
  if (items.some(({ path, status }) => status === "pending" && path.join("/") === pause.path.join("/"))) return undefined;
  return { pause, draft };
}

/** Resolves once no answer of a form is on its way: its run may be told first. */
async function sent(form: PauseForm): Promise<void> {
  if (!form.getSnapshot().isSending) return;
  await new Promise<void>((resolve) => {
    const leave = form.subscribe(() => {
      if (form.getSnapshot().isSending) return;
      leave();
      resolve();
    });
  });
}

import { html } from "lit-html";
import type { Value } from "wavepoint";
import type { Control } from "./question-control.ts";
import type { QuestionIds, QuestionProps } from "./question.ts";
import { sendButton } from "./send-button.ts";

/** A field for JSON: for answers with several parts. */
export function jsonControl(props: QuestionProps, ids: QuestionIds): Control {
  const { draft, error, keepDraft } = props;
  return {
    body: html`<p class="quiet">Answer as JSON.</p>
      <textarea
        class="field code"
        id=${ids.control}
        name="answer"
        rows="5"
        spellcheck="false"
        aria-labelledby=${ids.prompt}
        aria-describedby=${ids.error}
        aria-invalid=${error ? "true" : "false"}
        .value=${draft}
        @input=${(event: InputEvent) => keepDraft((event.target as HTMLTextAreaElement).value)}
      ></textarea>`,
    buttons: sendButton(props),
    read(event) {
      const typed = String(new FormData(event.target as HTMLFormElement).get("answer") ?? "");
      try {
        return { response: JSON.parse(typed) as Value };
      } catch {
        return { refused: "This is not valid JSON yet. Check quotes, commas and brackets." };
      }
    },
  };
}

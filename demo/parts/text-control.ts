import { html } from "lit-html";
import type { Control } from "./question-control.ts";
import type { QuestionIds, QuestionProps } from "./question.ts";
import { sendButton } from "./send-button.ts";

/** One field, for text or a number. The value goes out as it was typed. */
export function textControl(props: QuestionProps, ids: QuestionIds, kind: "text" | "number"): Control {
  const { draft, error, keepDraft } = props;
  return {
    body: html`<input
      class="field"
      type="text"
      inputmode=${kind === "number" ? "decimal" : "text"}
      id=${ids.control}
      name="answer"
      aria-labelledby=${ids.prompt}
      aria-describedby=${ids.error}
      aria-invalid=${error ? "true" : "false"}
      enterkeyhint="send"
      .value=${draft}
      @input=${(event: InputEvent) => keepDraft((event.target as HTMLInputElement).value)}
    />`,
    buttons: sendButton(props),
    read(event) {
      const typed = String(new FormData(event.target as HTMLFormElement).get("answer") ?? "");
      if (kind === "text") return { response: typed };
      return typed.trim() === "" || Number.isNaN(Number(typed)) ? { refused: "Type a number." } : { response: Number(typed) };
    },
  };
}

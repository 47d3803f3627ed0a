import { html, nothing } from "lit-html";
import { answerOf, readEntries, type FormField } from "../form-fields.ts";
import { formBody } from "./form-body.ts";
import type { Control } from "./question-control.ts";
import type { QuestionIds, QuestionProps } from "./question.ts";
import { sendButton } from "./send-button.ts";

/** Several fields under one question, with a list of what is wrong above them. */
export function formControl(props: QuestionProps, ids: QuestionIds, fields: readonly FormField[]): Control {
  const { pause } = props;
  const { title } = pause.metadata;
  return {
    ...(typeof title === "string" ? { legend: title } : {}),
    body: html`${typeof title === "string" ? html`<p class="question-lead">${pause.prompt}</p>` : nothing} ${formBody(props, ids, fields)}`,
    buttons: sendButton(props),
    showsErrors: true,
    read(event) {
      return { response: answerOf(fields, readEntries(fields, event.target as HTMLFormElement)) };
    },
  };
}

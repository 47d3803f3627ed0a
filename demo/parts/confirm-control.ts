import { html, nothing } from "lit-html";
import type { Value, Values } from "wavepoint";
import { valuesList } from "./values-list.ts";
import type { Control } from "./question-control.ts";
import type { QuestionProps } from "./question.ts";

/** Two buttons, with what is to be confirmed above them. */
export function confirmControl({ pause, sending }: QuestionProps, answers: { readonly yes: Value; readonly no: Value }): Control {
  const { details } = pause.metadata;
  const disabled = sending ? "true" : "false";
  return {
    body: isNamed(details) ? valuesList(details) : nothing,
    buttons: html`<div class="answers">
      <button class="button primary" type="submit" value="yes" aria-disabled=${disabled}>Yes</button>
      <button class="button" type="submit" value="no" aria-disabled=${disabled}>No</button>
    </div>`,
    read({ submitter }) {
      return { response: submitter instanceof HTMLButtonElement && submitter.value === "no" ? answers.no : answers.yes };
    },
  };
}

function isNamed(value: Value | undefined): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { html } from "lit-html";
import type { Value } from "wavepoint";
import type { Control } from "./question-control.ts";
import type { QuestionIds, QuestionProps } from "./question.ts";
import { sendButton } from "./send-button.ts";

/** A list of radio buttons. */
export function choiceControl(props: QuestionProps, ids: QuestionIds, choices: readonly Value[]): Control {
  const { draft, error, keepDraft } = props;
  return {
    body: html`<div
      class="choices"
      role="radiogroup"
      aria-labelledby=${ids.prompt}
      aria-describedby=${ids.error}
      aria-invalid=${error ? "true" : "false"}
    >
      ${choices.map((choice, index) => {
        const text = label(choice);
        return html`<label class="choice">
          <input
            type="radio"
            name=${ids.control}
            id=${index === 0 ? ids.control : `${ids.control}-${index}`}
            value=${index}
            .checked=${draft === text}
            @change=${() => keepDraft(text)}
          />
          <span>${text}</span>
        </label>`;
      })}
    </div>`,
    buttons: sendButton(props),
    read(event) {
      const picked = new FormData(event.target as HTMLFormElement).get(ids.control);
      const choice = picked === null ? undefined : choices[Number(picked)];
      return choice === undefined ? { refused: "Choose one of the answers first." } : { response: choice };
    },
  };
}

function label(choice: Value): string {
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}

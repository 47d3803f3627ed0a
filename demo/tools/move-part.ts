import { html, nothing, type TemplateResult } from "lit-html";
import type { MovePlan } from "wavepoint";

interface MovePartProps {
  readonly plan: MovePlan;
  /** Whether one of the buttons was pressed and is at work. */
  readonly isBusy: boolean;
  move(): void;
  fork(): void;
  leave(): void;
}

/** What a changed definition means for the run that is open, and what can be done about it. */
export function movePart({ plan, isBusy, move, fork, leave }: MovePartProps): TemplateResult {
  const { verdict, differences, forkFrom } = plan;
  return html`<section class="tool-part move-plan" aria-labelledby="move-title" data-verdict=${verdict}>
    <h3 id="move-title">What this means for the open run</h3>
    <p role="status">${VERDICTS[verdict]}</p>
    ${
      differences.length === 0
        ? nothing
        : html`<ul class="differences">
            ${differences.map(
              ({ block, kind, finished, message }) =>
                html`<li>
                  <b>${KINDS[kind]}</b
                  >${block === undefined ? nothing : html` <code>${block}</code>`}${finished ? html` <em>was done already</em>` : nothing}
                  <span>${message}</span>
                </li>`,
            )}
          </ul>`
    }
    ${
      verdict === "same"
        ? nothing
        : html`<div class="row-actions">
            ${
              verdict === "needs_migration"
                ? nothing
                : html`<button
                    class="button small ${verdict === "compatible" ? "primary" : ""}"
                    type="button"
                    aria-disabled=${isBusy}
                    @click=${move}
                  >
                    Keep it and move the run
                  </button>`
            }
            ${
              forkFrom
                ? html`<button
                    class="button small ${verdict === "fork" ? "primary" : ""}"
                    type="button"
                    aria-disabled=${isBusy}
                    @click=${fork}
                  >
                    Keep it and ${forkText(forkFrom)}
                  </button>`
                : nothing
            }
            <button class="button small" type="button" aria-disabled=${isBusy} @click=${leave}>Keep it, leave the run as it is</button>
          </div>`
    }
  </section>`;
}

function forkText({ wave, checkpoint }: NonNullable<MovePlan["forkFrom"]>): string {
  if (checkpoint === undefined) return "start over";
  return checkpoint.startsWith("pause_") ? "fork at the question" : `fork after wave ${wave}`;
}

const VERDICTS: { readonly [verdict in MovePlan["verdict"]]: string } = {
  same: "This is the definition the run has. Change something.",
  compatible: "Nothing that was done is touched. The run can move to this definition and go on.",
  fork: "Something that was done already would come out otherwise now. Moving keeps what was done; a fork does it again.",
  needs_migration: "The run cannot move: what was done already has no place in this definition. It goes on with the one it has.",
};

const KINDS: { readonly [kind in MovePlan["differences"][number]["kind"]]: string } = {
  added: "Added",
  removed: "Removed",
  type: "Another type",
  changed: "Changed",
  inputs: "Inputs",
  outputs: "Outputs",
};

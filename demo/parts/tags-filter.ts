import { html, type TemplateResult } from "lit-html";

interface TagsFilterProps {
  readonly tags: readonly string[];
  readonly chosen: readonly string[];
  readonly shown: number;
  readonly all: number;
  choose(tags: readonly string[]): void;
}

/** Buttons that narrow the list to workflows that have all of some tags. */
export function tagsFilter({ tags, chosen, shown, all, choose }: TagsFilterProps): TemplateResult {
  return html`<div class="tags-filter">
    <div class="tag-buttons" role="group" aria-label="Only workflows with">
      ${tags.map((tag) => {
        const isChosen = chosen.includes(tag);
        return html`<button
          class="tag-button"
          type="button"
          data-tag=${tag}
          aria-pressed=${isChosen ? "true" : "false"}
          @click=${() => choose(isChosen ? chosen.filter((other) => other !== tag) : [...chosen, tag])}
        >
          ${tag}
        </button>`;
      })}
    </div>
    <p class="quiet" role="status">${shown === all ? `${all} workflows` : `${shown} of ${all} workflows`}</p>
  </div>`;
}

import { html, type TemplateResult } from "lit-html";

/** One of several views of a thing. */
export interface Tab {
  readonly name: string;
  readonly title: string;
  panel(): TemplateResult;
}

/** What a list of tabs is drawn from. */
export interface TabsProps {
  /** Begins the ids of its parts. */
  readonly id: string;
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly open: string;
  choose(name: string): void;
}

/** Several views of one thing, one at a time. Arrow keys go from tab to tab. */
export function tabs({ id, label, tabs, open, choose }: TabsProps): TemplateResult {
  const current = tabs.find(({ name }) => name === open) ?? tabs[0]!;
  return html`<section class="tabbed" aria-label=${label}>
    <div class="tab-list" role="tablist" aria-label=${label} @keydown=${move}>
      ${tabs.map(
        ({ name, title }) =>
          html`<button
            class="tab"
            type="button"
            role="tab"
            id=${`${id}-${name}`}
            data-tab=${name}
            aria-selected=${name === current.name ? "true" : "false"}
            aria-controls=${`${id}-panel`}
            tabindex=${name === current.name ? "0" : "-1"}
            @click=${() => choose(name)}
          >
            ${title}
          </button>`,
      )}
    </div>
    <div class="tab-panel" role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-${current.name}`} tabindex="0">
      ${current.panel()}
    </div>
  </section>`;

  function move(event: KeyboardEvent): void {
    const at = tabs.indexOf(current);
    const ahead = getComputedStyle(event.currentTarget as HTMLElement).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: at + ahead, ArrowLeft: at - ahead, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    choose(tab.name);
    document.getElementById(`${id}-${tab.name}`)?.focus();
  }
}

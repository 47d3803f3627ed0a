import { html, nothing, render } from "lit-html";
import type { Run } from "wavepoint";
import { NO_FAULTS, SLOW_WRITE_MS, type Faults } from "../engine/faults.ts";
import { runAddress } from "../router.ts";
import type { ToolsContext } from "./context.ts";
import type { ToolPanel } from "./panel.ts";

interface FaultWords {
  readonly title: string;
  readonly text: string;
}

const WORDS: { readonly [fault in keyof Faults]: FaultWords } = {
  lost: {
    title: "The database is gone",
    text: "Every call to the store fails, as after the browser has closed the database under the page. No answer is taken that was not stored.",
  },
  full: {
    title: "The disk is full",
    text: "The store takes nothing more. What is stored stays readable; nothing new begins, and the page says why.",
  },
  slow: {
    title: "The disk is slow",
    text: `Each write takes ${SLOW_WRITE_MS / 1_000} seconds longer. An answer counts once it is stored, so it takes as long; the page stays smooth.`,
  },
  offline: {
    title: "There is no network",
    text: "Requests of blocks fail (try “HTTP retry”). Questions, answers and all else need no network.",
  },
};

const FAULTS = Object.keys(WORDS) as readonly (keyof Faults)[];

/** Lets things go wrong on purpose, one by one, and shows the run in a second tab. */
export function faultsPanel({ engine }: ToolsContext): ToolPanel {
  const element = document.createElement("div");
  let run: Run | undefined;
  let hasSecond = false;

  return {
    element,
    show(next) {
      if (next?.id !== run?.id) hasSecond = false;
      run = next;
      draw();
    },
    hide() {},
  };

  function change(fault: keyof Faults, isOn: boolean): void {
    engine.pretend({ ...engine.faults, [fault]: isOn });
    draw();
  }

  function draw(): void {
    const { faults } = engine;
    const count = FAULTS.filter((fault) => faults[fault]).length;
    render(
      html`<p class="quiet">
          These faults are simulated between the engine and the real store or network, in this tab only. A reload ends them.
        </p>
        <ul class="faults">
          ${FAULTS.map(
            (fault) =>
              html`<li class="fault" data-fault=${fault} data-on=${faults[fault]}>
                <label
                  ><input
                    type="checkbox"
                    role="switch"
                    .checked=${faults[fault]}
                    aria-describedby=${`fault-${fault}`}
                    @change=${(event: Event) => change(fault, (event.target as HTMLInputElement).checked)}
                  /><b>${WORDS[fault].title}</b></label
                >
                <p class="quiet" id=${`fault-${fault}`}>${WORDS[fault].text}</p>
              </li>`,
          )}
        </ul>
        <p role="status">${count === 0 ? "All is well." : `${count === 1 ? "One thing goes" : `${count} things go`} wrong on purpose.`}</p>
        ${
          count === 0
            ? nothing
            : html`<button
                class="button small"
                type="button"
                @click=${() => {
                  engine.pretend(NO_FAULTS);
                  draw();
                }}
              >
                Mend everything
              </button>`
        }
        ${run ? secondTab(run.id) : nothing}`,
      element,
    );
  }

  function secondTab(id: string) {
    return html`<section class="tool-part" aria-labelledby="second-title">
      <h3 id="second-title">A second tab</h3>
      <p class="quiet">The same run, in another page of this browser. Answer in either one: one of them executes, both show the same.</p>
      <div class="row-actions">
        <a class="button small" href=${runAddress(id)} target="_blank" rel="noopener">Open it in a new tab</a>
        <button
          class="button small"
          type="button"
          aria-expanded=${hasSecond}
          @click=${() => {
            hasSecond = !hasSecond;
            draw();
          }}
        >
          ${hasSecond ? "Close the one beside" : "Open it beside"}
        </button>
      </div>
      ${hasSecond ? html`<iframe class="second-tab" title="The same run in a second page" src=${location.pathname + runAddress(id)}></iframe>` : nothing}
    </section>`;
  }
}

import { html, nothing, render } from "lit-html";
import type { Run } from "wavepoint";
import { KEPT_EVENTS, type LoggedEvent } from "../engine/event-log.ts";
import type { ToolsContext } from "./context.ts";
import { eventText, kindOf, runOf } from "./event-words.ts";
import type { ToolPanel } from "./panel.ts";

/** What the executor tells, as it happens: the newest events first, by kind and by run. */
export function eventsPanel({ engine: { log } }: ToolsContext): ToolPanel {
  const element = document.createElement("div");
  let run: Run | undefined;
  let kind = "";
  let isOfRun = false;
  /** What is shown while nothing new is. */
  let held: readonly LoggedEvent[] | undefined;
  let said = "";
  let unsubscribe: (() => void) | undefined;
  let isDue = false;

  return {
    element,
    show(next) {
      run = next;
      unsubscribe ??= log.subscribe(drawSoon);
      draw();
    },
    hide() {
      unsubscribe?.();
      unsubscribe = undefined;
    },
  };

  /** A thousand events in a moment are drawn once. */
  function drawSoon(): void {
    if (isDue || held) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  }

  function shown(): readonly LoggedEvent[] {
    const only = isOfRun ? run?.id : undefined;
    return (held ?? log.events).filter(
      ({ event }) => (kind === "" || kindOf(event) === kind) && (only === undefined || runOf(event) === only),
    );
  }

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(
        shown()
          .map((logged) => JSON.stringify(logged))
          .join("\n"),
      );
      said = `${shown().length} events copied, one a line, as JSON.`;
    } catch {
      said = "The browser does not let this page copy. Select the rows and copy them yourself.";
    }
    draw();
  }

  function draw(): void {
    const events = shown();
    const kinds = [...new Set((held ?? log.events).map(({ event }) => kindOf(event)))].toSorted();
    if (kind !== "" && !kinds.includes(kind)) kinds.push(kind);
    render(
      html`<p class="quiet">What the executor of this page tells its listener. The newest ${KEPT_EVENTS} are kept, until you reload.</p>
        <div class="tool-bar">
          <label class="tool-choice"
            >Kind
            <select
              class="field"
              @change=${(event: Event) => {
                kind = (event.target as HTMLSelectElement).value;
                draw();
              }}
            >
              <option value="" .selected=${kind === ""}>All kinds</option>
              ${kinds.map((one) => html`<option value=${one} .selected=${kind === one}>${one}</option>`)}
            </select></label
          >
          ${
            run === undefined
              ? nothing
              : html`<label class="tool-check"
                  ><input
                    type="checkbox"
                    .checked=${isOfRun}
                    @change=${(event: Event) => {
                      isOfRun = (event.target as HTMLInputElement).checked;
                      draw();
                    }}
                  />This run only</label
                >`
          }
          <button
            class="button small"
            type="button"
            aria-pressed=${held !== undefined}
            @click=${() => {
              held = held ? undefined : log.events;
              draw();
            }}
          >
            Pause
          </button>
          <button
            class="button small"
            type="button"
            @click=${() => {
              held = undefined;
              said = "";
              log.clear();
              draw();
            }}
          >
            Clear
          </button>
          <button class="button small" type="button" ?disabled=${events.length === 0} @click=${() => void copy()}>Copy</button>
        </div>
        <p class="quiet" role="status">${said}</p>
        ${events.length === 0 ? html`<p>Nothing yet. Start a run, or answer a question.</p>` : table(events)}`,
      element,
    );
  }
}

function table(events: readonly LoggedEvent[]) {
  return html`<div class="tool-table" tabindex="0" role="region" aria-label="Events, newest first">
    <table class="events">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Kind</th>
          <th scope="col">What happened</th>
          <th scope="col">Run</th>
        </tr>
      </thead>
      <tbody>
        ${linesOf(events).map(
          ({ at, event, times }) =>
            html`<tr data-kind=${kindOf(event)}>
              <td>${clockText(at)}</td>
              <th scope="row">${kindOf(event)}${times > 1 ? html` <span class="quiet">×${times}</span>` : nothing}</th>
              <td>${eventText(event)}</td>
              <td><code>${shortRun(runOf(event))}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

interface EventLine extends LoggedEvent {
  readonly times: number;
}

/** The newest first. Readings of a run one after another are one line: a look at a history takes dozens, and nothing happens by them. */
function linesOf(events: readonly LoggedEvent[]): readonly EventLine[] {
  const lines: EventLine[] = [];
  for (const one of events.toReversed()) {
    const last = lines.at(-1);
    const isAgain = last?.event.type === "loaded" && one.event.type === "loaded" && runOf(last.event) === runOf(one.event);
    if (isAgain) lines[lines.length - 1] = { ...last, times: last.times + 1 };
    else lines.push({ ...one, times: 1 });
  }
  return lines;
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

function clockText(at: number): string {
  return clock.format(at);
}

/** The end of an id: the part in which runs of one moment differ. */
function shortRun(run: string | undefined): string {
  return run === undefined ? "" : `…${run.slice(-6)}`;
}

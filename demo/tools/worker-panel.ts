import { html, nothing, render, type TemplateResult } from "lit-html";
import type { Run, RunView } from "wavepoint";
import { openEffects, type Effect } from "../engine/effects.ts";
import type { ToolsContext } from "./context.ts";
import { lettersTable } from "./letters-table.ts";
import type { ToolPanel } from "./panel.ts";

/** The workflow that is worth being killed. */
const LETTERS = "stamp-letters";

/** Kills the worker in the middle of a block, and counts what happened in the world outside. */
export function workerPanel({ engine, openRun }: ToolsContext): ToolPanel {
  const element = document.createElement("div");
  const effects = openEffects();
  let run: Run | undefined;
  let view: RunView | undefined;
  let tries: readonly Effect[] = [];
  let kills = 0;
  let problem: string | undefined;
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    element,
    show(next) {
      if (next?.id !== run?.id) {
        tries = [];
        kills = 0;
      }
      unsubscribe?.();
      run = next;
      view = undefined;
      unsubscribe = run?.subscribe((changed) => {
        view = changed;
        void count();
      });
      // The world outside does not announce its changes.
      timer ??= setInterval(() => void count(), COUNT_EVERY_MS);
      draw();
    },
    hide() {
      unsubscribe?.();
      unsubscribe = undefined;
      clearInterval(timer);
      timer = undefined;
    },
  };

  async function count(): Promise<void> {
    const counted = run;
    if (!counted) return;
    try {
      const found = await effects.of(counted.id);
      if (counted !== run) return;
      tries = found;
      draw();
    } catch (thrown) {
      tell(thrown);
    }
  }

  async function begin(): Promise<void> {
    try {
      openRun((await engine.executor.start(LETTERS)).id);
      problem = undefined;
    } catch (thrown) {
      tell(thrown);
    }
    draw();
  }

  function kill(): void {
    kills += 1;
    engine.kill?.();
    draw();
  }

  function tell(thrown: unknown): void {
    problem = thrown instanceof Error ? thrown.message : String(thrown);
    draw();
  }

  function draw(): void {
    const isLetters = view?.workflow === LETTERS;
    render(
      html`<p class="quiet">
          Runs execute in a worker of this page. Killing it is like a crash of the browser: it has no time to save anything. A new worker
          goes on where the journal ends.
        </p>
        ${problem === undefined ? nothing : html`<p class="tool-problem" role="alert">${problem}</p>`}
        <div class="row-actions">
          ${
            engine.kill
              ? html`<button class="button danger" type="button" @click=${kill}>Kill the worker</button>`
              : html`<p>This browser keeps nothing for the page, so runs execute in the page itself: there is no worker to kill.</p>`
          }
          <button class="button" type="button" @click=${() => void begin()}>
            ${isLetters ? "Stamp five more letters" : "Stamp five letters"}
          </button>
        </div>
        ${isLetters ? counters() : html`<p class="quiet">Stamping takes four seconds a letter: time enough to kill it in the middle.</p>`}`,
      element,
    );
  }

  function counters(): TemplateResult {
    const stamped = tries.filter(({ happened }) => happened).length;
    const again = tries.length - stamped;
    const items = view?.waves.flatMap(({ blocks }) => blocks).find(({ id }) => id === "stamp")?.items ?? [];
    const done = items.filter(({ status }) => status === "completed").length;
    return html`<dl class="figures">
        ${counter("kills", "Workers killed", kills, "since you opened this run")}
        ${counter("tries", "Blocks begun", tries.length, again === 0 ? "none twice" : `${again} of them a second time, after a kill`)}
        ${counter("stamped", "Letters stamped", stamped, "in a database that the engine does not know")}
        ${counter("kept", "Steps kept", done, "never executed again")}
      </dl>
      <p class="unseen" role="status">${stamped} letters stamped, ${done} steps kept, ${again} blocks begun again.</p>
      ${lettersTable(tries, items)}
      <p class="quiet">
        A block that was killed begins again, since it is not known how far it got; its key is the same as before, so the letter is not
        stamped twice. Blocks that were done stay done.
      </p>`;
  }
}

/** How often the world outside is counted, in milliseconds. */
const COUNT_EVERY_MS = 1_000;

function counter(name: string, title: string, value: number, remark: string): TemplateResult {
  return html`<div data-counter=${name}>
    <dt>${title}</dt>
    <dd><strong>${value}</strong> <span class="quiet">${remark}</span></dd>
  </div>`;
}

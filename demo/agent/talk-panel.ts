import { html, nothing, render, type TemplateResult } from "lit-html";
import type { Run, RunView, Values } from "wavepoint";
import type { Engine } from "../engine.ts";
import { blockStatusText, statusIcon } from "wavepoint/dashboard";
import { type TalkCall, TalkReader, type TalkTurn } from "./read-talk.ts";
import "./talk.css";

/** Characters of a value that are shown in a line. */
const MAX_SHOWN = 160;

export interface TalkPanel {
  show(run: Run | undefined): void;
}

interface TalkPanelOptions {
  readonly engine: Engine;
  readonly element: HTMLElement;
  onProblem(thrown: unknown): void;
}

/** Shows what an agent says and does while it does it, and lets its worker be killed. */
export function talkPanel({ engine, element, onProblem }: TalkPanelOptions): TalkPanel {
  let view: RunView | undefined;
  let turns: readonly TalkTurn[] = [];
  let wish: string | undefined;
  let kills = 0;
  let reader: TalkReader | undefined;
  let end = (): void => {};
  let isReading = false;
  let isStale = false;
  /** What models say at the moment, by run and block. It is kept nowhere else. */
  const spoken = new Map<string, string>();
  let newest = engine.log.events.at(-1)?.number ?? 0;
  let workers = engine.workers;

  engine.log.subscribe(() => {
    if (!view) return;
    // A turn that was cut off is said again from its beginning.
    if (workers !== engine.workers) spoken.clear();
    workers = engine.workers;
    let isNew = false;
    for (const { number, event } of engine.log.events) {
      if (number <= newest) continue;
      newest = number;
      if (event.type !== "output") continue;
      const at = `${event.run}/${event.block}`;
      spoken.set(at, (spoken.get(at) ?? "") + event.text);
      isNew = true;
    }
    if (isNew) draw();
  });

  return {
    show(run) {
      if (run?.id !== view?.id) {
        turns = [];
        kills = 0;
        wish = undefined;
        spoken.clear();
      }
      end();
      reader?.end();
      view = undefined;
      reader = undefined;
      if (!run) return draw();
      reader = new TalkReader(engine.executor, changed);
      end = run.subscribe((next) => {
        view = next;
        changed();
      });
    },
  };

  function changed(): void {
    isStale = true;
    draw();
    if (!isReading) void read();
  }

  async function read(): Promise<void> {
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        const mine = reader;
        const agent = view?.waves.flatMap(({ blocks }) => blocks).find(({ type }) => type === "Agent");
        if (!mine || agent?.child === undefined) continue;
        const next = { wish: await mine.promptOf(agent.child), turns: await mine.read(agent.child) };
        if (mine !== reader) continue;
        ({ wish, turns } = next);
        draw();
      }
    } catch (thrown) {
      onProblem(thrown);
    } finally {
      isReading = false;
    }
  }

  function kill(): void {
    kills += 1;
    engine.kill?.();
    spoken.clear();
    draw();
  }

  function draw(): void {
    const agents = view?.waves.some(({ blocks }) => blocks.some(({ type }) => type === "Agent"));
    const before = element.querySelector(".talk-lines");
    // People read the newest line, unless they scrolled up.
    const isAtEnd = !before || before.scrollHeight - before.scrollTop - before.clientHeight < NEAR;
    render(agents ? panel() : nothing, element);
    const lines = element.querySelector(".talk-lines");
    if (lines && isAtEnd) lines.scrollTop = lines.scrollHeight;
  }

  function panel(): TemplateResult {
    return html`<section class="talk card" aria-labelledby="talk-title">
      <header class="talk-head">
        <h2 id="talk-title">Conversation</h2>
        ${
          engine.kill && view?.status === "running"
            ? html`<button class="button small danger" type="button" @click=${kill}>Kill the worker</button>`
            : nothing
        }
      </header>
      <ol class="talk-lines" tabindex="0" aria-label="What was said">
        ${wish === undefined ? nothing : html`<li class="talk-person"><p>${wish}</p></li>`}
        ${turns.map((turn) => turnTemplate(turn, "desk"))}
      </ol>
      ${
        kills === 0
          ? nothing
          : html`<p class="quiet" role="status">
              ${kills === 1 ? "Killed once." : `Killed ${kills} times.`} A new worker goes on from the journal: what is recorded is neither
              asked nor done again.
            </p>`
      }
    </section>`;
  }

  function turnTemplate(turn: TalkTurn, name: string): TemplateResult {
    const text = turn.text ?? spoken.get(turn.at);
    const isSpeaking = turn.text === undefined;
    return html`<li class="talk-agent" ?data-speaks=${isSpeaking}>
      <p class="talk-name">
        <b>${name}</b>
        ${turn.model === undefined ? nothing : html`<span>${turn.model} model${turn.failed.length > 0 ? `, since ${turn.failed.join(" and ")} failed` : ""}</span>`}
      </p>
      ${text === undefined ? html`<p class="talk-waits">…</p>` : html`<p class="talk-text">${text}</p>`}
      ${
        turn.calls.length === 0
          ? nothing
          : html`<ul class="talk-calls">
              ${turn.calls.map(callTemplate)}
            </ul>`
      }
    </li>`;
  }

  function callTemplate({ tool, input, status, outputs, refused, talk }: TalkCall): TemplateResult {
    return html`<li data-status=${status}>
      <p class="talk-call">${statusIcon(status)}<code>${tool}</code> <span>${shortText(input)}</span></p>
      ${
        talk
          ? html`<ol class="talk-inner">
              ${talk.map((turn) => turnTemplate(turn, tool))}
            </ol>`
          : html`<p class="talk-result">
              ${refused ?? (outputs ? shortText(outputs) : status === "paused" ? "Waits for you" : blockStatusText(status))}
            </p>`
      }
    </li>`;
  }
}

/** A person who is so many pixels from the end, or fewer, reads the newest line. */
const NEAR = 80;

/** Values in a line: `berth: 14, nights: 2`. */
function shortText(values: Values): string {
  const text = Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
}

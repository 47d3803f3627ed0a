import { html, nothing, render, type TemplateResult } from "lit-html";
import { isWorkflowError, type RevisionPreview, type Run, type RunView, type Workflow } from "wavepoint";
import type { Engine } from "../engine.ts";
import { runAddress } from "../router.ts";
import { LIVE_RUN } from "./live-run-id.ts";
import { finishedIn, lineOf, readDrafts, readJournal, repeatedIn } from "./journal.ts";

/** The run at the top of the first page: its wizard, its graph, and what may happen to it. */
export interface LiveRun {
  readonly element: HTMLElement;
  /** The page shows it from now on. */
  show(): void;
  hide(): void;
}

interface LiveRunOptions {
  readonly engine: Engine;
  readonly workflow: Workflow;
  onProblem(thrown: unknown): void;
}

/** The first question and the answer that the button changes. */
const CHANGED_BLOCK = "beans";
/** How long each line of the journal is alone on the dark screen, and how long all of them stand there. */
const TICK_MS = 130;
const READ_MS = 700;
/** How long the graph shows what will change before it does. */
const LOOK_MS = 1_400;

/** What became of the last kill, counted in the journal. */
interface Survived {
  /** The entries of the journal when the worker died. */
  readonly entries: number;
  readonly kept: readonly string[];
  /** The blocks that were cut off in the middle. */
  readonly cut: readonly string[];
  readonly repeated: number;
}

/** Opens the run of the first page, or starts it, and shows it live. Nothing of it runs before {@link LiveRun.show}. */
export function liveRun({ engine, workflow, onProblem }: LiveRunOptions): LiveRun {
  const { executor, store } = engine;
  const element = document.createElement("section");
  element.className = "live";
  element.setAttribute("aria-label", "A live run");
  let isShown = false;
  let run: Run | undefined;
  let view: RunView | undefined;
  let unsubscribe: (() => void) | undefined;
  /** The lines of the journal on the dark screen, while it is dark. */
  let ticks: readonly string[] | undefined;
  let survived: Survived | undefined;
  let preview: RevisionPreview | undefined;
  let said = "";

  return {
    element,
    show() {
      if (isShown) return;
      isShown = true;
      void attempt(open);
    },
    hide() {
      isShown = false;
      unsubscribe?.();
      unsubscribe = undefined;
    },
  };

  /** The run that is stored, from an earlier visit too, or a new one. */
  async function open(): Promise<void> {
    let opened: Run;
    try {
      opened = await executor.open(LIVE_RUN);
    } catch (thrown) {
      if (!isWorkflowError(thrown) || thrown.code !== "RUN_NOT_FOUND") throw thrown;
      opened = await startOrOpen();
    }
    follow(opened);
  }

  async function startOrOpen(): Promise<Run> {
    try {
      return await executor.start(workflow.name, {}, { id: LIVE_RUN.slice("run_".length) });
    } catch (thrown) {
      // Another tab was first.
      if (isWorkflowError(thrown) && thrown.code === "RUN_EXISTS") return executor.open(LIVE_RUN);
      throw thrown;
    }
  }

  function follow(next: Run): void {
    unsubscribe?.();
    run = next;
    if (!isShown) return;
    unsubscribe = run.subscribe((changed) => {
      view = changed;
      draw();
      if (survived) void attempt(countRepeated);
    });
  }

  async function kill(): Promise<void> {
    if (!run || !view || ticks) return;
    const cut = view.waves.flatMap(({ blocks }) => blocks.filter(({ status }) => status === "running").map(({ id }) => id));
    unsubscribe?.();
    engine.kill?.();
    // As high in the dark, so that nothing below jumps.
    const stage = element.querySelector<HTMLElement>(".live-stage")!;
    stage.style.minHeight = `${stage.offsetHeight}px`;
    ticks = [];
    survived = undefined;
    said = "";
    // With the wizard what it shows leaves the page: all that stands there afterwards comes from the store.
    draw();
    // What it says is half of what there is to see.
    element.querySelector(".live-bar")!.scrollIntoView({ block: "nearest" });
    const [journal, drafts] = await Promise.all([readJournal(store, LIVE_RUN), readDrafts(store, LIVE_RUN)]);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const line of [...journal.map(lineOf), ...drafts.map((draft) => `Typed and not sent: ${draft}`)]) {
      ticks = [...ticks, line];
      draw();
      if (!isCalm) await pause(TICK_MS);
    }
    await pause(READ_MS);
    const opened = await executor.open(LIVE_RUN);
    stage.style.minHeight = "";
    ticks = undefined;
    survived = { entries: journal.length, kept: finishedIn(journal), cut, repeated: 0 };
    follow(opened);
  }

  /** Reads the journal again: what was finished before the kill must not be finished once more. */
  async function countRepeated(): Promise<void> {
    const counted = survived;
    if (!counted) return;
    const journal = await readJournal(store, LIVE_RUN);
    const repeated = repeatedIn(journal.slice(counted.entries), counted.kept);
    if (survived !== counted || repeated === counted.repeated) return;
    survived = { ...counted, repeated };
    draw();
  }

  /** Gives the first question its next choice: shows what depends on it, then changes it. */
  async function change(): Promise<void> {
    if (!run || preview || ticks) return;
    const changed = run;
    const asked = (await changed.answers()).find(({ block }) => block === CHANGED_BLOCK);
    if (asked?.pause === undefined || asked.answer === undefined) return;
    const choices = (asked.schema?.oneOf ?? []).map((choice) => (choice as { readonly const: string }).const);
    const answer = choices[(choices.indexOf(asked.answer as string) + 1) % choices.length]!;
    survived = undefined;
    const found = await changed.previewRevise(asked.pause, answer);
    preview = found;
    const again = found.rerun.filter((block) => block !== CHANGED_BLOCK);
    said = `${answer} in place of ${String(asked.answer)}. Again: ${again.join(", ")}. As they were: ${found.kept.join(", ") || "nothing yet"}.`;
    draw();
    await pause(LOOK_MS);
    preview = undefined;
    draw();
    await changed.revise(asked.pause, answer);
  }

  async function startAgain(): Promise<void> {
    unsubscribe?.();
    survived = undefined;
    said = "";
    await executor.runs.delete(LIVE_RUN);
    follow(await startOrOpen());
  }

  async function attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      ticks = undefined;
      preview = undefined;
      onProblem(thrown);
      draw();
    }
  }

  function draw(): void {
    render(template(), element);
  }

  function template(): TemplateResult {
    const isDark = ticks !== undefined;
    const isOver = view !== undefined && view.status !== "running" && view.status !== "paused";
    const canChange = !isOver && !isDark && view?.waves[0]?.blocks[0]?.status === "completed";
    return html`<div class="live-bar">
        <p class="live-said" role="status">${isDark ? "The worker is dead. Reading the journal…" : resultText()}</p>
        ${
          isOver
            ? html`<button class="button" type="button" data-again @click=${() => void attempt(startAgain)}>Start again</button>`
            : nothing
        }
        ${
          engine.kill
            ? html`<button
                class="button danger live-kill"
                type="button"
                data-kill
                aria-disabled=${isDark || !view || isOver}
                @click=${() => void attempt(kill)}
              >
                Kill it
              </button>`
            : nothing
        }
      </div>
      <div class="live-stage" ?data-dark=${isDark}>
        ${
          isDark
            ? html`<ol class="replay" aria-hidden="true">
                ${ticks!.map((line) => html`<li>${line}</li>`)}
              </ol>`
            : html`<div class="live-question"><wavepoint-run .run=${run}></wavepoint-run></div>
                <wavepoint-waves class="live-graph" .run=${run} .workflow=${workflow} .preview=${preview}></wavepoint-waves>`
        }
      </div>
      <ul class="live-more">
        <li>
          <strong>Change an answer.</strong> What depends on it runs again, the rest stays.
          <button
            class="text-button"
            type="button"
            data-change-answer
            aria-disabled=${!canChange}
            @click=${() => canChange && void attempt(change)}
          >
            Other beans
          </button>
        </li>
        <li><strong>Go offline.</strong> Switch your network off and go on: this page needs none.</li>
        <li>
          <strong>Use a second tab.</strong> Both show the same run.
          <a href=${runAddress(LIVE_RUN)} target="_blank">Open it there</a>
        </li>
      </ul>`;
  }

  /** What the last thing that happened to the run left behind. */
  function resultText(): TemplateResult | string {
    if (said !== "") return said;
    if (!survived) return engine.kill ? "Answer, type half a name, then kill the worker that runs this." : "";
    const { kept, cut, repeated } = survived;
    return html`<strong>${kept.length} ${kept.length === 1 ? "step" : "steps"} kept, finished steps repeated: ${repeated}.</strong>
      ${cut.length === 0 ? nothing : html`Cut off midway and started again: ${cut.join(", ")}.`}`;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

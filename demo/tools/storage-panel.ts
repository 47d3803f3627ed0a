import { html, nothing, render, type TemplateResult } from "lit-html";
import type { Run } from "wavepoint";
import { askFirst } from "../parts/ask-first.ts";
import { problemText } from "../problem-text.ts";
import { RUN_FILE_ENDING, saveRunFile } from "../run-files.ts";
import { askDestination } from "./ask-destination.ts";
import type { ToolsContext } from "./context.ts";
import { databasePart } from "./database-part.ts";
import { dropZone } from "./drop-zone.ts";
import type { ToolPanel } from "./panel.ts";
import { runPart } from "./run-part.ts";
import { lookAtDatabase, lookAtRun, RECORDS_PAGE, type DatabaseLook, type RunLook } from "./storage-look.ts";

/** What is stored: of the open run every record, note, blob and checkpoint; of all runs the figures. */
export function storagePanel(context: ToolsContext): ToolPanel {
  const { executor, store } = context.engine;
  const element = document.createElement("div");
  let run: Run | undefined;
  let isShown = false;
  let runLook: RunLook | undefined;
  let database: DatabaseLook | undefined;
  let count = RECORDS_PAGE;
  /** Why the last action failed. */
  let problem: string | undefined;
  /** Why what stands here may not be what is stored. */
  let readProblem: string | undefined;
  let unsubscribe: (() => void) | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;

  return {
    element,
    show(next) {
      if (next?.id !== run?.id) {
        count = RECORDS_PAGE;
        runLook = undefined;
      }
      unsubscribe?.();
      run = next;
      isShown = true;
      draw();
      unsubscribe = run?.subscribe(() => void read());
      void read();
    },
    hide() {
      isShown = false;
      unsubscribe?.();
      unsubscribe = undefined;
    },
  };

  /** One reading at a time; what changes meanwhile is read after it. */
  function read(): Promise<void> {
    isStale = true;
    reading ??= readWhileStale().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readWhileStale(): Promise<void> {
    while (isStale && isShown) {
      isStale = false;
      const looked = run;
      try {
        const look = looked && (await lookAtRun(store, executor, looked.id, count));
        const figures = await lookAtDatabase(store, executor);
        if (looked !== run) continue;
        runLook = look;
        database = figures;
        readProblem = undefined;
      } catch (thrown) {
        readProblem = problemText(thrown);
      }
      draw();
    }
  }

  async function attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      problem = undefined;
    } catch (thrown) {
      problem = problemText(thrown);
    }
    await read();
    draw();
  }

  function save(id: string): Promise<void> {
    return attempt(async () => saveRunFile(id, await executor.runs.export(id, { drafts: true })));
  }

  async function handOver(id: string): Promise<void> {
    const to = await askDestination();
    if (to === undefined) return;
    await attempt(async () => {
      saveRunFile(id, await executor.runs.transfer(id, { to, drafts: true }));
      await run?.refresh();
    });
  }

  async function cleanUp(): Promise<void> {
    const sure = await askFirst({
      title: "Delete every run that is over?",
      text: "Completed, failed and cancelled runs, with what they hold. Runs that wait for you stay.",
      action: "Delete them",
    });
    if (sure) await attempt(() => executor.cleanup({ ttlMs: 0 }));
  }

  function draw(): void {
    render(
      html`<p class="quiet">
          What this browser keeps, as it is stored. The journal is the only truth about a run; all else follows from it.
        </p>
        ${[problem, readProblem].map((text) => (text === undefined ? nothing : html`<p class="tool-problem" role="alert">${text}</p>`))}
        ${ofRun()} ${database ? databasePart({ database, cleanUp: () => void cleanUp(), readAgain: () => void read() }) : nothing}
        ${dropZone({
          label: "Open a run from a file",
          hint: "Drop it here, or choose it. It goes on where it stood.",
          accept: RUN_FILE_ENDING,
          take: (file) => void attempt(() => context.takeIn(file)),
        })}`,
      element,
    );
  }

  function ofRun(): TemplateResult | typeof nothing {
    if (run === undefined) return html`<p>Open a run to see its records.</p>`;
    if (!runLook) return nothing;
    const { id } = runLook.head;
    return runPart({
      look: runLook,
      showOlder() {
        count += RECORDS_PAGE * 4;
        void read();
      },
      save: () => void save(id),
      handOver: () => void handOver(id),
      remove: () => context.remove(id),
    });
  }
}

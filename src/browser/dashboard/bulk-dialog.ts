import { html, nothing, type TemplateResult } from "lit-html";
import { errorData, isWorkflowError, WorkflowError } from "../../core/model/errors.ts";
import type { RunStatus } from "../../core/model/run.ts";
import {
  type BulkAction,
  type BulkFilter,
  type BulkProgress,
  type BulkReport,
  bulkRuns,
  type Executor,
  type Run,
} from "../../core/run/run.ts";
import { openDialog } from "./dialog.ts";
import type { DashboardRight } from "./open-run.ts";
import { runAddress } from "./route.ts";

/** How long one run of many is waited for that goes on, in milliseconds: it may have hours to go. */
const WAIT_MS = 2_000;
/** Runs that failed which are listed. */
const LISTED = 20;

interface BulkChoice {
  readonly name: "resume" | "stop" | "cancel" | "delete";
  readonly title: string;
  readonly hint: string;
  /** What becomes of the runs, in a word. */
  readonly done: string;
  readonly right: DashboardRight;
  /** Runs that stand otherwise are left as they are. */
  readonly statuses: readonly RunStatus[];
}

const CHOICES: readonly BulkChoice[] = [
  {
    name: "resume",
    title: "Retry or resume",
    hint: "Runs that failed try again, runs that were stopped go on.",
    done: "resumed",
    right: "answer",
    statuses: ["failed", "paused", "running"],
  },
  {
    name: "stop",
    title: "Stop for now",
    hint: "Nothing of them executes until they are resumed.",
    done: "stopped",
    right: "manage",
    statuses: ["running", "paused"],
  },
  {
    name: "cancel",
    title: "Cancel",
    hint: "They end for good. What was done is kept.",
    done: "cancelled",
    right: "manage",
    statuses: ["running", "paused"],
  },
  {
    name: "delete",
    title: "Delete",
    hint: "With answers, outputs and checkpoints. This cannot be undone.",
    done: "deleted",
    right: "manage",
    statuses: ["running", "paused", "completed", "failed", "cancelled"],
  },
];

/** What of the choices stands open with some rights. */
export function mayBulk(rights: ReadonlySet<DashboardRight>): boolean {
  return CHOICES.some(({ right }) => rights.has(right));
}

const AGES: readonly (readonly [text: string, ms: number])[] = [
  ["of any age", 0],
  ["without a change for an hour", 3_600_000],
  ["without a change for a day", 86_400_000],
  ["without a change for a week", 7 * 86_400_000],
  ["without a change for 30 days", 30 * 86_400_000],
];

interface BulkDialogOptions {
  readonly root: HTMLElement;
  readonly executor: Executor;
  readonly rights: ReadonlySet<DashboardRight>;
  /** Which runs are meant, in words. */
  readonly about: string;
  /** How they stand that are meant, where that is the same of all. */
  readonly status?: RunStatus | undefined;
  /** Which runs these are; may look for them, which takes its time. */
  filter(signal: AbortSignal): Promise<BulkFilter>;
}

type Stage =
  | { readonly at: "choosing" }
  | { readonly at: "counting"; readonly choice: BulkChoice }
  | { readonly at: "sure"; readonly choice: BulkChoice; readonly count: number }
  | { readonly at: "working"; readonly choice: BulkChoice; readonly progress: BulkProgress }
  | { readonly at: "done"; readonly choice: BulkChoice; readonly report: BulkReport; readonly isCut: boolean }
  | { readonly at: "failed"; readonly message: string };

/** Does the same with many runs: asks what, counts them, asks whether that is meant, and shows how far it is. Gives, once it is closed, whether anything was done. */
export async function bulkDialog({ root, executor, rights, about, status, filter }: BulkDialogOptions): Promise<boolean> {
  const choices = CHOICES.filter((choice) => rights.has(choice.right) && (status === undefined || choice.statuses.includes(status)));
  let stage: Stage = { at: "choosing" };
  let chosen = choices[0];
  let age = 0;
  let found: BulkFilter = {};
  const ending = new AbortController();
  const dialog = openDialog(root, template, () => stage.at !== "working");
  await dialog.closed;
  ending.abort();
  return (stage as Stage).at === "done";

  function show(next: Stage): void {
    stage = next;
    dialog.draw();
  }

  async function count(): Promise<void> {
    const choice = chosen!;
    show({ at: "counting", choice });
    try {
      const meant = await filter(ending.signal);
      found = { ...meant, status: status ?? choice.statuses, ...(age > 0 && { updatedBefore: Date.now() - age }) };
      // Of runs that were named, how they stand is looked at when it is their turn.
      const { total } = await bulkRuns(executor, { do: "stop" }, found, { preview: true, signal: ending.signal });
      show({ at: "sure", choice, count: total });
    } catch (thrown) {
      fail(thrown);
    }
  }

  async function act(choice: BulkChoice): Promise<void> {
    show({ at: "working", choice, progress: { total: 0, done: 0, failed: 0, skipped: 0 } });
    let last: BulkProgress = { total: 0, done: 0, failed: 0, skipped: 0 };
    try {
      const report = await bulkRuns(executor, actionOf(choice), found, {
        signal: ending.signal,
        onProgress(progress) {
          last = progress;
          show({ at: "working", choice, progress });
        },
      });
      show({ at: "done", choice, report, isCut: false });
    } catch (thrown) {
      if (!isWorkflowError(thrown) || thrown.code !== "ABORTED") return fail(thrown);
      show({ at: "done", choice, report: { total: last.total, done: last.done, skipped: last.skipped, failed: [] }, isCut: true });
    }
  }

  function fail(thrown: unknown): void {
    if (!ending.signal.aborted) show({ at: "failed", message: errorData(thrown, "STORE_FAILED").message });
  }

  function template(): TemplateResult {
    return html`<form method="dialog" class="bulk">
      <h2 id="dialog-title">Many runs at once</h2>
      <p>${about}</p>
      <div class="bulk-stage" role="status">${stageTemplate()}</div>
      <div class="buttons">${buttons()}</div>
    </form>`;
  }

  function stageTemplate(): TemplateResult {
    switch (stage.at) {
      case "choosing":
        return choosing();
      case "counting":
        return html`<p>Counting…</p>`;
      case "sure":
        return html`<p class="lead">
          ${stage.count === 0 ? "There is no such run." : html`<b>${runsText(stage.count)}</b> would be ${stage.choice.done}.`}
          ${stage.count > 0 ? html`<span class="hint">A run that changes before its turn, so that it is no longer meant, is left as it is.</span>` : nothing}
        </p>`;
      case "working": {
        const { total, done, failed, skipped } = stage.progress;
        return html`<progress max=${Math.max(total, 1)} value=${done + failed + skipped} aria-label="Progress"></progress>
          <p>
            ${done + failed + skipped} of ${total} looked at, ${done}
            ${stage.choice.done}${failed > 0 ? html`, <b>${failed} failed</b>` : nothing}.
          </p>`;
      }
      case "done":
        return doneTemplate(stage.choice, stage.report, stage.isCut);
      case "failed":
        return html`<p class="error">${stage.message}</p>`;
    }
  }

  function choosing(): TemplateResult {
    if (!chosen) return html`<p>Nothing can be done with runs that stand like this.</p>`;
    return html`<fieldset>
        <legend>What shall be done?</legend>
        ${choices.map(
          (choice) =>
            html`<label class="choice">
              <input type="radio" name="action" value=${choice.name} .checked=${choice === chosen} @change=${() => (chosen = choice)} />
              <span><b>${choice.title}</b><span class="hint">${choice.hint}</span></span>
            </label>`,
        )}
      </fieldset>
      <label class="field">
        <span>Runs</span>
        <select @change=${(event: Event) => (age = AGES[(event.target as HTMLSelectElement).selectedIndex]![1])}>
          ${AGES.map(([text, ms]) => html`<option .selected=${ms === age}>${text}</option>`)}
        </select>
      </label>`;
  }

  function doneTemplate({ done }: BulkChoice, report: BulkReport, isCut: boolean): TemplateResult {
    return html`<p class="lead">
        <b>${report.done} of ${report.total}</b> ${report.total === 1 ? "run is" : "runs are"}
        ${done}.${report.skipped > 0 ? ` ${report.skipped} had changed, and were left.` : ""}${isCut ? " You stopped it there." : ""}
      </p>
      ${
        report.failed.length > 0
          ? html`<p>With ${runsText(report.failed.length)} it could not be done:</p>
              <ul class="failed">
                ${report.failed.slice(0, LISTED).map(({ run, error }) => html`<li><a href=${runAddress(run)} @click=${() => dialog.close()}>${run}</a> ${error.message}</li>`)}
              </ul>
              ${report.failed.length > LISTED ? html`<p class="hint">and ${report.failed.length - LISTED} more</p>` : nothing}`
          : nothing
      }`;
  }

  function buttons(): TemplateResult {
    const close = (text: string): TemplateResult => html`<button type="button" @click=${() => dialog.close()}>${text}</button>`;
    switch (stage.at) {
      case "choosing":
        return html`${chosen ? html`<button type="button" class="primary" @click=${() => void count()}>Count the runs</button>` : nothing}
        ${close("Close")}`;
      case "sure": {
        const { choice, count: runs } = stage;
        if (runs === 0) return close("Close");
        return html`<button
            type="button"
            class=${choice.name === "delete" || choice.name === "cancel" ? "danger" : "primary"}
            @click=${() => void act(choice)}
          >
            ${choice.title.split(" ")[0]} ${runsText(runs)}
          </button>
          ${close("Leave them as they are")}`;
      }
      case "working":
        return html`<button type="button" @click=${() => ending.abort()}>Stop here</button>`;
      default:
        return close("Close");
    }
  }
}

function runsText(count: number): string {
  return count === 1 ? "1 run" : `${count.toLocaleString("en")} runs`;
}

function actionOf({ name }: BulkChoice): BulkAction {
  return name === "resume" ? { do: "call", act: goOn } : { do: name };
}

/** Lets a run go on, and waits a moment for what comes of it. */
async function goOn(run: Run): Promise<void> {
  const resume = async (): Promise<void> => {
    const { error } = await run.resume();
    if (error) throw new WorkflowError(error.code, error.message);
  };
  const going = resume();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)));
  try {
    await Promise.race([going, late]);
  } finally {
    clearTimeout(timer);
    // What comes of it later stands in the run.
    going.catch(() => {});
  }
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { BlockView, RunView } from "../../core/model/view.ts";
import type { Executor, Run } from "../../core/run/run.ts";
import { answersPart } from "./answers-part.ts";
import { questionsPart, type QuestionsProps } from "./questions-part.ts";
import { runAddress, runsAddress } from "./route.ts";
import { statusBadge } from "./status.ts";
import { tabs } from "./tabs.ts";
import { timeTemplate, attemptsText, durationText } from "./wording.ts";

/** Blocks that are listed where something is wrong with them, or they wait. */
const LISTED = 20;

export interface RunPageProps extends QuestionsProps {
  readonly executor: Executor;
  /** What lists call the run, where one was read. */
  readonly label: string | undefined;
  readonly part: string;
  /** What is under way, so that it is not asked for twice. */
  readonly isBusy: boolean;
  choosePart(part: string): void;
  resume(): void;
  stop(): void;
  cancel(): void;
  save(): void;
  remove(): void;
  openRun(run: Run): void;
  onProblem(thrown: unknown): void;
}

/** One run: how it stands and why, what can be done, and everything about it. */
export function runPage(props: RunPageProps): TemplateResult {
  const { open, now } = props;
  const { view } = open;
  const problem = ({ detail }: CustomEvent<{ readonly error: unknown }>): void => props.onProblem(detail.error);
  const changed = ({ detail }: CustomEvent<{ readonly run: Run }>): void => props.openRun(detail.run);
  return html`<article class="run" aria-labelledby="run-title" @wavepoint-problem=${problem} @wavepoint-run-changed=${changed}>
    <nav aria-label="Where you are"><a href=${runsAddress()}>All runs</a></nav>
    <header class="run-head">
      <h1 id="run-title" tabindex="-1">${props.label ?? view.workflow}</h1>
      ${statusBadge(view)}
      <code class="run-id">${view.id}</code>
    </header>
    ${facts(view, now, props.label)} ${standing(props)} ${actions(props)} ${questionsPart(props)}
    ${tabs({
      id: "run",
      label: "More about this run",
      open: props.part,
      choose: props.choosePart,
      tabs: [
        {
          name: "graph",
          title: "Graph",
          panel: () => html`<wavepoint-waves .run=${open.run} .executor=${props.executor}></wavepoint-waves>`,
        },
        {
          name: "timeline",
          title: "Timeline",
          panel: () => html`<wavepoint-timeline .run=${open.run} .addressOf=${runAddress}></wavepoint-timeline>`,
        },
        { name: "journal", title: "Journal", panel: () => html`<wavepoint-journal .run=${open.run}></wavepoint-journal>` },
        { name: "answers", title: "Answers", panel: () => answersPart(open, now) },
        { name: "data", title: "Data", panel: () => html`<wavepoint-data .run=${open.run}></wavepoint-data>` },
        // Its buttons fork.
        ...(open.rights.has("manage")
          ? [
              {
                name: "history",
                title: "History",
                panel: () => html`<wavepoint-history .run=${open.run} .executor=${props.executor}></wavepoint-history>`,
              },
            ]
          : []),
      ],
    })}
  </article>`;
}

function facts(
  { workflow, createdAt, updatedAt, endedAt, definition, parent, fork, previous, outdated }: RunView,
  now: number,
  label: string | undefined,
): TemplateResult {
  return html`<dl class="facts">
    ${
      label === undefined
        ? nothing
        : html`<div>
            <dt>Workflow</dt>
            <dd>${workflow}</dd>
          </div>`
    }
    <div>
      <dt>Started</dt>
      <dd>${timeTemplate(createdAt, now)}</dd>
    </div>
    <div>
      <dt>${endedAt === undefined ? "Last change" : "Ended"}</dt>
      <dd>
        ${timeTemplate(endedAt ?? updatedAt, now)}${endedAt === undefined ? nothing : html`, after ${durationText(endedAt - createdAt)}`}
      </dd>
    </div>
    <div>
      <dt>Definition</dt>
      <dd><code>${definition.slice(0, 12)}</code>${outdated ? ", another one is loaded now" : ""}</dd>
    </div>
    ${parent ? origin("Called by", parent.run, parent.block) : nothing} ${fork ? origin("Forked from", fork.run) : nothing}
    ${previous ? origin("Goes on from", previous.run) : nothing}
  </dl>`;
}

function origin(title: string, run: string, block?: string): TemplateResult {
  return html`<div>
    <dt>${title}</dt>
    <dd>${block === undefined ? nothing : html`<code>${block}</code> of `}<a href=${runAddress(run)}>${run}</a></dd>
  </div>`;
}

/** Why the run stands as it does: what went wrong, what it waits for, or what executes. */
function standing({ open, now }: RunPageProps): TemplateResult | typeof nothing {
  const { view } = open;
  const blocks = [...view.waves.flatMap((wave) => wave.blocks), ...(view.compensations ?? [])];
  const failed = blocks.filter(({ status, error }) => status === "failed" && error);
  const waiting = blocks.filter(({ status }) => status === "waiting");
  const running = blocks.filter(({ status }) => status === "running");
  if (view.transferredTo !== undefined) {
    return html`<section class="standing" data-status="cancelled" aria-label="How it stands">
      <p>This run was handed over to <b>${view.transferredTo}</b>. It does not go on here.</p>
    </section>`;
  }
  if (view.status === "failed" || view.status === "cancelled") {
    const { error } = view;
    // What a single block said stands in the error of the run.
    const others = failed.filter((block) => failed.length > 1 || !error?.message.includes(block.error!.message));
    const attempts = others.length === 0 ? (failed[0]?.attempts ?? 1) : 1;
    return html`<section class="standing" data-status=${view.status} aria-label="How it stands">
      ${error ? html`<p class="error-text">${error.message} <code>${error.code}</code>${attempts > 1 ? ` after ${attempts} attempts` : ""}</p>` : html`<p>The run was cancelled.</p>`}
      ${others.length > 0 ? listOf(others, ({ id, error: own, attempts: tried = 1 }) => html`<b>${id}</b> ${tried > 1 ? `after ${tried} attempts: ` : ""}${own!.message} <code>${own!.code}</code>`) : nothing}
    </section>`;
  }
  if (view.reason === "stopped") {
    return html`<section class="standing" data-status="stopped" aria-label="How it stands">
      <p>The run was stopped. Nothing of it executes until it is resumed; answers are kept.</p>
    </section>`;
  }
  const lines = [
    ...running.map(
      (block) =>
        html`<b>${block.id}</b> executes${block.startedAt === undefined ? nothing : html`, begun ${timeTemplate(block.startedAt, now)}`}`,
    ),
    ...waiting.map((block) => html`<b>${block.id}</b> ${waitText(block, now)}${block.error ? html`: ${block.error.message}` : nothing}`),
    ...failed.map(({ id, error }) => html`<b>${id}</b> failed: ${error!.message}`),
  ];
  if (view.status !== "running") {
    return lines.length === 0
      ? nothing
      : html`<section class="standing" data-status="paused" aria-label="How it stands">${listOf(lines, (line) => line)}</section>`;
  }
  return html`<section class="standing" data-status="running" aria-label="How it stands">
    <p>
      ${
        view.active
          ? "This server executes it."
          : waiting.length > 0 && running.length === 0
            ? "Nothing executes: it waits."
            : "No block executes on this server. Another worker has it, or none does: a worker takes it over soon."
      }
    </p>
    ${lines.length > 0 ? listOf(lines, (line) => line) : nothing}
  </section>`;
}

function waitText(block: BlockView, now: number): string {
  const text = attemptsText(block, undefined, now);
  if (text !== undefined) return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  return block.child === undefined ? "waits" : "waits for the run that it called";
}

function listOf<T>(items: readonly T[], line: (item: T) => TemplateResult): TemplateResult {
  return html`<ul>
      ${items.slice(0, LISTED).map((item) => html`<li>${line(item)}</li>`)}
    </ul>
    ${items.length > LISTED ? html`<p class="hint">and ${items.length - LISTED} more</p>` : nothing}`;
}

function actions(props: RunPageProps): TemplateResult | typeof nothing {
  const { open, isBusy, resume, stop, cancel, save, remove } = props;
  const { rights, view } = open;
  const isOpen = view.status === "running" || view.status === "paused";
  // A run that was called goes the way of its caller; one that was handed over goes on elsewhere.
  const isHere = view.transferredTo === undefined && view.parent === undefined;
  const offered: readonly (readonly [isOffered: boolean, title: string, act: () => void, kind?: string])[] = [
    [isHere && rights.has("answer") && view.status === "failed", "Retry", resume, "primary"],
    [isHere && rights.has("answer") && (view.reason !== undefined || isLeft(view)), "Resume", resume, "primary"],
    [isHere && rights.has("manage") && isOpen && view.reason === undefined, "Stop for now", stop],
    [isHere && rights.has("manage") && isOpen, "Cancel…", cancel],
    [view.parent === undefined && rights.has("transfer"), "Export", save],
    [view.parent === undefined && rights.has("manage"), "Delete…", remove, "danger"],
  ];
  const shown = offered.filter(([isOffered]) => isOffered);
  if (shown.length === 0) return nothing;
  return html`<div class="actions" role="group" aria-label="This run">
    ${shown.map(([, title, act, kind = ""]) => html`<button type="button" class=${kind} aria-disabled=${isBusy} @click=${() => isBusy || act()}>${title}</button>`)}
  </div>`;
}

/** Whether blocks of it should execute, and do not here: a process may have died. */
function isLeft({ status, active, waves }: RunView): boolean {
  return status === "running" && !active && !waves.some(({ blocks }) => blocks.some((block) => block.status === "waiting"));
}

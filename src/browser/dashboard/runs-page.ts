import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { RUN_STATUSES, type RunHead } from "../../core/model/run.ts";
import { mayBulk } from "./bulk-dialog.ts";
import type { DashboardRight } from "./open-run.ts";
import { runAddress, runsAddress, type RunsFilter } from "./route.ts";
import type { RunsPage } from "./runs-feed.ts";
import { runStatusText, statusBadge } from "./status.ts";
import { timeTemplate } from "./wording.ts";

export interface RunsPageProps {
  readonly filter: RunsFilter;
  readonly page: RunsPage | undefined;
  readonly isReading: boolean;
  readonly rights: ReadonlySet<DashboardRight>;
  readonly now: number;
  /** Names of workflows that were seen. */
  readonly workflows: readonly string[];
  /** Runs that are picked, by their ids. */
  readonly picked: ReadonlySet<string>;
  pick(runs: readonly string[], isPicked: boolean): void;
  find(filter: RunsFilter): void;
  bulk(of: "picked" | "all"): void;
  next(): void;
  previous(): void;
}

/** Runs by status and workflow, the one that changed last first: how each stands, why, and since when. */
export function runsPage(props: RunsPageProps): TemplateResult {
  const { filter, page, isReading } = props;
  return html`<section class="runs" aria-labelledby="runs-title">
    <div class="runs-head">
      <h1 id="runs-title" tabindex="-1">${titleOf(filter)}</h1>
      <p class="hint" role="status">${isReading && !page ? "Reading…" : page ? countText(page) : ""}</p>
    </div>
    ${statuses(filter)} ${finder(props)} ${page && page.items.length > 0 ? bulkBar(props, page) : nothing}
    ${page ? list(props, page) : html`<div class="blank" aria-hidden="true"></div>`}
    ${page && page.damaged.length > 0 ? damaged(page) : nothing} ${page ? pages(props, page) : nothing}
  </section>`;
}

function titleOf({ status, workflow }: RunsFilter): string {
  const what = status ? `${runStatusText({ status })} runs` : "All runs";
  return workflow ? `${what} of ${workflow}` : what;
}

function countText({ items, number, hasNext, lookedAt }: RunsPage): string {
  const found = `${items.length} ${items.length === 1 ? "run" : "runs"}`;
  if (lookedAt !== undefined) return `${found} of ${lookedAt.toLocaleString("en")} looked at${hasNext ? "; there are more" : ""}`;
  return number === 1 && !hasNext ? found : `Page ${number}, ${found}${hasNext ? ", more follow" : ""}`;
}

function statuses(filter: RunsFilter): TemplateResult {
  const { status: chosen, ...rest } = filter;
  const link = (title: string, status?: RunsFilter["status"]): TemplateResult =>
    html`<li>
      <a href=${runsAddress({ ...(status && { status }), ...rest })} aria-current=${status === chosen ? "page" : nothing}>${title}</a>
    </li>`;
  return html`<nav class="statuses" aria-label="Runs by status">
    <ul>
      ${link("All")}
      ${["failed", "paused", "running", "completed", "cancelled"].map((name) => {
        const status = RUN_STATUSES.find((one) => one === name)!;
        return link(runStatusText({ status }), status);
      })}
    </ul>
  </nav>`;
}

function finder({ filter, workflows, find }: RunsPageProps): TemplateResult {
  const submit = (event: Event): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(data.get(name) ?? "").trim();
    const { status } = filter;
    find({
      ...(status && { status }),
      ...(text("workflow") && { workflow: text("workflow") }),
      ...(text("find") && { find: text("find") }),
    });
  };
  const isFiltered = filter.workflow !== undefined || filter.find !== undefined;
  return html`<form class="finder" role="search" @submit=${submit}>
    <label class="field">
      <span>Workflow</span>
      <input name="workflow" list="workflows" autocomplete="off" .value=${filter.workflow ?? ""} />
    </label>
    <datalist id="workflows">${workflows.map((name) => html`<option value=${name}></option>`)}</datalist>
    <label class="field grow">
      <span>Search</span>
      <input name="find" type="search" autocomplete="off" aria-describedby="find-hint" .value=${filter.find ?? ""} />
    </label>
    <button type="submit">Search</button>
    ${isFiltered ? html`<a class="button" href=${runsAddress(filter.status ? { status: filter.status } : {})}>Clear</a>` : nothing}
    <p class="hint" id="find-hint">A run’s id, values such as <code>plan=team</code>, or a part of a label, a question or an error.</p>
  </form>`;
}

function bulkBar({ rights, picked, pick, bulk }: RunsPageProps, { items }: RunsPage): TemplateResult | typeof nothing {
  if (!mayBulk(rights)) return nothing;
  const ids = items.map(({ id }) => id);
  const shown = ids.filter((id) => picked.has(id)).length;
  return html`<div class="bulk-bar" role="group" aria-label="Many runs at once">
    <label class="check">
      <input
        type="checkbox"
        .checked=${shown === ids.length}
        .indeterminate=${shown > 0 && shown < ids.length}
        @change=${(event: Event) => pick(ids, (event.target as HTMLInputElement).checked)}
      />
      <span>All on this page</span>
    </label>
    ${picked.size > 0 ? html`<button type="button" @click=${() => bulk("picked")}>With ${picked.size} picked…</button>` : nothing}
    <button type="button" @click=${() => bulk("all")}>With all that match…</button>
  </div>`;
}

function list(props: RunsPageProps, { items }: RunsPage): TemplateResult {
  if (items.length === 0) return empty(props);
  return html`<ul class="rows" aria-busy=${props.isReading}>
    ${repeat(
      items,
      ({ id }) => id,
      (head) => row(head, props),
    )}
  </ul>`;
}

function empty({ filter, page }: RunsPageProps): TemplateResult {
  if (filter.find !== undefined && page?.hasNext) {
    return html`<p class="empty">
      Nothing among the ${page.lookedAt?.toLocaleString("en") ?? "first"} runs that changed last. Look further with <b>Next page</b>, or add
      a status or a workflow.
    </p>`;
  }
  const isAll = filter.status === undefined && filter.workflow === undefined && filter.find === undefined;
  return isAll
    ? html`<p class="empty">
        There are no runs yet. Start one from a page, a program, or with <code>wavepoint run</code> on the same store; it shows up here.
      </p>`
    : html`<p class="empty">
        There is no such run${filter.status ? ` with the status “${runStatusText({ status: filter.status }).toLowerCase()}”` : ""}.
        <a href=${runsAddress()}>Show all runs</a>
      </p>`;
}

function row(head: RunHead, { rights, picked, pick, now }: RunsPageProps): TemplateResult {
  const { id, workflow, label, changedAt } = head;
  const name = label ?? workflow;
  return html`<li class="row" data-run=${id} data-status=${head.status}>
    ${
      mayBulk(rights)
        ? html`<label class="pick"
            ><input
              type="checkbox"
              aria-label=${`Pick ${name}, ${id}`}
              .checked=${picked.has(id)}
              @change=${(event: Event) => pick([id], (event.target as HTMLInputElement).checked)}
          /></label>`
        : nothing
    }
    <a class="row-link" href=${runAddress(id)}><b>${name}</b> <code>${shortId(id)}</code></a>
    ${statusBadge(head)}
    <span class="row-why">${whyText(head)}</span>
    <span class="row-when">${timeTemplate(changedAt, now)}</span>
  </li>`;
}

/** The end of a long id: the part in which runs of one moment differ. Ids that were chosen stay whole as long as they are short. */
function shortId(id: string): string {
  return id.length > 24 ? `…${id.slice(-10)}` : id;
}

function whyText({ label, workflow, status, reason, error, pauses, transferredTo, fork, imported }: RunHead): string {
  const origin = [...(label === undefined ? [] : [workflow]), ...(fork ? ["fork"] : []), ...(imported ? ["imported"] : [])].join(", ");
  const prefix = origin === "" ? "" : `${origin} · `;
  if (transferredTo !== undefined) return `${prefix}to ${transferredTo}`;
  if (status === "failed" || status === "cancelled") return `${prefix}${error ? `${error.message} (${error.code})` : ""}`;
  if (reason === "stopped") return `${prefix}until it is resumed`;
  const [first] = pauses;
  if (first) return `${prefix}${first.prompt}${pauses.length > 1 ? ` and ${pauses.length - 1} more` : ""}`;
  return origin;
}

function damaged({ damaged: runs }: RunsPage): TemplateResult {
  return html`<section class="standing" data-status="failed" aria-labelledby="damaged-title">
    <h2 id="damaged-title">Runs that cannot be read</h2>
    <ul>
      ${runs.map(({ run, error }) => html`<li><code>${run}</code> ${error.message}</li>`)}
    </ul>
  </section>`;
}

function pages({ next, previous, isReading }: RunsPageProps, { number, hasNext }: RunsPage): TemplateResult | typeof nothing {
  if (number === 1 && !hasNext) return nothing;
  return html`<nav class="pages" aria-label="Pages">
    <button type="button" aria-disabled=${number === 1 || isReading} @click=${() => number > 1 && previous()}>Previous page</button>
    <span>Page ${number}</span>
    <button type="button" aria-disabled=${!hasNext || isReading} @click=${() => hasNext && next()}>Next page</button>
  </nav>`;
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { Executor } from "../../core/run/run.ts";
import type { CheckpointInfo } from "../../core/model/checkpoint.ts";
import type { CheckpointDifference, ReviewItem, RunTree, ValueDifference } from "../../core/model/history.ts";
import type { Value } from "../../core/model/value.ts";
import type { RunView } from "../../core/model/view.ts";
import type { Drawing, DrawingOptions } from "./drawn-element.ts";
import { nameText } from "./field-kind.ts";
import { historyEnglish, type HistoryMessages } from "./history-messages.ts";
import { detailsList, valuesList } from "./question-notes.ts";
import { showBusy } from "./show-busy.ts";
import { valueText } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import { askedOf } from "./read-question.ts";

/** Checkpoints that are listed, the newest of them. */
const LISTED = 50;

/** Reads the past of a run, again whenever the run changes. */
export function createHistory({ run, source, element, id, language, tell, attempt }: DrawingOptions<Executor | undefined>): Drawing {
  const executor = source!;
  let tree: RunTree | undefined;
  let checkpoints: readonly CheckpointInfo[] = [];
  let seen: RunView | undefined;
  /** The checkpoint whose state is shown. */
  let shown: string | undefined;
  let chosen: { readonly from?: string; readonly to?: string } = {};
  let difference: CheckpointDifference | undefined;
  let asked: readonly ReviewItem[] = [];

  return {
    template,
    drawn() {
      showBusy(element, tree === undefined);
      const view = run.getSnapshot();
      // While blocks work there is more to read with every step; what stands at the end is enough.
      if (view === seen || (view.status === "running" && seen !== undefined)) return;
      seen = view;
      attempt(read);
    },
  };

  async function read(): Promise<void> {
    const { items } = await executor.checkpoints.list({ run: run.id, limit: LISTED });
    checkpoints = await Promise.all(items.toReversed().map(({ id: checkpoint }) => executor.checkpoints.get(checkpoint)));
    tree = await executor.runs.tree(run.id);
    element.requestDraw();
  }

  function words(): HistoryMessages {
    return { ...historyEnglish, ...language().messages.history };
  }

  function template(): TemplateResult {
    const { title, runs, checkpoints: heading } = words();
    return html`<section part="history" aria-labelledby="${id}-history">
      <h2 part="heading" tabindex="-1" id="${id}-history">${title}</h2>
      ${
        tree
          ? html`<h3 part="label">${runs}</h3>
              <ul part="tree">
                ${branch(tree)}
              </ul>`
          : nothing
      }
      ${
        checkpoints.length > 0
          ? html`<h3 part="label">${heading}</h3>
              <ol part="checkpoints">
                ${checkpoints.map(line)}
              </ol>
              ${comparison()}`
          : nothing
      }
    </section>`;
  }

  function branch(node: RunTree): TemplateResult {
    const { thisRun, open, runStatus } = words();
    const isHere = node.run === run.id;
    const name = `${nameText(node.workflow)}, ${language().locale.instant(node.createdAt)}`;
    return html`<li part="branch" data-run=${node.run} aria-current=${isHere ? "true" : nothing}>
      <span>${name}</span> <span part="hint">${runStatus[node.status] ?? node.status}${isHere ? `, ${thisRun}` : ""}</span>
      ${
        isHere || node.status === "deleted"
          ? nothing
          : html`<button
              type="button"
              part="button"
              aria-label="${open}: ${name}"
              @click=${() => attempt(async () => tell("wavepoint-run-changed", { run: await executor.open(node.run) }))}
            >
              ${open}
            </button>`
      }
      ${
        node.forks.length > 0
          ? html`<ul>
              ${node.forks.map(branch)}
            </ul>`
          : nothing
      }
    </li>`;
  }

  function nameOf({ id, pauses, currentWave, createdAt, superseded }: CheckpointInfo): string {
    const { number, instant, tag } = language().locale;
    const asked = pauses.find((pause) => pause.id === id);
    const what = (asked && askedOf(asked, tag).heading) || `${words().afterWave} ${number(currentWave + 1)}`;
    return `${what} (${instant(createdAt)}${superseded ? `, ${words().superseded}` : ""})`;
  }

  function line(info: CheckpointInfo): TemplateResult {
    const { state, fork } = words();
    const name = nameOf(info);
    const isShown = shown === info.id;
    return html`<li part="checkpoint" data-checkpoint=${info.id}>
      <span>${name}</span>
      <span part="buttons">
        <button type="button" part="button" aria-expanded=${isShown} aria-label="${state}: ${name}" @click=${() => toggle(info)}>
          ${state}
        </button>
        <button
          type="button"
          part="button"
          aria-label="${fork}: ${name}"
          @click=${() => attempt(async () => tell("wavepoint-run-changed", { run: await executor.fork(info.id) }))}
        >
          ${fork}
        </button>
      </span>
      ${isShown ? html`<div part="state">${stateTemplate(info)}</div>` : nothing}
    </li>`;
  }

  function toggle({ id: checkpoint }: CheckpointInfo): void {
    shown = shown === checkpoint ? undefined : checkpoint;
    element.requestDraw();
  }

  /** The outputs of the blocks that had completed there. */
  function stateTemplate({ completedBlocks, context }: CheckpointInfo): TemplateResult {
    if (completedBlocks.length === 0) return html`<p part="hint">${words().nothing}</p>`;
    const values = completedBlocks.map((block) => [block, context.blocks[block]?.outputs ?? null] as const);
    return detailsList(Object.fromEntries(values), language());
  }

  function comparison(): TemplateResult {
    const { compareFrom, compareTo, compare } = words();
    const select = (side: "from" | "to", label: string): TemplateResult =>
      html`<label>
        <span part="label">${label}</span>
        <select
          part="control"
          @change=${(event: Event) => {
            chosen = { ...chosen, [side]: checkpoints[(event.target as HTMLSelectElement).selectedIndex]!.id };
          }}
        >
          ${checkpoints.map((info) => html`<option .selected=${pickOf(side) === info.id}>${nameOf(info)}</option>`)}
        </select>
      </label>`;
    return html`<div part="compare">
      ${select("from", compareFrom)} ${select("to", compareTo)}
      <button
        type="button"
        part="button"
        @click=${() =>
          attempt(async () => {
            difference = await executor.checkpoints.diff(pickOf("from"), pickOf("to"));
            asked = await run.answers();
            element.requestDraw();
          })}
      >
        ${compare}
      </button>
      <div role="status">${difference ? differenceTemplate(difference) : nothing}</div>
    </div>`;
  }

  function pickOf(side: "from" | "to"): string {
    return chosen[side] ?? checkpoints.at(side === "from" ? 0 : -1)!.id;
  }

  function differenceTemplate({ inputs, answers, blocks }: CheckpointDifference): TemplateResult {
    const { same, inputs: inputsTitle, answers: answersTitle, nothing: none, change } = words();
    const { messages, locale } = language();
    const status: { readonly [status: string]: string } = wordsOf(messages).status;
    const statusText = (one: string | undefined): string => (one === undefined ? none : (status[one] ?? one));
    const text = (schema: ShownSchema, value: Value | undefined): string =>
      value === undefined ? none : valueText(schema, value, { messages, locale });
    const rows = (
      title: string,
      differences: readonly ValueDifference[],
      schemaOf: (path: string) => ShownSchema = () => ({}),
    ): readonly (readonly [string, string])[] =>
      differences.map(({ path, before, after }) => [
        `${title}: ${path}`,
        change(text(schemaOf(path), before), text(schemaOf(path), after)),
      ]);
    const lines = [
      ...rows(inputsTitle, inputs),
      ...rows(answersTitle, answers, (path) => answerSchemaAt(asked, path, locale.tag)),
      ...blocks.flatMap(({ block, before, after, outputs }) => [
        ...(before === after ? [] : [[nameText(block), change(statusText(before), statusText(after))] as const]),
        ...rows(nameText(block), outputs),
      ]),
    ];
    if (lines.length === 0) return html`<p part="hint">${same}</p>`;
    return valuesList(lines);
  }
}

/**
 * What was asked at a place that a difference of answers names: the path of a question, its number where its block asked more than once, and the
 * member of the answer.
 */
export function answerSchemaAt(items: readonly ReviewItem[], place: string, language?: string): ShownSchema {
  const paths = items.map((one) => one.path.join("/"));
  // The question of an item, `ask[2]`, is meant before a member of an answer to `ask`.
  const path = paths.filter((one) => isWithin(place, one)).reduce((longest, one) => (one.length > longest.length ? one : longest), "");
  const [, number = "1", members = ""] = /^(?:#(\d+))?(.*)$/s.exec(place.slice(path.length))!;
  const item = items.filter((_, i) => paths[i] === path)[Number(number) - 1];
  if (!item) return {};
  const { prompt = "", schema = {}, metadata = {} } = item;
  let found: ShownSchema | undefined = askedOf({ ...item, prompt, schema, metadata }, language).schema;
  for (const [, key, written, index] of members.matchAll(/\.([^.[]+)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]/g)) {
    const name = key ?? (written === undefined ? "" : (JSON.parse(written) as string));
    const { properties = {}, items: inner }: ShownSchema = found ?? {};
    found = index === undefined ? (Object.hasOwn(properties, name) ? properties[name] : undefined) : inner;
  }
  return found ?? {};
}

function isWithin(place: string, path: string): boolean {
  return place.startsWith(path) && /^(?:$|[#.[])/.test(place.slice(path.length));
}

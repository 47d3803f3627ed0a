import { html, nothing, type TemplateResult } from "lit-html";
import type { RunContext } from "../../../core/model/checkpoint.ts";
import type { ErrorData } from "../../../core/model/errors.ts";
import type { Step } from "../../../core/model/run.ts";
import { isRecord, type Value, type Values } from "../../../core/model/value.ts";
import type { BlockView, ItemView } from "../../../core/model/view.ts";
import type { Run } from "../../../core/run/run.ts";
import { nameText } from "../field-kind.ts";
import { detailsList } from "../question-notes.ts";
import type { Language } from "../value-text.ts";
import { wordsOf } from "../wizard-messages.ts";
import type { GraphMessages } from "./graph-messages.ts";

/** What there is to read about a block beside its view. */
export interface BlockRecords {
  readonly context: RunContext;
  readonly steps: readonly Step[];
}

/** Reads what a block was given and gave. What is secret does not come out of a run. */
export async function readRecords(run: Run, block: string): Promise<BlockRecords> {
  const [context, steps] = await Promise.all([run.context(), run.steps()]);
  return { context, steps: steps.filter((step) => step.block === block) };
}

export interface PanelProps {
  readonly id: string;
  readonly view: BlockView;
  /** The item that is shown, where one is. */
  readonly item: number | undefined;
  readonly records: BlockRecords | undefined;
  /** Shows or hides the run that the block called; nothing where that cannot be shown. */
  readonly inside: { readonly isShown: boolean; toggle(): void } | undefined;
  readonly words: GraphMessages;
  readonly language: Language;
  close(): void;
  /** Shows an item, or the block as a whole. */
  pick(item: number | undefined): void;
}

/** Executions that are listed, the last of them. */
const LISTED = 20;

/** All about a block of a run: how it stands, how often and how long it ran, what it was given and what it gave. */
export function panelTemplate({ id, view, item, records, inside, words, language, close, pick }: PanelProps): TemplateResult {
  const values = records?.context.blocks[view.id];
  const shown = item === undefined ? view : view.items?.[item];
  const steps = (records?.steps ?? []).filter((step) => item === undefined || step.item === item);
  const outputs = item === undefined ? values?.outputs : steps.at(-1)?.outputs;
  return html`<section part="panel" role="region" aria-labelledby="${id}-panel">
    <div part="panel-head">
      <h3 part="label" tabindex="-1" id="${id}-panel">
        ${nameText(view.id)}${shown && item !== undefined ? html` – ${words.item((shown as ItemView).key)}` : nothing}
      </h3>
      <button type="button" part="button tool" aria-label=${words.close} @click=${close}>✕</button>
    </div>
    <p part="hint">${view.type}</p>
    ${view.items ? itemMenu(view.items, { id, item, words, language, pick }) : nothing}
    ${view.description ? html`<p>${view.description}</p>` : nothing} ${shown ? facts(shown, words, language) : nothing}
    ${
      inside
        ? html`<button type="button" part="button" aria-pressed=${inside.isShown} @click=${inside.toggle}>
            ${inside.isShown ? words.hideInside : words.showInside}
          </button>`
        : nothing
    }
    ${item === undefined ? valuesTemplate(words.inputs, values?.inputs, language) : nothing}
    ${valuesTemplate(words.outputs, outputs, language)} ${steps.length > 1 ? executions(steps, view.items ?? [], words, language) : nothing}
  </section>`;
}

/** A menu of the items: cells are small, and keys do not reach them. */
function itemMenu(
  items: readonly ItemView[],
  { id, item, words, language, pick }: Pick<PanelProps, "id" | "item" | "words" | "language" | "pick">,
): TemplateResult {
  const { status } = wordsOf(language.messages);
  const picked = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    pick(value === "" ? undefined : Number(value));
  };
  return html`<div part="field">
    <label part="label" for="${id}-item">${words.items}</label>
    <select part="control" id="${id}-item" @change=${picked}>
      <option value="" .selected=${item === undefined}>${words.allItems}</option>
      ${items.map((one, i) => html`<option value=${i} .selected=${i === item}>${words.item(one.key)}, ${status[one.status]}</option>`)}
    </select>
  </div>`;
}

/** How a block or an item stands, a line each. */
function facts(view: BlockView | ItemView, words: GraphMessages, language: Language): TemplateResult {
  const { locale, messages } = language;
  const { status, waitingUntil, waitingFor, error } = wordsOf(messages);
  const items = "items" in view ? view.items : undefined;
  const lines: readonly (readonly [string, string | undefined])[] = [
    [words.status, status[view.status]],
    [words.why, view.skipped && words.skipped(view.skipped)],
    [words.error, view.error && error(view.error as ErrorData)],
    ["", view.status === "waiting" && view.until !== undefined ? waitingUntil(locale.instant(view.until)) : undefined],
    ["", view.events && waitingFor(view.events.join(", "))],
    [words.started, view.startedAt === undefined ? undefined : locale.instant(view.startedAt)],
    [words.took, view.tookMs === undefined ? undefined : durationText(view.tookMs, locale.tag)],
    [words.attempts, view.attempts === undefined ? undefined : locale.number(view.attempts)],
    [
      words.iteration,
      view.iteration === undefined
        ? undefined
        : words.ofLimit(locale.number(view.iteration), locale.number(view.maxIterations ?? view.iteration)),
    ],
    [words.items, items && countText(items, language)],
  ];
  return html`<dl part="values">
    ${lines.map(([name, text]) =>
      text === undefined
        ? nothing
        : html`<div>
            <dt>${name}</dt>
            <dd>${text}</dd>
          </div>`,
    )}
  </dl>`;
}

function countText(items: readonly ItemView[], { locale, messages }: Language): string {
  const { status } = wordsOf(messages);
  const counts = new Map<ItemView["status"], number>();
  for (const item of items) counts.set(item.status, (counts.get(item.status) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${locale.number(count)} ${status[name]}`).join(", ");
}

function valuesTemplate(title: string, values: Values | null | undefined, language: Language): TemplateResult | typeof nothing {
  if (!values || Object.keys(values).length === 0) return nothing;
  return html`<details open part="panel-values">
    <summary part="label">${title}</summary>
    ${detailsList(mapTexts(values) as Values, language)}
  </details>`;
}

/** Characters of a text that are shown. */
const MAX_TEXT = 2_000;

/** Values with long texts cut, so that a file in an output does not fill the page. */
function mapTexts(value: Value): Value {
  if (typeof value === "string") return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return (value as readonly Value[]).map(mapTexts);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member as Value)]));
}

function executions(
  steps: readonly Step[],
  items: readonly ItemView[],
  words: GraphMessages,
  { locale, messages }: Language,
): TemplateResult {
  const { status } = wordsOf(messages);
  return html`<details part="panel-values">
    <summary part="label">${words.executions} (${locale.number(steps.length)})</summary>
    <ol part="executions">
      ${steps
        .slice(-LISTED)
        .map(
          (step) =>
            html`<li>
              ${step.item === undefined ? nothing : `${words.item(items[step.item]?.key ?? String(step.item))}: `}${status[step.status]},
              ${locale.instant(step.startedAt)}, ${durationText(step.tookMs, locale.tag)}
            </li>`,
        )}
    </ol>
  </details>`;
}

/** A duration as people write it: `250 ms`, `1.5 sec`, `3 min`. */
function durationText(ms: number, tag: string | undefined): string {
  const [amount, unit] =
    ms < 1_000
      ? [ms, "millisecond"]
      : ms < 60_000
        ? [ms / 1_000, "second"]
        : ms < 3_600_000
          ? [ms / 60_000, "minute"]
          : [ms / 3_600_000, "hour"];
  return new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: amount < 10 ? 1 : 0 }).format(
    amount,
  );
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { ErrorData } from "../../core/model/errors.ts";
import { type FileValue, isFileValue } from "../../core/model/file-value.ts";
import type { Pause } from "../../core/model/run.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import { isRecord, type Value, type Values } from "../../core/model/value.ts";
import type { Entry } from "./typed-entry.ts";
import { nameText } from "./field-kind.ts";
import type { FormContext } from "./form-context.ts";
import type { Messages } from "./messages.ts";
import type { Asked } from "./read-question.ts";
import { filesIn } from "./read-entry.ts";
import { HIDDEN, valueText, type Language } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";

/** Until when a question waits, and what it was answered before: where its controls do not tell that, or it would not do again as it is. */
export function questionNotes(context: FormContext, { expiresAt, earlier }: Pause, { schema, answers }: Asked): TemplateResult {
  const words = wordsOf(context.messages);
  const told =
    earlier &&
    (answers || earlier.state !== "ok") &&
    words.earlier(context.isSensitive ? HIDDEN : valueText(schema, earlier.response, context), earlier.state);
  return html`${expiresAt === undefined ? nothing : html`<p part="deadline">${words.deadline(context.locale.instant(expiresAt))}</p>`}${
    told ? html`<p part="earlier">${told}</p>` : nothing
  }`;
}

/** Named values, each with its title or name, those in it too; what came to nothing is left out. */
export function detailsList(values: Values, language: Language, { properties = {} }: ShownSchema = {}): TemplateResult {
  const told = Object.entries(values).filter(([, value]) => value !== null && value !== "");
  return valuesList(told.map(([name, value]) => [properties[name]?.title || nameText(name), detail(value, language, properties[name])]));
}

function detail(value: unknown, language: Language, schema: ShownSchema = {}): string | TemplateResult {
  if (isFileValue(value)) return saveButton(value, language);
  if (isRecord(value)) return detailsList(value as Values, language, schema);
  if (!Array.isArray(value) || !value.some(isRecord)) return valueText(schema, value as Value, language);
  if (value.some(isFileValue)) return html`<div part="values items">${value.map((one) => detail(one, language, schema.items))}</div>`;
  return valuesList(
    value.map((one, i) => [language.locale.number(i + 1), detail(one, language, schema.items)]),
    "items",
  );
}

/** What is drawn as a list of names, each with what belongs to it; `items` of a list have their number as a name. */
export function valuesList(lines: readonly (readonly [name: string, value: string | TemplateResult])[], kind?: "items"): TemplateResult {
  return html`<dl part=${kind ? `values ${kind}` : "values"}>
    ${lines.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** How long the browser may take to read a file after the click, in milliseconds. */
const READ_MS = 60_000;

/** Saves a file. Its address is made when it is wanted, since that keeps the bytes. */
function saveButton(file: FileValue, language: Language): TemplateResult {
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([new Uint8Array(file.bytes)], { type: "application/octet-stream" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), READ_MS);
  };
  const text = wordsOf(language.messages).saveFile(valueText({ format: "file" }, file as never, language));
  return html`<button part="button" type="button" @click=${save}>${text}</button>`;
}

interface CancelProps {
  readonly id: string;
  readonly messages: Messages;
  cancel(): void;
  keep(): void;
}

/** Asks once more before everything is ended. */
export function cancelTemplate({ id, messages, cancel, keep }: CancelProps): TemplateResult {
  const { cancelQuestion, cancelSurely, cancelNot } = wordsOf(messages);
  return html`<div part="leaving" role="group" aria-labelledby=${id}>
    <p part="lead" tabindex="-1" id=${id}>${cancelQuestion}</p>
    <div part="buttons">
      <button part="button" type="button" @click=${keep}>${cancelNot}</button>
      <button part="button danger" type="button" @click=${cancel}>${cancelSurely}</button>
    </div>
  </div>`;
}

/** Why what was typed is not kept; of files, when they will be. */
export function draftNote(
  messages: Messages,
  isKept: boolean,
  entry: Entry,
  problem: ErrorData | undefined,
): TemplateResult | typeof nothing {
  const { filesLater, draftLost, error } = wordsOf(messages);
  if (problem) return html`<p part="error">${draftLost(error(problem))}</p>`;
  return isKept && filesIn(entry).length > 0 ? html`<p part="hint">${filesLater}</p>` : nothing;
}

import { html, nothing, type TemplateResult } from "lit-html";
import type { ErrorData } from "../../core/model/errors.ts";
import { type FileValue, isFileValue } from "../../core/model/file-value.ts";
import type { Pause } from "../../core/model/run.ts";
import type { JsonSchema } from "../../core/model/json-schema.ts";
import type { Values } from "../../core/model/value.ts";
import type { Entry } from "./typed-entry.ts";
import { nameText } from "./field-kind.ts";
import type { FormContext } from "./form-context.ts";
import type { Messages } from "./messages.ts";
import { filesIn } from "./read-entry.ts";
import { HIDDEN, valueText, type Language } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";

/** Until when a question waits, what it was answered before and whether that would do again. */
export function questionNotes(context: FormContext, { expiresAt, earlier }: Pause, schema: JsonSchema): TemplateResult {
  const words = wordsOf(context.messages);
  const text = earlier && (context.isSensitive ? HIDDEN : valueText(schema, earlier.response, context));
  return html`${expiresAt === undefined ? nothing : html`<p part="deadline">${words.deadline(context.locale.instant(expiresAt))}</p>`}${
    earlier ? html`<p part="earlier">${words.earlier(text!, earlier.state)}</p>` : nothing
  }`;
}

/** Named values, each with its name. */
export function detailsList(values: Values, language: Language): TemplateResult {
  return html`<dl part="values">
    ${Object.entries(values).map(
      ([name, value]) =>
        html`<div>
          <dt>${nameText(name)}</dt>
          <dd>${isFileValue(value) ? saveButton(value, language) : valueText({}, value, language)}</dd>
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
  return html`<div part="buttons" role="group" aria-labelledby=${id}>
    <p part="lead" tabindex="-1" id=${id}>${cancelQuestion}</p>
    <button part="button danger" type="button" @click=${cancel}>${cancelSurely}</button>
    <button part="button" type="button" @click=${keep}>${cancelNot}</button>
  </div>`;
}

/** Whether what was typed is kept. */
export function draftNote(
  messages: Messages,
  isKept: boolean,
  entry: Entry,
  problem: ErrorData | undefined,
): TemplateResult | typeof nothing {
  const { draftKept, filesLater, draftLost, error } = wordsOf(messages);
  if (problem) return html`<p part="error">${draftLost(error(problem))}</p>`;
  return isKept ? html`<p part="hint">${draftKept}${filesIn(entry).length > 0 ? ` ${filesLater}` : ""}</p>` : nothing;
}

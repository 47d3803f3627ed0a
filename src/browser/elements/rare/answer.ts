import { html, type TemplateResult } from "lit-html";
import { isFileValue, type FileValue } from "../../../core/model/file-value.ts";
import type { ShownSchema } from "../../../core/model/localize-schema.ts";
import { bytesText } from "../measure-text.ts";
import { isRecord, type Value } from "../../../core/model/value.ts";
import { kindOf, namesOf, nameText } from "../field-kind.ts";
import { valuesList } from "../question-notes.ts";
import { valueText, type Language } from "../value-text.ts";
import { wordsOf } from "../wizard-messages.ts";
import { pictureTemplate } from "./picture.ts";

/** An answer for people to look over: groups with a line for each member, pictures and signatures as they look, all else as a text. `label` names it. */
export function answerTemplate(schema: ShownSchema, value: Value, language: Language, label: string): string | TemplateResult {
  if (isFileValue(value)) return fileTemplate(schema, value, language, label);
  const kind = kindOf(schema, true);
  if (kind === "list" && Array.isArray(value) && value.length > 0) {
    const { messages, locale } = language;
    const { items } = schema as { readonly items: ShownSchema };
    const nameAt = (index: number): string => wordsOf(messages).item(items.title ?? label, locale.number(index + 1));
    const itemAt = (item: Value, index: number): string | TemplateResult => answerTemplate(items, item, language, nameAt(index));
    if (kindOf(items, true) === "file") return html`<div part="pictures">${(value as readonly Value[]).map(itemAt)}</div>`;
    if (kindOf(items, true) === "group")
      return valuesList(
        (value as readonly Value[]).map((item, i) => [nameAt(i), itemAt(item, i)]),
        "items",
      );
  }
  if (kind !== "group" || !isRecord(value)) return valueText(schema, value, language);
  const names = namesOf(schema).filter((name) => Object.hasOwn(value, name));
  return valuesList(
    names.map((name) => {
      const part = schema.properties![name]!;
      const title = part.title ?? nameText(name);
      return [title, answerTemplate(part, value[name] as Value, language, title)];
    }),
  );
}

/** A signature is what was drawn or written; the name of its file says nothing. */
function fileTemplate(schema: ShownSchema, file: FileValue, language: Language, label: string): string | TemplateResult {
  const isSignature = schema.capture === "signature";
  if (isSignature && file.type === "text/plain") return new TextDecoder().decode(file.bytes);
  const name = isSignature ? "" : html`<bdi>${file.name}</bdi> (<bdi>${bytesText(file.size, language.locale.tag)}</bdi>)`;
  return html`<figure part="shown-file">
    ${pictureTemplate(file, label)}
    <figcaption>${name}</figcaption>
  </figure>`;
}

import { choicesOf } from "../../core/model/choices.ts";
import type { JsonChoice } from "../../core/model/json-schema.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import { bytesText, measureText, dayText } from "./measure-text.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { isSame } from "./typed-entry.ts";
import { kindOf, nameText } from "./field-kind.ts";
import { wordsOf } from "./wizard-messages.ts";
import type { Locale } from "./locale.ts";
import type { Messages } from "./messages.ts";

/** How an element speaks. */
export interface Language {
  readonly messages: Messages;
  readonly locale: Locale;
}

/** What stands for what others should not read. */
export const HIDDEN = "••••••";

/** An answer, or another value, as a text for people: the members of a group a line each. */
export function valueText(schema: ShownSchema, value: Value, language: Language): string {
  const { messages, locale } = language;
  const comma = locale.tag?.startsWith("ar") ? "، " : ", ";
  const choices = choicesOf(schema);
  const choice = choices.find(({ const: one }) => isSame(value)(one));
  if (choice?.title) return choice.title;
  if (value === null || String(value) === "") return "–";
  if (schema.format === "password") return HIDDEN;
  if (choices.length === 0 && typeof value === "number") return measureText(value, schema, locale.tag);
  if (Array.isArray(value)) {
    const texts = (value as readonly Value[]).map((item) => valueText(schema.items ?? {}, item, language));
    const all = texts.join("");
    return schema.items && kindOf(schema.items, true) === "group"
      ? texts
          .map(
            (text, i) =>
              `${wordsOf(messages)
                .item(schema.items!.title ?? schema.title ?? "", locale.number(i + 1))
                .trim()}\n${text}`,
          )
          .join("\n\n")
      : texts.join(/\n/.test(all) ? "\n\n" : schema.items?.format === "file" || /[,،]/.test(all) ? "\n" : comma);
  }
  if (typeof value === "string" && /^(?:date|month)/.test(schema.format!)) return dayText(value, locale.tag);
  if (!isRecord(value)) return choiceText({ const: value }, language);
  if (schema.format === "file") return `${String(value["name"])} (${bytesText(Number(value["size"]), locale.tag)})`;
  return Object.entries(value)
    .filter(([, member]) => member !== "")
    .map(([name, member]) => {
      const part = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name]! : {};
      // Many titles are questions.
      return `${(part.title ?? nameText(name)).replace(/(?<![?؟:])$/, ":")} ${valueText(part, member as Value, language)}`;
    })
    .join("\n");
}

/** A choice as its control names it. */
export function choiceText({ title, const: value }: JsonChoice<string>, { messages }: { readonly messages: Messages }): string {
  if (title) return title;
  if (typeof value === "boolean") return value ? messages.yes : messages.no;
  return typeof value === "string" ? value : JSON.stringify(value);
}

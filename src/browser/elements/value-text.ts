import { choicesOf } from "../../core/model/json-schema.ts";
import type { JsonChoice, JsonSchema } from "../../core/model/json-schema.ts";
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
export function valueText(schema: JsonSchema, value: Value, language: Language): string {
  const { messages, locale } = language;
  const choices = choicesOf(schema);
  const choice = choices.find(({ const: one }) => isSame(value)(one));
  if (choice?.title) return choice.title;
  if (value === null || value === "") return "–";
  if (schema.format === "password") return HIDDEN;
  if (choices.length === 0 && typeof value === "number") return locale.number(value);
  if (Array.isArray(value)) {
    const texts = (value as readonly Value[]).map((item) => valueText(schema.items ?? {}, item, language));
    return schema.items && kindOf(schema.items, true) === "group"
      ? texts
          .map(
            (text, i) =>
              `${wordsOf(messages)
                .item(schema.items!.title ?? schema.title ?? "", locale.number(i + 1))
                .trim()}\n${text}`,
          )
          .join("\n")
      : texts.join(", ");
  }
  if (typeof value === "string" && schema.format?.startsWith("date")) return dayText(value, locale.tag);
  if (!isRecord(value)) return choiceText({ const: value }, language);
  if (schema.format === "file") return `${String(value["name"])} (${bytesText(Number(value["size"]), locale)})`;
  return Object.entries(value)
    .map(([name, member]) => {
      const part = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name]! : {};
      return `${part.title ?? nameText(name)}: ${valueText(part, member as Value, language)}`;
    })
    .join("\n");
}

const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;

/** A day, or a day and a time: as it was written, which is in no time zone unless it says so. */
function dayText(text: string, tag: string | undefined): string {
  const hasTime = text.includes("T");
  const hasZone = ZONE.test(text);
  const at = Date.parse(hasTime && !hasZone ? `${text}Z` : text);
  if (Number.isNaN(at)) return text;
  return new Intl.DateTimeFormat(tag, {
    dateStyle: "long",
    ...(hasTime ? { timeStyle: "short" } : {}),
    ...(hasZone ? {} : { timeZone: "UTC" }),
  }).format(at);
}

/** A size as people write it: `20 MB`. */
export function bytesText(size: number, { tag }: Locale): string {
  const [amount, unit] = size < 1_000 ? [size, "byte"] : size < 1_000_000 ? [size / 1_000, "kilobyte"] : [size / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(tag, { style: "unit", unit, maximumFractionDigits: amount < 10 ? 1 : 0 }).format(amount);
}

/** A choice as its control names it. */
export function choiceText({ title, const: value }: JsonChoice, { messages }: { readonly messages: Messages }): string {
  if (title) return title;
  if (typeof value === "boolean") return value ? messages.yes : messages.no;
  return typeof value === "string" ? value : JSON.stringify(value);
}

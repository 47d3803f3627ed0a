import type { ShownSchema } from "../../core/model/localize-schema.ts";
import type { FieldError } from "../pause-form.ts";
import { choicesOf } from "../../core/model/choices.ts";
import { dayText, bytesText, measureText } from "./measure-text.ts";
import { kindOf } from "./field-kind.ts";
import { isSame } from "./typed-entry.ts";
import type { Locale } from "./locale.ts";

/** A field, as messages speak of it. */
export interface NamedField {
  /** Empty where the field is the whole answer. */
  readonly label: string;
  readonly schema: ShownSchema;
  /** How the reader writes numbers and days. */
  readonly locale: Locale;
  /** The kinds of files that it takes: `PDF or pictures`. Default: as the schema has them. */
  readonly kinds?: string | undefined;
}

/** What a field wants. The error names it where an answer is missing or of another kind. */
export type Wanted =
  | "text"
  | "number"
  | "integer"
  | "money"
  | "email"
  | "uri"
  | "date"
  | "date-time"
  | "time"
  | "month"
  | "choice"
  | "choices"
  | "tick"
  | "file"
  | "signature"
  | "list";

/** What to do about a field: in a sentence `%` is where the field is named, and `#` the limit that is not met, else an example. A function gets the limit, for words that go with numbers. */
type Sentence = string | ((limit: number) => string);

/** What to do about a field, said in one language. */
export interface FieldErrorTexts {
  /** Puts the name of the field into a sentence, in place of `%`. */
  name(sentence: string, label: string): string;
  /** Where it is missing, or none of its kind. */
  readonly wanted: { readonly [wanted in Wanted]: string };
  /** By the keyword that is not met. */
  readonly unmet: {
    readonly [
      keyword in
        | "pattern"
        | "const"
        | "minLength"
        | "maxLength"
        | "fileSize"
        | "minimum"
        | "maximum"
        | "exclusiveMinimum"
        | "exclusiveMaximum"
        | "multipleOf"
        | "minDate"
        | "maxDate"
        | "minItems"
        | "maxItems"
        | "uniqueItems"
        | "exclusive"
        | "contentMediaType"
        | "additionalProperties"
        | "json"
    ]: Sentence;
  };
  /** Where no more can be said. */
  readonly other: string;
}

/** Keywords that a missing answer does not meet, or one of another kind. */
const OF_KIND = /^(?:required|type|format|enum)$/;
/** Keywords that no one who fills in a form can be told of. */
const OF_SCHEMAS = /^(?:anyOf|oneOf|not|contains|propertyNames|(?:min|max)Properties)$/;

/** Says what to do about a field by the keyword that it does not meet, as a whole sentence; in the words of the block where that says it itself. */
export function fieldErrorIn({ name, wanted, unmet, other }: FieldErrorTexts): (error: FieldError, field: NamedField) => string {
  return (error, { label, schema, locale, kinds }) => {
    const { code, message, params = {} } = error;
    const { limit, const: only } = params;
    // Only a text beside the choices has a length.
    const whole = wantedOf(schema);
    const kind = code.endsWith("Length") && whole.startsWith("choice") ? "text" : whole;
    const isOfKind = OF_KIND.test(code) || only === true || (limit === 1 && /^min[LI]/.test(code));
    const key = code === "maxLength" && kind === "file" ? "fileSize" : code;
    const found: Sentence | undefined = isOfKind
      ? wanted[kind]
      : Object.hasOwn(unmet, key)
        ? unmet[key as keyof typeof unmet]
        : OF_SCHEMAS.test(code)
          ? other
          : undefined;
    if (found !== undefined) {
      const sentence = (typeof found === "string" ? found : found(Number(limit))).replace("#", () =>
        code === "contentMediaType" ? (kinds ?? String(params[code] ?? schema[code])) : valueOf(error, { kind, schema, locale }),
      );
      // A label that is a sentence ends within this one.
      return name(sentence, label.replace(/[.:]$/, ""));
    }
    const own = `${message.replace(/\.$/, "")}.`;
    // The engine's own messages go on from the name.
    return label === "" || /^\p{Lu}/u.test(own) ? own : `${label}: ${own}`;
  };
}

/** As the reader writes it: the limit that is not met, else an example of a day or a time. */
function valueOf(
  { code, params = {} }: FieldError,
  { kind: wanted, schema, locale }: { readonly kind: Wanted; readonly schema: ShownSchema; readonly locale: Locale },
): string {
  const { limit, const: only, exclusive: alone } = params;
  if (alone !== undefined) return choicesOf(schema.items ?? schema).find((choice) => isSame(alone)(choice.const))?.title ?? String(alone);
  if (typeof limit === "string") return dayText(limit, locale.tag);
  if (typeof limit === "number" && wanted === "file" && code === "maxLength") return bytesText(limit, locale.tag);
  // Some units are no part of the sentence.
  if (typeof limit === "number")
    return wanted === "money" && code !== "multipleOf" ? measureText(limit, schema, locale.tag) : locale.number(limit);
  if (only !== undefined) return String(only);
  if (wanted === "money") return measureText(AN_AMOUNT, schema, locale.tag);
  if (wanted === "number") return locale.number(exampleWithin(schema));
  const example = EXAMPLES[wanted];
  return example ? new Intl.DateTimeFormat(locale.tag, example).format(A_DAY) : "";
}

/** A number with all marks that it may have, or one between its limits. */
function exampleWithin({ minimum = 0, maximum = A_NUMBER }: ShownSchema): number {
  return maximum < A_NUMBER ? Math.floor((minimum + maximum) / 2) + 0.5 : A_NUMBER;
}

function wantedOf(schema: ShownSchema): Wanted {
  const { format, items = {} } = schema;
  const kind = kindOf(schema, true);
  switch (kind) {
    case "yes-no":
      return "choice";
    case "tick":
    case "choice":
    case "choices":
      return kind;
    case "number":
      return format === "rating" ? "choice" : schema.currency !== undefined ? "money" : schema.type === "integer" ? "integer" : kind;
    case "file":
      return schema.capture === "signature" ? "signature" : kind;
    case "list":
      return items.format === "file" ? "file" : kind;
    default:
      return kind === "text" && FORMATS.has(format!) ? (format as Wanted) : "text";
  }
}

const FORMATS: ReadonlySet<string> = new Set(["email", "uri", "date", "date-time", "time", "month"]);

/** In the smallest unit. */
const AN_AMOUNT = 123_450;
const A_NUMBER = 1_234.5;
/** Its day is no month. */
const A_DAY = new Date(2026, 2, 27, 14, 30);

const DAY = { day: "numeric", month: "numeric", year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit" } as const;

/** How examples are written: days as their control shows them. */
const EXAMPLES: { readonly [wanted in Wanted]?: Intl.DateTimeFormatOptions } = {
  date: DAY,
  "date-time": { ...DAY, ...TIME },
  time: TIME,
  month: { month: "long", year: "numeric" },
};

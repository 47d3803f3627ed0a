import { isDay } from "./day.ts";
import { fileProblem } from "./file-value.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { FieldError } from "./value-problem.ts";

interface Format {
  readonly fits: (text: string) => boolean;
  readonly message: string;
}

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/;
const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

/** The formats of texts that answers are checked against, lightly: the text does not tell whether a mailbox or a page exists. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["email", { fits: (text) => EMAIL.test(text), message: "must be an e-mail address, such as ada@example.com" }],
  ["uri", { fits: (text) => URI.test(text), message: "must be a whole address, such as https://example.com" }],
  ["date", { fits: isDay, message: "must be a day, written as 2026-11-21" }],
  ["date-time", { fits: isDateTime, message: "must be a day and a time, written as 2026-11-21T14:30 or 2026-11-21T14:30:00Z" }],
  ["time", { fits: (text) => TIME.test(text), message: "must be a time of day, written as 14:30" }],
  ["month", { fits: (text) => isDay(`${text}-01`), message: "must be a month, written as 2026-11" }],
]);

/** Whether texts of a format are checked. */
export function isTextFormat(format: unknown): boolean {
  return FORMATS.has(format as string);
}

/** What keeps a value from having the format that its schema names: a text, or a file. Other formats are hints for pages. */
export function formatProblem(schema: JsonSchema, value: unknown): Required<Pick<FieldError, "code" | "message" | "params">> | undefined {
  const { format } = schema;
  if (format === undefined) return undefined;
  if (format === "file") return fileProblem(schema, value);
  const known = typeof value === "string" ? FORMATS.get(format) : undefined;
  return known && !known.fits(value as string) ? { code: "format", message: known.message, params: { format } } : undefined;
}

function isDateTime(text: string): boolean {
  return text[10] === "T" && isDay(text.slice(0, 10)) && TIME.test(text.slice(11));
}

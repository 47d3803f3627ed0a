import { fileProblem } from "./file-value.ts";
import type { ValueProblem } from "./json-schema.ts";
import type { JsonSchema } from "./run.ts";
import { isRecord } from "./value.ts";
import { pathOf, pointerOf, type ValuePlace } from "./value-path.ts";

interface Format {
  readonly fits: (text: string) => boolean;
  readonly message: string;
}

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/;
const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

/** The formats of texts that answers are checked against, lightly: the text does not tell whether a mailbox or a page exists. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["email", { fits: (text) => EMAIL.test(text), message: "must be an e-mail address, such as ada@example.com" }],
  ["uri", { fits: (text) => URI.test(text), message: "must be a whole address, such as https://example.com" }],
  ["date", { fits: isDate, message: "must be a day, written as 2026-11-21" }],
  ["date-time", { fits: isDateTime, message: "must be a day and a time, written as 2026-11-21T14:30 or 2026-11-21T14:30:00Z" }],
]);

/** Whether texts of a format are checked. */
export function isTextFormat(format: unknown): boolean {
  return FORMATS.has(format as string);
}

/** What in a value does not have the format that its schema names, at any depth, files included. Other formats are hints for pages. */
export function findFormatProblems(schema: JsonSchema, value: unknown, place?: ValuePlace): ValueProblem[] {
  const found = (code: string, message: string, params: NonNullable<ValueProblem["params"]>): ValueProblem[] => [
    { path: pathOf(place), instancePath: pointerOf(place), code, message, params },
  ];
  const { format } = schema;
  if (typeof value === "string") {
    const known = format === undefined ? undefined : FORMATS.get(format);
    return known && !known.fits(value) ? found("format", known.message, { format: format! }) : [];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, key) => findFormatProblems(items, item, { up: place, key })) : [];
  }
  if (!isRecord(value)) return [];
  if (format === "file") {
    const problem = fileProblem(schema, value);
    return problem ? found(problem.code, problem.message, problem.params) : [];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
    Object.hasOwn(value, key) ? findFormatProblems(part, value[key], { up: place, key }) : [],
  );
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

function isDateTime(text: string): boolean {
  return text[10] === "T" && isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
}

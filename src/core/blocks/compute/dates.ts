/** A day of the calendar, as it is written: the time of day and the zone behind it do not move it. */
interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const MONTHS_PER_YEAR = 12;
const DAY_MS = 86_400_000;

/** The day that an ISO 8601 date, with a time or without, or a date value stands for; nothing for what is none, such as 29 February of a common year. */
export function readDay(value: unknown): Day | undefined {
  const text = value instanceof Date ? isoOf(value) : value;
  const found = typeof text === "string" ? ISO.exec(text) : null;
  if (!found) return undefined;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const read = { year, month, day };
  const date = new Date(instantOf(read));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? read : undefined;
}

/** Whole months from one day to another, negative where the second one is earlier: a month is full when its day of the month is reached. */
export function monthsBetween(from: Day, to: Day): number {
  if (instantOf(to) < instantOf(from)) return 0 - monthsBetween(to, from);
  const months = (to.year - from.year) * MONTHS_PER_YEAR + to.month - from.month;
  return to.day < from.day ? months - 1 : months;
}

/** Whole years, as ages are counted. Who was born on 29 February is a year older on 1 March of common years. */
export function yearsBetween(from: Day, to: Day): number {
  return Math.trunc(monthsBetween(from, to) / MONTHS_PER_YEAR) + 0;
}

export function daysBetween(from: Day, to: Day): number {
  return (instantOf(to) - instantOf(from)) / DAY_MS;
}

/** Years before 100 are themselves here, unlike in `Date.UTC`. */
function instantOf({ year, month, day }: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function isoOf(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const RELATIVE = /^today(?:[+-](?:\d{1,4}[dw]|\d{1,3}[my]))?$/;

/** Whether a text is a day that there is, written as `2026-11-21`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** Whether a value is a limit of days: a day, or one counted from today, such as `today`, `today+30d`, `today-18y`. */
export function isDayLimit(value: unknown): boolean {
  return typeof value === "string" && (isDay(value) || RELATIVE.test(value));
}

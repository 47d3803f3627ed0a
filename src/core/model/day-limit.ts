const PARTS = /^today(?:([+-]\d+)([dwmy]))?$/;

/**
 * The day that a limit means at an instant, as `2026-11-21`. Today is the day of the time zone of this page or process. Months and years keep the day of the month, or
 * take the last one where that month is shorter.
 */
export function dayOfLimit(limit: string, now: number): string {
  const parts = PARTS.exec(limit);
  if (!parts) return limit;
  const count = Number(parts[1] ?? 0);
  const unit = parts[2];
  const here = new Date(now);
  const months = unit === "m" ? count : unit === "y" ? count * 12 : 0;
  const days = unit === "d" ? count : unit === "w" ? count * 7 : 0;
  const [year, month] = [here.getFullYear(), here.getMonth() + months];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(here.getDate(), lastOfMonth) + days)).toISOString().slice(0, 10);
}

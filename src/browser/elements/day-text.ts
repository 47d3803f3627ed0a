const MONTH = /^\d{4}-\d\d$/;
const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;

/** A month, a day, or a day and a time: as it was written, which is in no time zone unless it says so. */
export function dayText(text: string, tag: string | undefined): string {
  const hasTime = text.includes("T");
  const hasZone = ZONE.test(text);
  const at = Date.parse(hasTime && !hasZone ? `${text}Z` : text);
  if (Number.isNaN(at)) return text;
  return new Intl.DateTimeFormat(tag, {
    ...(MONTH.test(text) ? { month: "long", year: "numeric" } : { dateStyle: "long" }),
    ...(hasTime ? { timeStyle: "short" } : {}),
    ...(hasZone ? {} : { timeZone: "UTC" }),
  }).format(at);
}

/** Stands before a text that is kept in another form. */
const ESCAPE = "\u0001";
const BYTE_ORDER_MARK = "\ufeff";
const MARKS: ReadonlySet<number> = new Set([ESCAPE.charCodeAt(0), BYTE_ORDER_MARK.charCodeAt(0)]);

/**
 * Returns the form in which a column keeps a text: the text itself, so that people can read it. A text with NUL, half of a surrogate pair, or a byte order
 * mark at its beginning would not survive: it is written as a JSON string behind a mark.
 */
export function storedText(text: string): string {
  return isChangedByDatabases(text) ? ESCAPE + JSON.stringify(text) : text;
}

/** The text that {@link storedText} made another one from. */
export function readText(stored: string): string {
  return stored.startsWith(ESCAPE) ? (JSON.parse(stored.slice(1)) as string) : stored;
}

/** Every commit asks this of all its texts. A regular expression takes ten times as long. */
function isChangedByDatabases(text: string): boolean {
  // The compiler targets an older standard than ES2024, which has the type of this method; all engines have had the method since 2023.
  const { isWellFormed } = text as unknown as { isWellFormed(this: string): boolean };
  return MARKS.has(text.charCodeAt(0)) || text.includes("\0") || !isWellFormed.call(text);
}

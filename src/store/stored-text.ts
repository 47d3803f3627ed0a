/** Stands before a text that is kept in another form. */
const ESCAPE = "\u0001";
const BYTE_ORDER_MARK = "\ufeff";
const MARKS: ReadonlySet<number> = new Set([ESCAPE.charCodeAt(0), BYTE_ORDER_MARK.charCodeAt(0)]);

/**
 * The form in which a column of texts keeps a text: the text itself, so that people can read it. NUL and half of a surrogate pair do not survive
 * there, and a byte order mark at the beginning is lost on the way back: such a text is written as a JSON string behind a mark.
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
  // ES2024, which has the type of this method, is newer than what the compiler takes; all engines have had the method since 2023.
  const { isWellFormed } = text as unknown as { isWellFormed(this: string): boolean };
  return MARKS.has(text.charCodeAt(0)) || text.includes("\0") || !isWellFormed.call(text);
}

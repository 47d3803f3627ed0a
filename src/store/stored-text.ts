/** Stands before a text that is kept in another form. */
const ESCAPE = "\u0001";
const CHANGED_BY_DATABASES = /^[\u0001\ufeff]|\0|\p{Surrogate}/u;

/**
 * The form in which a column of texts keeps a text: the text itself, so that people can read it. NUL and half of a surrogate pair do not survive
 * there, and a byte order mark at the beginning is lost on the way back: such a text is written as a JSON string behind a mark.
 */
export function storedText(text: string): string {
  return CHANGED_BY_DATABASES.test(text) ? ESCAPE + JSON.stringify(text) : text;
}

/** The text that {@link storedText} made another one from. */
export function readText(stored: string): string {
  return stored.startsWith(ESCAPE) ? (JSON.parse(stored.slice(1)) as string) : stored;
}

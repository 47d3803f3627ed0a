/** How numbers and instants are written where an element stands. */
export interface Locale {
  number(value: number): string;
  instant(at: number): string;
  /** The time of the clock, to the second. */
  time(at: number): string;
  /** What `Intl` knows the language by; nothing where it does not. */
  readonly tag: string | undefined;
}

const locales = new Map<string, Locale>();

/** The way of writing of the nearest `lang` around an element; in the region of the reader, where the page names none. */
export function localeOf(element: Element): Locale {
  const lang = (element.closest("[lang]") ?? element.ownerDocument.documentElement).getAttribute("lang") ?? "";
  let locale = locales.get(lang);
  if (!locale) {
    const regional = navigator.languages.find((one) => one.startsWith(`${lang}-`));
    locales.set(lang, (locale = createLocale(regional ?? lang)));
  }
  return locale;
}

/** The way of writing of a language. */
export function createLocale(lang: string): Locale {
  const tag = namesLanguage(lang) ? lang : undefined;
  const numbers = new Intl.NumberFormat(tag);
  const instants = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeStyle: "short" });
  const times = new Intl.DateTimeFormat(tag, { timeStyle: "medium" });
  return {
    tag,
    number: (value) => numbers.format(value),
    instant: (at) => instants.format(at),
    time: (at) => times.format(at),
  };
}

/** A page may say anything in its `lang`. */
function namesLanguage(lang: string): boolean {
  try {
    return Intl.getCanonicalLocales(lang).length > 0;
  } catch {
    return false;
  }
}

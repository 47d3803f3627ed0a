// @ts-check
// Makes the index that the search box loads on first use.

/**
 * @typedef {object} SearchIndex
 * @property {readonly (readonly [path: string, title: string])[]} pages
 * @property {readonly (readonly [page: number, id: string, title: string, beginning: string])[]} sections
 * @property {Readonly<Record<string, readonly number[]>>} words For each word: section, weight, section, weight, … Sections as distances.
 */

const BEGINNING_LENGTH = 110;
const TITLE_WEIGHT = 12;
const HEADING_WEIGHT = 8;
/** How often a word has to be said to weigh no more. */
const MOST_TIMES = 4;
/** Words that say nothing about where they stand. */
const EMPTY_WORDS = new Set(
  "a an and are as at be but by for from has in is it its not of on one or that the there they this to was what which who will with".split(
    " ",
  ),
);

const ALIAS_WEIGHT = 6;
/**
 * Words that people type for what the documents call otherwise, and how a section is known that tells of it.
 * @type {readonly (readonly [words: string, pattern: RegExp])[]}
 */
const ALIASES = [
  ["csp", /content security policy/i],
  ["ssr", /servers? that renders?|renders the page first/i],
  ["translate translation i18n locale", /in german|which language/i],
  ["upload attachment", /format: file/],
  ["private incognito", /private window/i],
  ["password", /passphrase/i],
  ["theme dark", /color-scheme/],
  ["loop foreach", /for_each|for each item/i],
  ["bundle size", /minified/i],
  ["autosave", /\bdrafts?\b/i],
  ["undo", /change their minds|run\.back\(\)/i],
  ["cron schedule", /waits for an instant/i],
  ["localstorage", /what is kept/i],
];

/**
 * @param {readonly import("./frame.mjs").SitePage[]} pages
 * @returns {SearchIndex}
 */
export function makeSearchIndex(pages) {
  /** @type {[number, string, string, string][]} */
  const sections = [];
  /** @type {Map<string, Map<number, number>>} */
  const weights = new Map();
  pages.forEach((page, at) => {
    for (const { id, title, depth, text } of page.sections) {
      const place = sections.length;
      sections.push([at, depth === 1 ? "" : id, title, beginningOf(text)]);
      for (const word of wordsOf(title)) weigh(weights, word, place, depth === 1 ? TITLE_WEIGHT : HEADING_WEIGHT);
      /** @type {Map<string, number>} */
      const times = new Map();
      for (const word of wordsOf(text)) times.set(word, (times.get(word) ?? 0) + 1);
      for (const [word, count] of times) weigh(weights, word, place, Math.min(count, MOST_TIMES));
      for (const [aliases, pattern] of ALIASES) {
        const weight = pattern.test(title) ? TITLE_WEIGHT : pattern.test(text) ? ALIAS_WEIGHT : 0;
        if (weight > 0) for (const alias of aliases.split(" ")) weigh(weights, alias, place, weight);
      }
    }
  });
  const words = [...weights].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([word, places]) => /** @type {const} */ ([word, pack(places)]));
  return { pages: pages.map(({ path, title }) => [path, title]), sections, words: Object.fromEntries(words) };
}

/**
 * The words of a text, in lower case; a name like `saveDraft` counts as itself and as its parts.
 * @param {string} text
 */
function wordsOf(text) {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u);
    const all = parts.length > 1 ? [word, ...parts] : [word];
    return all.map((one) => one.toLowerCase()).filter((one) => one.length > 1 && !EMPTY_WORDS.has(one));
  });
}

/**
 * @param {Map<string, Map<number, number>>} weights
 * @param {string} word
 * @param {number} place
 * @param {number} weight
 */
function weigh(weights, word, place, weight) {
  const places = weights.get(word) ?? new Map();
  places.set(place, (places.get(place) ?? 0) + weight);
  weights.set(word, places);
}

/** @param {ReadonlyMap<number, number>} places */
function pack(places) {
  let before = 0;
  return [...places].flatMap(([place, weight]) => {
    const distance = place - before;
    before = place;
    return [distance, weight];
  });
}

/** @param {string} text */
function beginningOf(text) {
  const line = text.replaceAll(/[`*]|\{@link |\}/g, "").replaceAll(/\s+/g, " ");
  return line.length <= BEGINNING_LENGTH ? line : `${line.slice(0, line.lastIndexOf(" ", BEGINNING_LENGTH))} …`;
}

// @ts-check
// The search of the documents: words as the index holds them, and the sections that fit a query best. Used by pages, and to make the index.

/** How a word weighs of which only the beginning, or an end too many, was typed. */
const PART = 0.4;
/** Words that say nothing about where they stand. */
const EMPTY_WORDS = new Set(
  "a an and are as at be but by can do for from has have how i in is it its my not of on one or that the there they this to use using was what when where which who why will with".split(
    " ",
  ),
);
const MOST_RESULTS = 12;
/** Which part of the words a section must have that is listed, and how much it falls back for each that it lacks. */
const LEAST_PART = 0.6;
const LACKING = 1;
/** From which weight on more of a word in a section says little more. */
const SATURATION = 6;

/**
 * @typedef {object} SearchIndex
 * @property {readonly (readonly [path: string, title: string, rank: number])[]} pages What a page counts for beside others: 1, or less.
 * @property {readonly (readonly [page: number, id: string, title: string, beginning: string])[]} sections
 * @property {Readonly<Record<string, readonly number[]>>} words For each stem: section, weight, section, weight, … Sections as distances.
 */

/**
 * @typedef {object} Found
 * @property {string} address Below the folder of the site.
 * @property {string} title
 * @property {string} page Its title.
 * @property {string} beginning
 */

/**
 * The words of a text as stems; a name like `saveDraft` counts as itself and as its parts.
 * @param {string} text
 */
export function stemsOf(text) {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);
    const all = (parts.length > 1 ? [word, ...parts] : [word]).map((one) => one.toLowerCase());
    return all.filter((one) => one.length > 1 && !EMPTY_WORDS.has(one)).map(stem);
  });
}

/**
 * A word without its ending: styling, style and styles are one.
 * @param {string} word
 */
function stem(word) {
  if (word.length < 4) return word;
  const base = word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
  const cut = base.replace(/(?<=.{3})(?:ation|ating|ated|ate|ional|ion|ing|ed|al|er|e)$/, "");
  return cut.replace(/([bdgmnprt])\1$/, "$1");
}

/**
 * Sections that have most of the words; the fitting ones first, and those that lack a word far behind where the others say it.
 * @param {SearchIndex} index
 * @param {string} query
 * @returns {readonly Found[]}
 */
export function search({ pages, sections, words }, query) {
  // A name is looked up whole, not by its parts.
  const stems = new Set(stemsOf(query.toLowerCase()));
  /** @type {Map<number, { hits: number, score: number }>} */
  const all = new Map();
  for (const word of stems) {
    const places = placesOf(word, words);
    const rarity = Math.log(1 + sections.length / (1 + places.size));
    for (const [place, weight] of places) {
      const { hits, score } = all.get(place) ?? { hits: 0, score: 0 };
      all.set(place, { hits: hits + 1, score: score + (rarity * weight) / (weight + SATURATION) });
    }
  }
  const most = Math.max(0, ...[...all.values()].map(({ hits }) => hits));
  const name = query.trim().toLowerCase();
  return [...all]
    .filter(([, { hits }]) => hits >= most * LEAST_PART)
    .map(([place, { hits, score }]) => {
      const [page, , title] = at(sections, place);
      // Who types the name of something exactly wants that.
      const last = title.split(".").at(-1) ?? "";
      const isNamed = last.toLowerCase() === name && /\p{Ll}\p{Lu}/u.test(last);
      return { place, score: isNamed ? Infinity : score * (hits / most) ** LACKING * at(pages, page)[2] };
    })
    .toSorted((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, MOST_RESULTS)
    .map(({ place }) => {
      const [page, id, title, beginning] = at(sections, place);
      const [path, pageTitle] = at(pages, page);
      return { address: id === "" ? path : `${path}#${id}`, title, page: pageTitle, beginning };
    });
}

/**
 * Where a stem stands, or a longer one that begins with it, or one that it begins with.
 * @param {string} word
 * @param {SearchIndex["words"]} known
 */
function placesOf(word, known) {
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const [candidate, packed] of Object.entries(known)) {
    if (!candidate.startsWith(word) && !(candidate.length > 3 && word.startsWith(candidate))) continue;
    let place = 0;
    for (let i = 0; i < packed.length; i += 2) {
      place += packed[i] ?? 0;
      const weight = (packed[i + 1] ?? 0) * (candidate === word ? 1 : PART);
      places.set(place, Math.max(places.get(place) ?? 0, weight));
    }
  }
  return places;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} index
 * @returns {T}
 */
function at(list, index) {
  return /** @type {T} */ (list[index]);
}

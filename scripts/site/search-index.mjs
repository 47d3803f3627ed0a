// @ts-check
// Makes the index that the search box loads on first use.
import { stemsOf } from "./assets/search.js";

/** @typedef {import("./assets/search.js").SearchIndex} SearchIndex */

const BEGINNING_LENGTH = 110;
const TITLE_WEIGHT = 16;
const KEYWORD_WEIGHT = 12;
const HEADING_WEIGHT = 8;
/** How often a word has to be said to weigh no more. */
const MOST_TIMES = 4;
/** What pages count for beside others, by the beginning of their paths: guides first, then what is looked up by name. */
const RANKS = /** @type {const} */ ([
  ["index.html", 0.3],
  ["overview.html", 0.3],
  ["changelog.html", 0.3],
  ["contributing.html", 0.3],
  ["design.html", 0.5],
  ["testing.html", 0.5],
  ["browsers.html", 0.5],
  ["why.html", 0.6],
  ["api", 0.55],
  ["examples/", 0.5],
  ["start.html", 0.9],
]);

/**
 * What people type for something that the documents call otherwise, by the place that tells of it.
 * @type {Readonly<Record<string, string>>}
 */
export const KEYWORDS = {
  "guide/wizards.html": "multi step form stepper questionnaire survey",
  "guide/theming.html": "styling style css skin branding look theme design",
  "guide/conditional-questions.html": "conditional field branching logic show hide skip",
  "guide/validation.html": "validate required error message",
  "guide/offline-forms.html": "offline pwa no network",
  "guide/custom-blocks.html": "custom block plugin",
  "guide/custom-blocks.html#call-a-service": "idempotency key",
  "guide/deploying.html": "deploy production hosting backup",
  "guide/embedding.html#a-strict-content-security-policy": "csp",
  "guide/embedding.html#servers-that-render-pages": "ssr nextjs server side rendering",
  "guide/testing.html": "test unit mock",
  "time-travel.html": "time travel undo redo change edit answer history",
  "time-travel.html#going-back": "go back previous step",
  "forms.html#files": "file upload attachment photo",
  "forms.html#drafts": "autosave save draft",
  "elements.html#languages": "translate translation i18n locale localization",
  "elements.html#accessibility": "a11y wcag screen reader keyboard",
  "frameworks.html#react": "react hook nextjs",
  "frameworks.html#vue": "vue composable",
  "frameworks.html#svelte": "svelte store",
  "browser.html#what-is-kept-said-plainly": "localstorage persist",
  "stores.html#indexeddb": "private incognito",
  "stores.html#postgres": "postgres database",
  "checkpoints.html#cleaning-up": "delete old runs retention gdpr",
  "definitions.html": "version migration change workflow",
  "effects.html": "exactly once payment double charge twice",
  "encryption.html": "password encryption at rest",
  "language.html#trying-again": "retry backoff",
  "language.html#answers-in-time": "timeout deadline expire reminder",
  "language.html#once-for-each-item": "loop foreach map parallel",
  "moving.html": "export import run transfer",
  "performance.html": "bundle size benchmark",
  "reference/blocks/confirm-operation.html": "human approval approve yes no",
  "schedules.html": "cron schedule recurring",
  "secrets.html": "api key token env",
  "concepts.html#what-happens-on-a-crash": "crash recovery resume reload durable",
};

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
      const anchor = depth === 1 ? "" : id;
      sections.push([at, anchor, title, beginningOf(text)]);
      weighAll(title, place, depth === 1 ? TITLE_WEIGHT : HEADING_WEIGHT);
      weighAll(KEYWORDS[anchor === "" ? page.path : `${page.path}#${anchor}`] ?? "", place, KEYWORD_WEIGHT);
      /** @type {Map<string, number>} */
      const times = new Map();
      for (const word of stemsOf(text)) times.set(word, (times.get(word) ?? 0) + 1);
      for (const [word, count] of times) weigh(word, place, Math.min(count, MOST_TIMES));
    }
  });
  const words = [...weights].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([word, places]) => /** @type {const} */ ([word, pack(places)]));
  return { pages: pages.map(({ path, title }) => [path, title, rankOf(path)]), sections, words: Object.fromEntries(words) };

  /** @param {string} text @param {number} place @param {number} weight */
  function weighAll(text, place, weight) {
    for (const word of new Set(stemsOf(text))) weigh(word, place, weight);
  }

  /** @param {string} word @param {number} place @param {number} weight */
  function weigh(word, place, weight) {
    const places = weights.get(word) ?? new Map();
    places.set(place, (places.get(place) ?? 0) + weight);
    weights.set(word, places);
  }
}

/** @param {string} path */
function rankOf(path) {
  return RANKS.find(([beginning]) => path.startsWith(beginning))?.[1] ?? 1;
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

// @ts-check
// Makes the index that the search box loads on first use.
import { stemsOf } from "./assets/search.js";

/** @typedef {import("./assets/search.js").SearchIndex} SearchIndex */

const BEGINNING_LENGTH = 110;
const TITLE_WEIGHT = 16;
const KEYWORD_WEIGHT = 12;
const HEADING_WEIGHT = 8;
/** How often a word has to be said to weigh no more. */
const MOST_TIMES = 3;
/** What pages count for beside others, by the beginning of their paths: guides first, then what is looked up by name. */
const RANKS = /** @type {const} */ ([
  ["index.html", 0.3],
  ["overview.html", 0.3],
  ["changelog.html", 0.3],
  ["contributing.html", 0.3],
  ["design.html", 0.5],
  ["libraries.html", 0.5],
  ["testing.html", 0.5],
  ["browsers.html", 0.5],
  ["why.html", 0.6],
  ["api/", 0.55],
  ["api.html", 0.8],
  ["examples/", 0.5],
  ["start.html", 0.9],
]);

/**
 * What people type for something that the documents call otherwise, by the place that tells of it.
 * @type {Readonly<Record<string, string>>}
 */
export const KEYWORDS = {
  "guide/wizards.html": "multi step form stepper questionnaire survey quiz",
  "guide/theming.html": "styling style css skin branding look theme design change colors colours",
  "guide/conditional-questions.html": "conditional field branching logic show hide skip if else",
  "guide/validation.html": "validate required field error message email validation answer rejected refused invalid why",
  "guide/offline-forms.html": "offline pwa no network lose internet connection",
  "guide/offline-forms.html#the-page-itself": "service worker cache",
  "guide/custom-blocks.html": "custom block plugin",
  "guide/custom-blocks.html#call-a-service": "idempotency call service fetch send an email mail sms",
  "guide/deploying.html": "deploy production hosting",
  "guide/deploying.html#a-service": "docker serverless lambda functions kubernetes k8s container process manager",
  "guide/embedding.html#a-strict-content-security-policy": "csp",
  "guide/embedding.html#bundlers": "vite webpack rollup jest",
  "guide/embedding.html#servers-that-render-pages": "ssr nextjs server side rendering next js nuxt remix",
  "guide/server.html": "server express http api backend",
  "guide/server.html#over-http": "rest openapi sse websocket event stream",
  "guide/server.html#save-and-continue-later-links":
    "save and continue later resume magic link email share answer from another device phone share with other users",
  "guide/server.html#who-may-do-what":
    "authentication authorization auth login permissions rights access login signin user anonymous users",
  "guide/server.html#two-people-approve": "two people approve approval approvals several approvers four eyes second sign off",
  "guide/testing.html": "test tests unit mock my workflow",
  "time-travel.html": "time travel undo redo change edit answer history",
  "time-travel.html#going-back": "go back previous step",
  "time-travel.html#forks": "fork branch what if copy run compare two runs diff clone duplicate run reset",
  "time-travel.html#the-review-page": "review summary check answers page show previous answers jump to question",
  "forms.html#fields":
    "date picker dropdown select checkbox radio multiple choice text area kinds of fields phone telephone number field password input types optional field",
  "forms.html#files": "file upload attachment photo image signature sign phone camera max file size send large attachments",
  "forms.html#groups-and-lists": "repeat repeating group dynamic list add row nested objects nested",
  "questions.html#drafts": "autosave save draft keep typed form data after reload refresh",
  "questions.html#how-many-questions-are-left": "progress bar percent show progress",
  "elements.html#languages":
    "translate translation i18n locale localization german arabic right to left rtl multi language multilingual button text wording",
  "elements.html#accessibility": "a11y wcag screen reader keyboard",
  "frameworks.html#react": "react hook nextjs",
  "frameworks.html#vue": "vue composable",
  "frameworks.html#svelte": "svelte store",
  "questions.html#json-schema-keywords": "json schema supported keywords",
  "browsers.html": "browser support supported safari firefox chrome edge",
  "browser.html#back-is-the-previous-question": "back button browser history",
  "browser.html#several-tabs-on-one-run": "multiple tabs windows two tabs open concurrent edits same time",
  "browser.html#what-the-browser-keeps": "localstorage persist",
  "stores.html#indexeddb": "private mode incognito",
  "databases.html#postgres": "postgres database",
  "runs.html#find-runs-by-values": "find search filter runs by value customer",
  "checkpoints.html#cleaning-up": "delete old runs retention gdpr user data erase personal abandoned",
  "monitoring.html": "metrics monitoring logging analytics events observability tracing",
  "definitions.html": "version versioning migration change workflow edit running workflow new version deploy",
  "effects.html": "exactly once payment double charge twice send email only once duplicate",
  "encryption.html": "password encryption encrypt at rest",
  "language.html": "yaml workflow file syntax",
  "control-flow.html#retries-and-timeouts": "retry backoff timeout failed again http request",
  "control-flow.html#deadlines-for-answers": "deadline expire reminder answer timeout",
  "control-flow.html#loop-over-items": "loop foreach large lists many items batch for each item repeat for each item map",
  "control-flow.html#compensation": "saga compensation rollback",
  "language.html#calling-workflows": "subworkflow nested child call another workflow",
  "control-flow.html#events": "wait for event signal webhook callback",
  "language.html#inputs": "variables parameters default value",
  "concepts.html#how-a-run-goes": "parallel concurrency at the same time",
  "moving.html": "export import run transfer data download",
  "performance.html": "performance bundle size benchmark speed how big kb weigh heavy slow",
  "reference/blocks/confirm-operation.html": "human approval approve yes no human in the loop",
  "schedules.html": "cron schedule recurring job every day night nightly timer periodic background job time zone timezone",
  "secrets.html": "api key token env",
  "concepts.html#what-happens-on-a-crash":
    "crash recovery resume reload durable happens browser closes close tab power continue where left off user closes",
  "http.html": "http request call api rest",
  "http.html#webhooks": "webhook signature slack notification notify send message",
  "ai.html": "ai llm openai agent language model",
  "mcp.html": "mcp chatgpt claude chat",
  "scale.html": "cluster workers queue rate limit multi tenant several servers",
  "api.html#start-and-follow-a-run": "list runs start open cancel run from code javascript program",
  "overview.html#more": "license licence mit",
  "convert.html": "import survey surveyjs fhir migrate",
  "compute.html": "calculate total score sum formula",
  "worker.html": "web worker background thread",
  "start.html": "getting started install setup tutorial hello world",
  "errors.html": "error codes",
  "guide/wizards.html#drawing-it-yourself": "own input component custom ui widget",
  "why.html#xstate-with-a-storage": "migrate from xstate",
  "forms.html#days-times-numbers": "date range minimum maximum calendar currency",
  "language.html#in-typescript": "type safe typed",
  "guide/server.html#a-dashboard": "debug inspect admin see all runs",
  "forms.html#review-page": "print pdf answers show summary",
  "reference/blocks/populate-template.html": "parse json text convert",
  "reference/blocks/wait.html": "sleep delay pause for days until timer",
  "control-flow.html#branches": "branch conditional next step router switch case error handling catch try fallback failure handler",
  "concepts.html": "long running durable execution glossary",
  "control-flow.html#repeat-a-block": "loop until done while repeat question",
  "control-flow.html#optional-questions": "optional skip step question optional",
  "stores.html": "storage save where data",
  "stores.html#memory": "without database in memory no database",
  "start.html#4-the-same-in-a-page": "plain html page script tag",
  "runs.html#stop-a-run-for-now": "stop stuck halt stop agent kill run",
  "cli.html#while-you-write": "hot reload live reload preview watch",
  "journal.html": "audit trail who answered",
  "forms.html#choices-from-data": "choices options from an api dynamic dropdown",
  "runs.html#name-a-run": "rename name own id rename a run one run per order user",
  "guide/offline-forms.html#not-enough-room": "storage full quota exceeded disk space",
  "questions.html#what-a-page-reads": "prefill prefilled default answers",
  "moving.html#moving-between-stores": "move migrate from indexeddb sqlite files to postgres change store database",
  "guide/deploying.html#backups": "backup restore copy",
  "forms.html#money": "money field price amount euro",
  "forms.html#conditional-questions": "compare two fields cross field rules confirm password",
  "limits.html": "maximum size of an answer largest",
  "guide/server.html#in-the-page": "server is down unreachable lost connection",
  "ai.html#one-question-llm": "stream tokens streaming cost limit budget",
  "registry.html#checks-while-you-type": "autocomplete completion editor vs code vscode monaco intellisense linter",
  "testing.html": "kill -9 chaos crash tests",
  "elements.html": "web component custom element",
  "files.html": "read a csv file write file",
  "start.html#1-install": "node version requirements esm commonjs module",
  "control-flow.html#cache-results-across-runs": "cache response memoize reuse",
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

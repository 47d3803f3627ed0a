import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { apiPath } from "../../scripts/site/api-page.mjs";
import { makeSite } from "../../scripts/site/make-site.mjs";
import { readImages } from "../../scripts/site/read-documents.mjs";
import { readApi } from "../../scripts/site/read-api.mjs";
import { search, type SearchIndex } from "../../scripts/site/assets/search.js";
import { KEYWORDS } from "../../scripts/site/search-index.mjs";
import { readSubpaths } from "../../scripts/site/subpaths.mjs";
import { listPublicEntries } from "../package/public-entries.ts";
import { ROOT } from "../package/source-files.ts";
import { readDocuments } from "./documents.ts";

const files = makeSite();
const pictures = new Set(readImages().map(({ path }) => path));
const pages = [...files].filter(([path]) => path.endsWith(".html"));
const entries = readApi();

const attributes = (html: string, name: string) => [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value]) => value!);
const idsOf = (html: string) => new Set(attributes(html, "id").map((id) => id.replaceAll("&amp;", "&").replaceAll("&quot;", '"')));

/** Where an address of a page leads: a file of the site, and a place in it. */
function resolve(from: string, address: string): { readonly file: string; readonly anchor?: string } {
  const [path = "", anchor] = address.split("#");
  const file = path === "" ? from : posix.join(posix.dirname(from), path);
  return anchor === undefined ? { file } : { file, anchor: decodeURIComponent(anchor) };
}

describe("the pages", () => {
  test("there is one for each document, subpath and example, and each can be found in the tree", () => {
    expect(pages.length).toBeGreaterThan(80);
    const tree = files.get("index.html")!.split('<nav id="tree"')[1]!.split("</nav>")[0]!;
    expect(tree, "Put new documents into a table of docs/README.md.").not.toContain(">More<");
    expect(readDocuments().length).toBeGreaterThan(30);
    for (const { path } of readDocuments().filter(
      (document) => document.path.startsWith("docs/") && !document.path.endsWith("README.md"),
    )) {
      expect([...files.keys()]).toContain(path.replace("docs/", "").replace(/\.md$/, ".html"));
    }
  });

  test.each(pages)("%s has a title, a description and one main heading, and loads nothing from elsewhere", (path, html) => {
    expect(html).toMatch(/<title>[^<]{5,}<\/title>/);
    expect(html).toMatch(/<meta name="description" content="[^"]{10,}">/);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(
      attributes(html, "src")
        .map((address) => resolve(path, address).file)
        .filter((file) => !files.has(file) && !pictures.has(file)),
    ).toEqual([]);
    expect(html).not.toMatch(/<style|<script>| style="| on[a-z]+="/);
  });

  test("no two places of a page have one name", () => {
    for (const [path, html] of pages) {
      const ids = attributes(html, "id");
      expect(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        path,
      ).toEqual([]);
    }
  });

  test("every link leads to a page of the site, the demo or elsewhere, and to a place that is there", () => {
    const places = new Map(pages.map(([path, html]) => [path, idsOf(html)]));
    const links = pages.flatMap(([path, html]) =>
      attributes(html, "href").map((address) => ({ path, address: address.replaceAll("&amp;", "&") })),
    );
    expect(links.length).toBeGreaterThan(1_000);
    const broken = links.filter(({ path, address }) => {
      if (/^https?:/.test(address) || address === posix.relative(posix.dirname(path), "../index.html")) return false;
      const { file, anchor } = resolve(path, address);
      return !files.has(file) || (anchor !== undefined && !places.get(file)?.has(anchor));
    });
    expect(broken).toEqual([]);
  });

  test("colours are those of the demo, and each is there", () => {
    const css = files.get("site.css")!;
    const used = [...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!);
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter((name) => !css.includes(`  ${name}: `))).toEqual([]);
  });
});

describe("the reference of public names", () => {
  test("says what every subpath is for", () => {
    expect([...readSubpaths().keys()].toSorted()).toEqual(
      listPublicEntries()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test.each(entries.map((entry) => [entry.name, entry] as const))(
    "every export of %s has a docstring, and stands on its page",
    (name, entry) => {
      const ids = idsOf(files.get(apiPath(name))!);
      expect(entry.declarations.length + entry.elsewhere.length).toBeGreaterThan(0);
      expect(entry.declarations.filter(({ name: own }) => !ids.has(own)).map(({ name: own }) => own)).toEqual([]);
      expect(entry.declarations.filter(({ doc }) => !/^[A-Z`].*[.:]/s.test(doc)).map(({ name: own }) => own)).toEqual([]);
    },
  );

  test("no name is left out that a module exports", () => {
    const lists = JSON.parse(readFileSync(`${ROOT}test/package/exports.json`, "utf8")) as Record<string, readonly string[]>;
    for (const { name, declarations, elsewhere } of entries) {
      const told = new Set([...declarations, ...elsewhere].map((one) => one.name));
      expect(
        lists[name]!.filter((own) => !told.has(own)),
        name,
      ).toEqual([]);
    }
  });

  test("bodies and private members stay out of signatures", () => {
    const page = files.get("api/wavepoint.html")!;
    expect(page).toContain('id="Run.answer"');
    expect(page).toContain('id="WorkflowError.toJSON"');
    expect(page).not.toMatch(/throw new|export function/);
  });
});

const index = JSON.parse(files.get("search.json")!) as SearchIndex;
const firstFor = (query: string) => search(index, query)[0]?.address;

describe("the search", () => {
  test.each([
    ["styling", "guide/theming.html"],
    ["conditional field", "guide/conditional-questions.html"],
    ["time travel", "time-travel.html"],
    ["dark mode", "guide/theming.html#dark-mode"],
    ["validation error message", "guide/validation.html"],
    ["multi step form", "guide/wizards.html"],
    ["how do I go back", "time-travel.html#going-back"],
    ["works offline", "guide/offline-forms.html"],
    ["file upload", "forms.html#files"],
    ["autosave", "questions.html#drafts"],
    ["react hook", "frameworks.html#react"],
    ["custom block", "guide/custom-blocks.html"],
    ["unit test", "guide/testing.html"],
    ["deploy to production", "guide/deploying.html"],
    ["cron schedule", "schedules.html"],
    ["retry backoff", "control-flow.html#retries-and-timeouts"],
    ["csp", "guide/embedding.html#a-strict-content-security-policy"],
    ["translate", "elements.html#languages"],
    ["human approval", "reference/blocks/confirm-operation.html"],
    ["bundle size", "performance.html"],
    ["postgres", "databases.html#postgres"],
    ["export a run", "moving.html"],
    ["exactly once payment", "effects.html"],
    ["encryption at rest", "encryption.html"],
    ["save and continue later", "guide/server.html#save-and-continue-later-links"],
    ["resume after crash", "concepts.html#what-happens-on-a-crash"],
    ["undo", "time-travel.html"],
    ["timeout", "control-flow.html#retries-and-timeouts"],
    ["parallel", "concepts.html#how-a-run-goes"],
    ["for each", "control-flow.html#loop-over-items"],
    ["delete user data", "checkpoints.html#cleaning-up"],
    ["gdpr", "checkpoints.html#cleaning-up"],
    ["test my workflow", "guide/testing.html"],
    ["authentication", "guide/server.html#who-may-do-what"],
    ["back button", "browser.html#back-is-the-previous-question"],
    ["multiple tabs", "browser.html#several-tabs-on-one-run"],
    ["progress bar", "questions.html#how-many-questions-are-left"],
    ["date picker", "forms.html#fields"],
    ["required field", "guide/validation.html"],
    ["call another workflow", "language.html#calling-workflows"],
    ["http request", "http.html"],
    ["webhook", "http.html#webhooks"],
    ["ai agent", "ai.html"],
    ["monitoring", "monitoring.html"],
    ["service worker", "guide/offline-forms.html#the-page-itself"],
    ["web worker", "worker.html"],
    ["rate limit", "scale.html"],
    ["docker", "guide/deploying.html#a-service"],
    ["import survey", "convert.html"],
    ["getting started", "start.html"],
    ["performance", "performance.html"],
    ["private mode", "stores.html#indexeddb"],
    ["license", "overview.html#more"],
    ["list runs", "api.html#start-and-follow-a-run"],
    ["wait for an event", "control-flow.html#events"],
    ["keep form data after reload", "questions.html#drafts"],
    ["run a job every night", "schedules.html"],
    ["retry failed http request", "control-flow.html#retries-and-timeouts"],
    ["next.js", "guide/embedding.html#servers-that-render-pages"],
    ["hide a question", "guide/conditional-questions.html"],
    ["delete personal data", "checkpoints.html#cleaning-up"],
    ["cancel a run", "api.html#start-and-follow-a-run"],
    ["send an email only once", "effects.html"],
    ["my own input component", "guide/wizards.html#drawing-it-yourself"],
    ["api key", "secrets.html"],
    ["tool calling", "ai.html#tools"],
    ["migrate from xstate", "why.html#xstate-with-a-storage"],
    ["date range", "forms.html#days-times-numbers"],
    ["sub workflow", "language.html#calling-workflows"],
    ["limit concurrency", "scale.html#limits"],
    ["type safe", "language.html#in-typescript"],
    ["right to left", "elements.html#languages"],
    ["how big is it", "performance.html"],
    ["share a link", "guide/server.html#save-and-continue-later-links"],
    ["print answers", "forms.html#review-page"],
    ["pause a workflow for days", "reference/blocks/wait.html"],
    ["two people approve", "guide/server.html#two-people-approve"],
    ["parse json", "reference/blocks/populate-template.html"],
    ["environment variables", "shell.html#the-environment"],
    ["save draft", "questions.html#drafts"],
    ["retry failed step", "control-flow.html#retries-and-timeouts"],
    ["cron", "schedules.html"],
    ["upload a file", "forms.html#files"],
    ["keyboard", "elements.html#accessibility"],
    ["test a workflow", "guide/testing.html"],
    ["large lists", "control-flow.html#loop-over-items"],
    ["see all runs", "guide/server.html#a-dashboard"],
    ["repeat a question", "control-flow.html#repeat-a-block"],
    ["answer from another device", "guide/server.html#save-and-continue-later-links"],
    ["show summary", "forms.html#review-page"],
    ["browser support", "browsers.html"],
    ["json schema", "questions.html#json-schema-keywords"],
    ["what happens when the browser closes", "concepts.html#what-happens-on-a-crash"],
    ["why was my answer rejected", "guide/validation.html"],
    ["phone number field", "forms.html#fields"],
    ["continue where I left off", "concepts.html#what-happens-on-a-crash"],
    ["nested objects in a form", "forms.html#groups-and-lists"],
    ["how do I install it", "start.html"],
    ["without a database", "stores.html#memory"],
    ["multi language", "elements.html#languages"],
    ["plain html page", "start.html#4-the-same-in-a-page"],
    ["stop a stuck run", "runs.html#stop-a-run-for-now"],
    ["slack notification", "http.html#webhooks"],
    ["hot reload", "cli.html#while-you-write"],
    ["signature", "forms.html#files"],
    ["change the button text", "elements.html#languages"],
    ["audit log", "journal.html"],
    ["kubernetes", "guide/deploying.html#a-service"],
    ["start a run from code", "api.html#start-and-follow-a-run"],
    ["dynamic choices", "forms.html#choices-from-data"],
    ["show progress", "questions.html#how-many-questions-are-left"],
    ["background job", "schedules.html"],
    ["event stream", "guide/server.html#over-http"],
    ["node version", "start.html#1-install"],
    ["cache api response", "control-flow.html#cache-results-across-runs"],
    ["compare two runs", "time-travel.html#forks"],
    ["rollback", "control-flow.html#compensation"],
    ["rename a run", "runs.html#name-a-run"],
    ["repeat for each item", "control-flow.html#loop-over-items"],
    ["error handling", "control-flow.html#branches"],
    ["two tabs open", "browser.html#several-tabs-on-one-run"],
    ["logging", "monitoring.html"],
    ["storage full", "guide/offline-forms.html#not-enough-room"],
    ["prefill answers", "questions.html#what-a-page-reads"],
    ["stop the agent", "runs.html#stop-a-run-for-now"],
    ["move from indexeddb to postgres", "moving.html#moving-between-stores"],
    ["backup", "guide/deploying.html#backups"],
    ["compare two fields", "forms.html#conditional-questions"],
    ["money field", "forms.html#money"],
    ["maximum size of an answer", "limits.html"],
    ["show previous answers", "time-travel.html#the-review-page"],
    ["server is down", "guide/server.html#in-the-page"],
    ["time zone", "schedules.html"],
    ["clone a run", "time-travel.html#forks"],
    ["read a csv file", "files.html"],
    ["stream tokens", "ai.html#one-question-llm"],
    ["cost limit", "ai.html#one-question-llm"],
    ["autocomplete in the editor", "registry.html#checks-while-you-type"],
    ["resume a failed run", "concepts.html#what-happens-on-a-crash"],
    ["web component", "elements.html"],
    ["send a file to the server", "forms.html#files"],
    ["edit a running workflow", "definitions.html"],
    ["anonymous users", "guide/server.html#who-may-do-what"],
    ["one run per order", "runs.html#name-a-run"],
    ["concurrent edits", "browser.html#several-tabs-on-one-run"],
    ["multi tenant", "scale.html"],
    ["draw the graph", "registry.html#graphs"],
    ["approve a tool call", "ai.html#tools"],
    ["css variables", "guide/theming.html"],
  ])("finds %s first where it is explained", (query, address) => {
    expect(firstFor(query)).toBe(address);
  });

  test("finds names, by their parts and beginnings too", () => {
    expect(firstFor("saveDraft")).toBe("api/wavepoint.html#Run.saveDraft");
    expect(firstFor("savedraft")).toBe("api/wavepoint.html#Run.saveDraft");
    expect(search(index, "save dra").map(({ address }) => address)).toContain("api/wavepoint.html#Run.saveDraft");
    expect(firstFor("styl")).toBe("guide/theming.html");
    expect(search(index, "zzzyxx")).toEqual([]);
  });

  test("every place that has words of its own is there, and the index stays small", () => {
    const places = new Map(pages.map(([path, html]) => [path, idsOf(html)]));
    const missing = Object.keys(KEYWORDS).filter((place) => {
      const [path = "", anchor] = place.split("#");
      return !places.has(path) || (anchor !== undefined && !places.get(path)!.has(anchor));
    });
    expect(missing).toEqual([]);
    expect(files.get("search.json")!.length).toBeLessThan(600_000);
  });
});

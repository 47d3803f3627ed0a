import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BUDGETS, REMOTE_BUDGET, WORKER_BUDGET } from "../../scripts/size/budgets.mjs";

const whole = Math.round;
const ownMarkup = BUDGETS["own markup, definition in code"];
const ownMarkupYaml = BUDGETS["own markup, YAML read in the page"];
const elements = BUDGETS["elements, definition in code"];
const elementsYaml = BUDGETS["elements, YAML read in the page"];
const engine = whole(ownMarkup.kilobytes);
const withElements = whole(elements.kilobytes);

const row = (what: string, { kilobytes, requests }: { readonly kilobytes: number; readonly requests: number }) =>
  `| ${what} | ${whole(kilobytes)} kB | ${requests} |`;

// `npm run size` fails above the budgets, so what the documents say of them is what was measured.
test.each([
  ["docs/performance.md", row("own markup, workflow in code", ownMarkup)],
  ["docs/performance.md", row("own markup, YAML read in the page", ownMarkupYaml)],
  ["docs/performance.md", row("elements, workflow in code", elements)],
  ["docs/performance.md", row("elements, YAML read in the page", elementsYaml)],
  ["docs/performance.md", row("executor in a worker, the page", WORKER_BUDGET)],
  ["docs/performance.md", row("runs on a server, the page", REMOTE_BUDGET)],
  ["README.md", `| a page loads, minified and gzipped | ${engine} kB |`],
  ["docs/why.md", `${withElements} kB for the engine with its elements`],
  ["docs/why.md", `A page loads ${engine} kB for the engine and a store`],
  ["docs/design.md", `They are ${engine} kB`],
  ["docs/elements.md", `They add ${whole(elements.kilobytes - ownMarkup.kilobytes)} kB`],
  ["docs/worker.md", `The page loads ${whole(WORKER_BUDGET.kilobytes)} kB instead of the engine`],
  ["docs/guide/embedding.md", `The reader of YAML adds ${whole(ownMarkupYaml.kilobytes - ownMarkup.kilobytes)} kB`],
])("%s names the size that is measured: %s", (path, said) => {
  expect(readFileSync(path, "utf8").replaceAll(/\s+/g, " ")).toContain(said);
});

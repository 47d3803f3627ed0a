import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";
import { examplesIn } from "./documents.ts";

test.each([
  ["tsx", ["react/hello/main.tsx", "react/wizard/wizard.tsx"]],
  ["vue", ["vue/hello/hello.vue", "vue/wizard/wizard.vue"]],
  ["svelte", ["svelte/hello/hello.svelte", "svelte/wizard/wizard.svelte"]],
])("what the guide shows in %s is the tested example", (language, files) => {
  const shown = examplesIn(language).filter(({ place }) => place.startsWith("docs/frameworks.md"));
  expect(shown.map(({ text }) => text)).toEqual(files.map((file) => readFileSync(`${ROOT}examples/${file}`, "utf8")));
});

test("the table of recipes names files that export what it says", () => {
  const guide = readFileSync(`${ROOT}docs/recipes.md`, "utf8");
  const rows = [...guide.matchAll(/\(\.\.\/(examples\/recipes\/[^)]+)\) +\|[^|]+\| `(render\w+)`/g)];
  expect(rows).toHaveLength(3);
  for (const [, file, name] of rows) expect(readFileSync(`${ROOT}${file}`, "utf8")).toContain(`export function ${name}(`);
});

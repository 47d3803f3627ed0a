import "../support/expect-lit-in-dev-mode.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listPublicEntries } from "./public-entries.ts";
import { ROOT } from "./source-files.ts";

// The names that users may import. After a change on purpose: UPDATE_EXPORTS=1 npx vitest run --project node test/package/exports
const LIST = `${ROOT}test/package/exports.json`;

const entries = listPublicEntries();

async function readNames(): Promise<Record<string, readonly string[]>> {
  const modules = entries.map(async ({ name }) => {
    const module = (await import(/* @vite-ignore */ name)) as object;
    return [name, Object.keys(module).toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(modules));
}

test("each public entry exports exactly the names on the list", async () => {
  const names = await readNames();
  if (process.env.UPDATE_EXPORTS !== undefined) writeFileSync(LIST, `${JSON.stringify(names, null, 2)}\n`);
  expect(names).toEqual(JSON.parse(readFileSync(LIST, "utf8")));
});

test("the list holds every entry, and no entry is empty", () => {
  const list = JSON.parse(readFileSync(LIST, "utf8")) as Record<string, readonly string[]>;
  expect(entries.length).toBeGreaterThan(4);
  expect(Object.keys(list).toSorted()).toEqual(entries.map(({ name }) => name).toSorted());
  for (const [name, names] of Object.entries(list)) expect(names.length, name).toBeGreaterThan(0);
});

test("no entry has a default export", async () => {
  expect(Object.values(await readNames()).flat()).not.toContain("default");
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openOwnWorkflows } from "../../../demo/own-workflows.ts";

const KEY = "wavepoint-demo:own-workflows";

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test("what was kept is there after a reload, until it is taken away", () => {
  const own = openOwnWorkflows();
  expect(own.keep("tea", "name: tea")).toBe(true);
  own.keep("tea", "name: tea # better");
  own.keep("rum", "name: rum");
  own.remove("rum");
  expect([...openOwnWorkflows().sources]).toEqual([["tea", "name: tea # better"]]);
});

test("listeners hear of changes of this page and of another tab", () => {
  const own = openOwnWorkflows();
  const seen: string[][] = [];
  const end = own.subscribe(() => seen.push([...own.sources.keys()]));
  own.keep("tea", "name: tea");
  localStorage.setItem(KEY, JSON.stringify([["rum", "name: rum"]]));
  dispatchEvent(new StorageEvent("storage", { key: KEY }));
  end();
  own.remove("rum");
  expect(seen).toEqual([["tea"], ["rum"]]);
});

test("what this page never wrote counts as nothing", () => {
  for (const text of ["no json", '{"tea":1}', '[["tea"],["rum",5],7,["gin","name: gin"]]']) {
    localStorage.setItem(KEY, text);
    expect([...openOwnWorkflows().sources.keys()]).toEqual(text.startsWith("[[") ? ["gin"] : []);
  }
});

test("without room the text lives as long as the page, and that is said", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  const own = openOwnWorkflows();
  expect(own.keep("tea", "name: tea")).toBe(false);
  expect(own.sources.get("tea")).toBe("name: tea");
});

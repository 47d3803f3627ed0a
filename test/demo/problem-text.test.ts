import { expect, test } from "vitest";
import { problemText } from "../../demo/problem-text.ts";

test.each([
  "Failed to fetch dynamically imported module: https://example.org/a.js",
  "error loading dynamically imported module: https://example.org/a.js",
  "Importing a module script failed.",
])("a part that cannot be loaded is said with what to do: %s", (message) => {
  const missing = new TypeError(message);
  expect(problemText(missing)).toMatch(/^A part of this page could not be loaded\. Connect to the network/);
  expect(problemText(new Error("The database refused.", { cause: missing }))).toBe(problemText(missing));
});

test.each([
  [new TypeError("x is undefined"), "x is undefined"],
  [new Error("No room."), "No room."],
  ["odd", "odd"],
])("anything else is said as it is: %s", (thrown, text) => {
  expect(problemText(thrown)).toBe(text);
});

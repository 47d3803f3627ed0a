import { describe, expect, test } from "vitest";
import type { JsonSchema, ReviewItem } from "wavepoint";
import { answerSchemaAt } from "../../../src/browser/elements/run-history.ts";

const asked = (path: readonly string[], schema: JsonSchema, more: Partial<ReviewItem> = {}): ReviewItem => ({
  block: path[0]!,
  path,
  type: "Ask",
  status: "answered",
  prompt: "?",
  schema,
  ...more,
});
const days: JsonSchema = { title: "days" };
const town: JsonSchema = { title: "town" };
const form: JsonSchema = {
  properties: { days: { items: days }, people: { items: { properties: { "the town": town } } } },
};
const items = [
  asked(["plan"], { title: "first" }),
  asked(["plan"], { title: "second" }),
  asked(["call", "form"], form),
  asked(["each[1]"], { title: "item" }),
  asked(["each"], { items: { title: "member" } }),
];

describe("what was asked at a place of a difference", () => {
  test.each<[string, JsonSchema]>([
    ["plan", { title: "first" }],
    ["plan#2", { title: "second" }],
    ["call/form", form],
    ["call/form.days[12]", days],
    ['call/form.people[0]["the town"]', town],
    ["each[1]", { title: "item" }],
    ["each[2]", { title: "member" }],
  ])("%s is found", (place, schema) => {
    expect(answerSchemaAt(items, place)).toEqual(schema);
  });

  test.each(["plans", "plan#3", "call/form.constructor", "call/form.days.x", "call/form[0]", ""])(
    "%s, of which nothing is known, is anything",
    (place) => {
      expect(answerSchemaAt(items, place)).toEqual({});
    },
  );
});

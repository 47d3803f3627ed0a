import { expect, test } from "vitest";
import { fitAnswer } from "../../../src/node/cli/fit-answer.ts";
import type { JsonSchema, Value } from "wavepoint";

const cases: readonly (readonly [Value, JsonSchema, Value])[] = [
  ["yes", { type: "string" }, "yes"],
  ["4", { type: ["string", "integer"] }, "4"],
  [4, { type: ["string", "integer"] }, 4],
  [4, { type: "string" }, "4"],
  [true, { type: "string" }, "true"],
  ["4", { type: "integer" }, 4],
  ["false", { type: "boolean" }, false],
  ['{"a": [1]}', { type: "object" }, { a: [1] }],
  ["not json", { type: "object" }, "not json"],
  [["a"], { type: "string" }, ["a"]],
  [4, {}, 4],
];

test.each(cases)("%j for %j is taken as %j", (answer, schema, taken) => {
  expect(fitAnswer(answer, schema)).toEqual(taken);
});

test("a file that is not there is named in words", () => {
  expect(() => fitAnswer("nowhere.pdf", { type: "object", format: "file" })).toThrow(
    'The file "nowhere.pdf" cannot be given as an answer: there is none of this name.',
  );
});

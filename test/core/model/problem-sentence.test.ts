import { describe, expect, test } from "vitest";
import { checkJson } from "../../../src/core/model/check-json.ts";
import type { JsonSchema } from "../../../src/core/model/json-schema.ts";
import { sentenceOf } from "../../../src/core/model/value-problem.ts";
import { readySchema } from "../../../src/core/expression/ready-schema.ts";

describe("what is wrong with an answer is said to people as what to do", () => {
  test.each<[JsonSchema, unknown, string]>([
    [{ type: "string", minLength: 1 }, "", "Enter an answer."],
    [{ type: "object", properties: { name: {} }, required: ["name"] }, {}, "Enter an answer."],
    [{ type: "string" }, 1, "Enter a text."],
    [{ type: "integer" }, 1.5, "Enter a whole number."],
    [{ type: ["number", "null"] }, "x", "Enter a number."],
    [{ type: "boolean" }, "x", "Enter a yes or a no."],
    [{ type: "array" }, 1, "Enter a list."],
    [{ type: "object" }, 1, "Enter a group of answers."],
    [{ enum: ["Larch", "Oak"] }, "Elm", "Choose one of: Larch, Oak."],
    [{ oneOf: [{ const: 1, title: "By rail" }, { const: 2 }] }, 3, "Choose one of: By rail, 2."],
    [{ const: true }, false, "Agree to this."],
    [{ const: "yes" }, "no", "Enter yes."],
    [{ type: "string", minLength: 3 }, "a", "Enter at least 3 characters."],
    [{ type: "string", maxLength: 1 }, "ab", "Enter at most 1 character."],
    [{ type: "string", pattern: "^[0-9]+$" }, "ab", "Check how this is written."],
    [{ type: "number", maximum: 4 }, 9, "Enter 4 or less."],
    [{ type: "number", exclusiveMinimum: 4 }, 4, "Enter more than 4."],
    [{ type: "array", minItems: 1, maxItems: 6 }, [], "Enter at least 1 and at most 6 items."],
    [{ type: "array", uniqueItems: true }, [1, 1], "Enter nothing twice."],
    [{ type: "object", additionalProperties: false }, { x: 1 }, "Leave this out: it is not asked for."],
    [{ type: "string", format: "date" }, "27 3 2026", "Enter a day, written as 2026-11-21."],
    [{ type: "string", format: "email" }, "ada", "Enter an e-mail address, such as ada@example.com."],
    [{ type: "string", minDate: "2026-11-21" }, "2026-11-20", "Enter 2026-11-21 or later."],
    [{ type: "string", maxDate: "2026-11-21" }, "2026-11-22", "Enter 2026-11-21 or earlier."],
    [{ type: "object", format: "file" }, {}, "Enter a file: { name, type, size, bytes }, its bytes as a Uint8Array of that size."],
    [
      { type: "string", minLength: 1, messages: { required: { en: "Your name, please.", de: "Ihr Name, bitte." } } },
      "",
      "Your name, please.",
    ],
  ])("%j, %j", async (schema, value, sentence) => {
    const { problems } = (await readySchema(schema)).check(value, { formats: true, now: 0 });
    expect(problems.map(sentenceOf)).toEqual([sentence]);
  });

  test("in the words of a block where it says so itself", () => {
    const [problem] = checkJson({ type: "number" }, "x");
    expect(sentenceOf({ ...problem!, code: "invalid", message: "is taken" })).toBe("Is taken.");
    expect(sentenceOf({ ...problem!, code: "invalid", message: "Choose another name." })).toBe("Choose another name.");
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askChoiceBlock, matchChoice } from "../../../src/core/blocks/ask-choice.ts";
import { answerBlock, askBlock, runBlock, schemaOf } from "./block-stage.ts";

const inputs = { question: "Which environment?", choices: ["development", "staging", "production"] };

describe("AskChoice", () => {
  test("asks in the author's words, with a schema that carries the choices", async () => {
    const { prompt, schema, metadata } = await askBlock(askChoiceBlock, inputs);
    expect(prompt).toBe("Which environment?");
    expect(schema).toEqual({
      type: "string",
      oneOf: [
        { const: "development", title: "development" },
        { const: "staging", title: "staging" },
        { const: "production", title: "production" },
      ],
    });
    expect(metadata).toEqual({ kind: "choice", choices: inputs.choices });
  });

  test.each([
    ["1", 0],
    [" 3 ", 2],
    [2, 1],
    ["+2", 1],
    ["Staging", 1],
    ["Let us use PRODUCTION, thanks", 2],
    ["staging.", 1],
    ["(development)", 0],
  ])("takes %j", async (response, index) => {
    expect(await answerBlock(askChoiceBlock, inputs, response)).toEqual({ choice: inputs.choices[index], choice_index: index });
  });

  test.each([
    "the moon",
    "0",
    "4",
    "-1",
    4,
    1.5,
    "",
    "preproduction",
    "productions",
    "staging2",
    "staging_2",
    "stagingé",
    null,
    {},
    ["staging"],
  ])("refuses %j and says what it takes", async (response) => {
    expect(await answerBlock(askChoiceBlock, inputs, response)).toMatch(/^Invalid choice: .*from 1 to 3\.$/);
  });

  test("names the choices that an answer could mean", async () => {
    expect(await answerBlock(askChoiceBlock, { question: "?", choices: ["red", "tan"] }, "red or tan")).toMatch(
      /^Invalid choice: red or tan\. It fits several choices: red, tan\./,
    );
  });

  test.each([
    [{ question: "?", choices: [] }, "choices must have at least 1 and at most 1000 items"],
    [{ question: "?", choices: ["a", 1] }, "choices[1] must be a string"],
    [{ question: "?", choices: ["a", ""] }, "choices[1] must not be empty"],
    [{ question: "?" }, "choices is required"],
    [{ choices: ["a"] }, "question is required"],
    [
      { question: "?", choices: ["a"], multiple: true },
      "multiple is not known here; known are: question, choices, messages, title, sensitive, prefill",
    ],
  ])("refuses the inputs %j", async (given, problem) => {
    expect(await runBlock(askChoiceBlock, given)).toContain(problem);
  });

  test("refuses a choice that is given twice, at load and when it runs", async () => {
    const given = { question: "?", choices: ["a", "b", "a"] };
    const message = 'The choice "a" is given twice. Make all choices different.';
    expect(askChoiceBlock.checkInputs!(given, given)).toEqual([{ input: "choices", code: "BLOCK_INPUT_INVALID", message }]);
    expect(await runBlock(askChoiceBlock, given)).toEqual({ status: "failure", error: { code: "BLOCK_INPUT_INVALID", message } });
    expect(askChoiceBlock.checkInputs!({}, {})).toEqual([]);
  });
});

describe("the meaning of an answer", () => {
  test.each([
    ["an exact choice before one it contains", "production", ["prod", "production"], 1],
    ["the longest of several that stand in it", "please use New York City", ["York", "New York City", "New York"], 1],
    ["a number before a choice that looks like one", "2", ["2", "1"], 1],
    ["a choice that looks like a number with a fraction", "1.5", ["1.5", "2.5"], 0],
    ["the exact case before another case", "US", ["us", "US"], 1],
    ["the same letters in another encoding", "cafe\u0301", ["café", "tea"], 0],
    ["words of any script", "я выбираю чай!", ["чай", "кофе"], 0],
    ["choices made of signs", "I take C++ today", ["C#", "C++"], 1],
    ["a choice with blanks around it", "b", ["a", " b "], 1],
  ])("is %s", (_, answer, choices, index) => {
    expect(matchChoice(answer, choices)).toEqual({ index });
  });

  test.each([
    ["a number out of range, even if it stands in a choice", "5", ["step 5", "5"], []],
    ["a part of a word", "cartwheel", ["car", "art"], []],
    ["two choices that differ in case only", "Us", ["us", "US"], ["us", "US"]],
    ["two of equal length", "tea or ale", ["tea", "ale"], ["tea", "ale"]],
    ["a long text around a choice", `tea ${"x".repeat(2_000)}`, ["tea"], []],
    ["letters beyond the basic plane next to it", "tea𝒜", ["tea"], []],
  ])("is not decided by %s", (_, answer, choices, candidates) => {
    expect(matchChoice(answer, choices)).toEqual({ candidates });
  });

  test("is found for any answer and any choices, without an error", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.uniqueArray(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1 }),
        (answer, choices) => {
          const match = matchChoice(answer, choices);
          const meant = match.index === undefined ? match.candidates : [choices[match.index]];
          expect(choices).toEqual(expect.arrayContaining([...meant]));
        },
      ),
    );
  });

  test("is always the choice itself where the answer is one", () => {
    const choice = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/^\s*[+-]?\d+\s*$/.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(choice, { minLength: 1 }), fc.nat(), (choices, at) => {
        const index = at % choices.length;
        expect(matchChoice(choices[index]!, choices)).toEqual({ index });
      }),
    );
  });

  test("is found in a crowd of choices that nearly fit", () => {
    const choices = Array.from({ length: 1_000 }, (_, index) => `${"a".repeat(190)}${index}`);
    expect(matchChoice("a".repeat(1_000), choices)).toEqual({ candidates: [] });
  });
});

describe("choices from data", () => {
  const boats = [
    { id: 7, name: "Kestrel", at: { town: "Hove" } },
    { id: 9, name: "Petrel", at: { town: "Rye" } },
  ];
  const ask = (choices: unknown, response: unknown) => answerBlock(askChoiceBlock, { question: "Which?", choices }, response);

  test("people see titles, and the run gets the values", async () => {
    const choices = { from: boats, value: "id", title: "name" };
    expect(schemaOf(await askBlock(askChoiceBlock, { question: "Which?", choices })).oneOf).toEqual([
      { const: "Kestrel", title: "Kestrel" },
      { const: "Petrel", title: "Petrel" },
    ]);
    expect(await ask(choices, "petrel")).toEqual({ choice: "Petrel", choice_index: 1, value: 9 });
    expect(await ask(choices, 1)).toEqual({ choice: "Kestrel", choice_index: 0, value: 7 });
    expect(await ask({ from: boats, value: "at.town" }, "Rye")).toEqual({ choice: "Rye", choice_index: 1 });
    expect(await ask({ from: ["a", "b"] }, "b")).toEqual({ choice: "b", choice_index: 1 });
    expect(await ask({ from: boats, title: "name" }, "Petrel")).toEqual({ choice: "Petrel", choice_index: 1, value: boats[1] });
  });

  test("a choice may be written with its value, beside others", async () => {
    const choices = [{ value: null, title: "None" }, { value: 2 }, "Other"];
    expect(await ask(choices, "none")).toEqual({ choice: "None", choice_index: 0, value: null });
    expect(await ask(choices, 2)).toEqual({ choice: "2", choice_index: 1, value: 2 });
    expect(await ask(choices, "Other")).toEqual({ choice: "Other", choice_index: 2, value: "Other" });
  });

  test.each<[string, unknown, string]>([
    ["a member that is not there", { from: boats, value: "idd" }, "REFERENCE_UNKNOWN"],
    ["an inherited one", { from: boats, value: "toString" }, "REFERENCE_UNKNOWN"],
    ["a forbidden one", { from: boats, value: "constructor" }, "REFERENCE_FORBIDDEN"],
    ["two of one title", { from: [...boats, { id: 1, name: "Petrel" }], value: "id", title: "name" }, "BLOCK_INPUT_INVALID"],
    ["nothing to choose from", { from: [] }, "BLOCK_INPUT_INVALID"],
    ["an empty title", { from: [{ id: 1, name: "" }], value: "id", title: "name" }, "BLOCK_INPUT_INVALID"],
    ["too many", { from: Array.from({ length: 1_001 }, (_, i) => i) }, "BLOCK_INPUT_INVALID"],
  ])("%s is an error", async (_, choices, code) => {
    expect(await runBlock(askChoiceBlock, { question: "Which?", choices })).toMatchObject({ status: "failure", error: { code } });
  });

  test("another form is refused", async () => {
    expect(await runBlock(askChoiceBlock, { question: "Which?", choices: { form: boats } })).toContain("from");
    expect(await runBlock(askChoiceBlock, { question: "Which?", choices: [{ title: "a" }] })).toContain("value");
  });
});

import { describe, expect, test } from "vitest";
import { type JsonSchema, pickText } from "wavepoint";
import { checkJson } from "../../../src/core/model/check-json.ts";
import { checkJsonSchema } from "../../../src/core/model/check-json-schema.ts";
import { localizeSchema } from "../../../src/core/model/localize-schema.ts";

describe("a text in several languages", () => {
  const texts = { en: "Name", de: "Name (de)", "pt-BR": "Nome", "zh-Hant-TW": "姓名" };

  test.each([
    ["de", "Name (de)"],
    ["DE-at", "Name (de)"],
    ["pt", "Nome"],
    ["pt-PT", "Nome"],
    ["zh-Hant-TW", "姓名"],
    ["zh", "姓名"],
    ["fr", "Name"],
    [undefined, "Name"],
    ["", "Name"],
  ])("for %s", (language, text) => {
    expect(pickText(texts, language)).toBe(text);
  });

  test("without English falls back to the first by its tag, in whichever order they stand", () => {
    expect(pickText({ fr: "Nom", de: "Name" }, "it")).toBe("Name");
    expect(pickText({ de: "Name", fr: "Nom" }, "it")).toBe("Name");
  });

  test("that is one for all is given as it is", () => {
    expect(pickText("Name", "de")).toBe("Name");
  });
});

describe("a schema with texts for people", () => {
  const schema: JsonSchema = {
    type: "object",
    title: { en: "Claim", de: "Schaden" },
    properties: {
      kind: { description: { en: "Which?", de: "Welche?" }, oneOf: [{ const: 1, title: { en: "One", de: "Eins" } }], showIf: "true" },
      parts: { type: "array", items: { title: { en: "Part", de: "Teil" }, messages: { type: { en: "No.", de: "Nein." } } } },
    },
    rules: [{ check: "${fields.kind} == 1", message: { en: "Take one.", de: "Nehmen Sie eins." } }],
  };

  test("takes them in several languages", () => {
    expect(checkJsonSchema(schema)).toEqual([]);
  });

  test("is shown in one", () => {
    expect(localizeSchema(schema, "de")).toEqual({
      type: "object",
      title: "Schaden",
      properties: {
        kind: { description: "Welche?", oneOf: [{ const: 1, title: "Eins" }], showIf: "true" },
        parts: { type: "array", items: { title: "Teil", messages: { type: "Nein." } } },
      },
      rules: [{ check: "${fields.kind} == 1", message: "Nehmen Sie eins." }],
    });
  });

  test.each<[string, unknown, string]>([
    ["a language that is none", { title: { "": "x" } }, '"title"'],
    ["no language", { title: {} }, '"title"'],
    ["no text", { description: { en: 1 } }, '"description"'],
    ["an empty condition", { showIf: "" }, '"showIf"'],
    ["a rule without its message", { rules: [{ check: "true" }] }, '"rules"'],
    ["a rule with more", { rules: [{ check: "true", message: "x", when: "y" }] }, '"rules"'],
    ["too many rules", { rules: Array.from({ length: 101 }, () => ({ check: "true", message: "x" })) }, '"rules"'],
    ["a message for no keyword", { messages: { requierd: "x" } }, '"messages"'],
  ])("is refused with %s", (_, wrong, place) => {
    const problems = checkJsonSchema({ type: "object", properties: { a: wrong } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`the schema.properties.a has a ${place}`);
  });
});

describe("messages of your own", () => {
  const name = { type: "string", minLength: 1, messages: { required: { en: "Enter your name.", de: "Wie heißen Sie?" } } } as const;
  const schema: JsonSchema = {
    type: "object",
    properties: { name, age: { minimum: 18, messages: { minimum: "Adults only." } } },
    required: ["name"],
  };

  test("stand in the place of those for keywords, in all languages", () => {
    expect(checkJson(schema, { age: 9 })).toEqual([
      { path: "name", instancePath: "/name", code: "required", message: "Enter your name.", text: name.messages.required },
      { path: "age", instancePath: "/age", code: "minimum", message: "Adults only.", text: "Adults only.", params: { limit: 18 } },
    ]);
  });

  test("for what is required say so of an empty text too", () => {
    expect(checkJson(schema, { name: "" })).toMatchObject([{ code: "minLength", message: "Enter your name." }]);
  });
});

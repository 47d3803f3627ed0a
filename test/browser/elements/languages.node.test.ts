import "../../support/expect-lit-in-dev-mode.ts";
import { describe, expect, test } from "vitest";
import { en, type Translation } from "wavepoint/elements";
import { ar } from "wavepoint/elements/ar";
import { de } from "wavepoint/elements/de";
import { es } from "wavepoint/elements/es";
import { fr } from "wavepoint/elements/fr";
import { checkJson } from "../../../src/core/model/check-json.ts";
import type { JsonSchema } from "../../../src/core/model/json-schema.ts";
import type { FieldError } from "../../../src/core/model/value-problem.ts";
import { fieldError } from "../../../src/browser/elements/field-errors.ts";
import type { Locale } from "../../../src/browser/elements/locale.ts";
import { localizeSchema, type ShownSchema } from "../../../src/core/model/localize-schema.ts";
import type { NamedField } from "../../../src/browser/elements/field-error-texts.ts";
import { wordsOf } from "../../../src/browser/elements/wizard-messages.ts";

const CODES = [
  "RESPONSE_REQUIRED",
  "PAUSE_ALREADY_ANSWERED",
  "PAUSE_TIMEOUT",
  "RUN_ENDED",
  "RUN_NOT_FOUND",
  "STORE_QUOTA",
  "STORE_CONFLICT",
] as const;
const WRONG = [
  { code: "required" },
  { code: "type", params: { type: "integer" } },
  { code: "type", params: { type: "object" } },
  { code: "format", params: { format: "email" } },
  { code: "format", params: { format: "time" } },
  { code: "pattern" },
  { code: "enum", params: { enum: ["a"] } },
  { code: "const", params: { const: true } },
  { code: "const", params: { const: 1 } },
  ...["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"].map(
    (code) => ({
      code,
      params: { limit: 2 },
    }),
  ),
  { code: "minDate", params: { limit: "2 January" } },
  { code: "maxDate", params: { limit: "2 January" } },
  { code: "uniqueItems" },
  { code: "exclusive", params: { exclusive: "none" } },
  { code: "contentMediaType", params: { contentMediaType: "image/png" } },
  { code: "additionalProperties" },
  { code: "json" },
];

const LOCALE: Locale = { tag: "en-GB", number: String, instant: String, time: String };
const NAME: NamedField = { label: "Name", schema: { type: "string" }, locale: LOCALE };
const MISSING = { instancePath: "", code: "required", message: "is required" };

describe.each([ar, de, es, fr].map((messages) => [messages.lang, messages] as const))("%s", (_, messages: Translation) => {
  test("says in its own words what is wrong with a field, and what people see of other errors", () => {
    for (const { code, params } of WRONG) {
      for (const label of ["", "100 % @ #"]) {
        const text = messages.fieldError({ instancePath: "", code, message: "English", ...(params ? { params } : {}) }, { ...NAME, label });
        expect(text.replace(label, ""), code).not.toMatch(/English|undefined|NaN|[#%]/);
        expect(text, code).toMatch(/^\p{Lu}.*\.$|^\p{Script=Arabic}.*\.$/u);
        expect(text, code).toContain(label);
      }
    }
    for (const code of CODES) expect(messages.error({ code, message: "English" }), code).not.toBe("English");
    expect(messages.fieldError({ instancePath: "", code: "invalid", message: "As the block says" }, NAME)).toBe("As the block says.");
    expect(messages.fieldError({ instancePath: "", code: "invalid", message: "is taken." }, NAME)).toBe("Name: is taken.");
  });

  test("takes over none of the English texts", () => {
    const english = new Map<string, unknown>(Object.entries(wordsOf(en)));
    const same = Object.entries(messages).filter(([name, text]) => typeof text === "string" && text === english.get(name));
    // No is no in Spanish too.
    expect(same.filter(([name]) => name !== "no")).toEqual([]);
  });
});

test("English names no types, patterns or lists of values either", () => {
  const technical = /\b(array|object|boolean|integer|string|pattern|regex)\b|\d{4}-\d\d|\^|one of: /i;
  const schemas: readonly [JsonSchema, unknown][] = [
    [{ type: "array" }, 1],
    [{ type: "object" }, 1],
    [{ type: "boolean" }, 1],
    [{ type: "integer" }, 1.5],
    [{ type: "string" }, 1],
    [{ type: "string", pattern: "^[A-Z]$" }, "a"],
    [{ type: "string", format: "date" }, "1.2.3"],
    [{ type: "string", format: "date-time" }, "noon"],
    [{ enum: ["a", "b"] }, "c"],
    [{ oneOf: [{ const: 1, title: "One" }] }, 2],
    [{ const: true }, false],
  ];
  for (const [schema, value] of schemas) {
    const [error] = checkJson(schema, value, { formats: true });
    expect(fieldError(error!, { ...NAME, schema: localizeSchema(schema) }), JSON.stringify(schema)).not.toMatch(technical);
  }
});

test("what is missing is said as what to do, with the field named as far as its title allows", () => {
  const inEnglish = (label: string, schema: ShownSchema): string => fieldError(MISSING, { label, schema, locale: LOCALE });
  const [text, date]: readonly ShownSchema[] = [{ type: "string" }, { type: "string", format: "date" }];
  expect(inEnglish("Your name", text!)).toBe("Enter your name.");
  expect(inEnglish("Name", text!)).toBe("Enter an answer for “Name”.");
  expect(inEnglish("", text!)).toBe("Enter an answer.");
  expect(inEnglish("Your birthday", date!)).toBe("Enter your birthday, like 27/03/2026.");
  expect(inEnglish("Colour", { enum: ["red"] })).toBe("Choose an answer for “Colour”.");
  expect(inEnglish("The crew", { enum: ["kind"] })).toBe("Choose an answer for “The crew”.");
  expect(inEnglish("Price", { type: "number" })).toBe("Enter a number for “Price”, like 1234.5.");
  expect(inEnglish("Height in cm", { type: "number", minimum: 50, maximum: 272 })).toBe("Enter a number for “Height in cm”, like 161.5.");
  expect(inEnglish("Your IBAN", text!)).toBe("Enter an answer for “Your IBAN”.");
  expect(inEnglish("All of this is true.", { const: true })).toBe("Tick the box for “All of this is true”.");
  expect(
    [de, fr, es, ar].map((messages) =>
      messages.fieldError(MISSING, { label: "X", schema: date!, locale: { ...LOCALE, tag: messages.lang } }),
    ),
  ).toEqual([
    "Geben Sie bei „X“ ein Datum ein, etwa 27.3.2026.",
    "Indiquez une date pour «\u00a0X\u00a0», par exemple 27/03/2026.",
    "Escriba una fecha en «X», por ejemplo 27/3/2026.",
    expect.stringMatching(/^اكتب تاريخًا في «\u2068X\u2069»، مثل .+\.$/),
  ]);
});

test("of files it says which are taken, of choices which one stands alone", () => {
  const wrong = (code: string, params: FieldError["params"]): FieldError => ({
    instancePath: "",
    code,
    message: "is wrong",
    params: params!,
  });
  const kind = wrong("contentMediaType", { contentMediaType: "image/*" });
  const file: ShownSchema = { type: "object", format: "file", contentMediaType: "image/*" };
  expect(fieldError(kind, { label: "Photo", schema: file, locale: LOCALE, kinds: "pictures" })).toBe(
    "Choose another kind of file for “Photo”: pictures.",
  );
  const choices: ShownSchema = { type: "array", items: { oneOf: [{ const: "a" }, { const: "none", title: "None of these" }] } };
  const both = wrong("exclusive", { exclusive: "none" });
  expect([en, de].map((messages) => wordsOf(messages).fieldError(both, { label: "Pets", schema: choices, locale: LOCALE }))).toEqual([
    "Choose either “None of these” or other answers for “Pets”.",
    "Wählen Sie bei „Pets“ entweder „None of these“ oder andere Antworten aus.",
  ]);
});

test("words go with their numbers in English too", () => {
  const limits = (code: string, schema: ShownSchema): readonly string[] =>
    [1, 2].map((limit) =>
      fieldError({ instancePath: "", code, message: "is wrong", params: { limit } }, { label: "", schema, locale: LOCALE }),
    );
  expect(limits("maxLength", { type: "string" })).toEqual(["Enter at most 1 character.", "Enter at most 2 characters."]);
  expect(limits("maxItems", { type: "array" })).toEqual(["Give at most 1 answer.", "Give at most 2 answers."]);
});

test("words go with their numbers: Arabic knows six forms", () => {
  expect([1, 2, 5, 11, 100].map((errors) => ar.problems(errors))).toEqual([
    "إجابة واحدة تحتاج إلى مراجعة",
    "إجابتان تحتاجان إلى مراجعة",
    "5 إجابات تحتاج إلى مراجعة",
    "11 إجابة تحتاج إلى مراجعة",
    "100 إجابة تحتاج إلى مراجعة",
  ]);
  expect([1, 2].map((errors) => fr.problems(errors))).toEqual(["Une réponse est à revoir", "2 réponses sont à revoir"]);
  expect([1, 2].map((limit) => de.fieldError({ instancePath: "", code: "maxItems", message: "", params: { limit } }, NAME))).toEqual([
    "Geben Sie bei „Name“ höchstens eine Antwort.",
    "Geben Sie bei „Name“ höchstens 2 Antworten.",
  ]);
});

test("how far it is, is said as far as it is known", () => {
  const all = [
    { answered: 0, remaining: { min: 3, max: 3 } },
    { answered: 1, remaining: { min: 1, max: 3 } },
    { answered: 1, remaining: { min: 2 } },
    { answered: 2, remaining: { min: 1, max: 1 } },
  ];
  expect(all.map((progress) => fr.progress(progress))).toEqual([
    "Question 1, puis encore 2 autres",
    "Question 2, puis jusqu’à 2 autres",
    "Question 2, puis au moins une autre",
    "Question 3, la dernière",
  ]);
  expect(all.map((progress) => es.progress(progress))).toEqual([
    "Pregunta 1; después, 2 más",
    "Pregunta 2; después, hasta 2 más",
    "Pregunta 2; después, al menos 1 más",
    "Pregunta 3, la última",
  ]);
});

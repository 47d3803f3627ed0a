import { expect, test } from "vitest";
import { createLocale } from "../../../src/browser/elements/locale.ts";
import { en } from "../../../src/browser/elements/messages.ts";
import { valueText } from "../../../src/browser/elements/value-text.ts";

const language = { messages: en, locale: createLocale("en") };

test("groups of a list stand apart where nothing says what they are", () => {
  const cars = [
    { reg: "AB 12", fuel: "petrol" },
    { reg: "CD 34", fuel: "gas" },
  ];
  expect(valueText({}, cars, language)).toBe("Reg: AB 12\nFuel: petrol\n\nReg: CD 34\nFuel: gas");
  expect(valueText({}, ["a", "b"], language)).toBe("a, b");
});

test("choices stand in a line each where one of them has a comma in it", () => {
  const items = { enum: ["Bicycles, 30 euros", "A boat"] };
  expect(valueText({ type: "array", items }, ["Bicycles, 30 euros", "A boat"], language)).toBe("Bicycles, 30 euros\nA boat");
});

test("a list is written with the comma of its language", () => {
  expect(valueText({}, ["a", "b"], { ...language, locale: createLocale("ar-EG") })).toBe("a، b");
});

import { click, keys, part, show, startAsking, textOf } from "../../support/page-elements.ts";
import { expect, test } from "vitest";
import type { JsonSchema } from "wavepoint";
import { de } from "wavepoint/elements/de";

const schema: JsonSchema = {
  type: "object",
  properties: {
    pet: { type: "string", title: "Pet", messages: { required: { en: "Say which pet.", de: "Nennen Sie das Tier." } }, minLength: 1 },
    dog: { type: "string", title: { en: "Dog's name", de: "Name des Hundes" }, minLength: 1, showIf: "${fields.pet} == 'dog'" },
    walks: { type: "string", title: "Walks", minLength: 1, showIf: "${fields.dog} != ''" },
  },
  required: ["pet", "dog", "walks"],
  layout: ["pet", "dog", "walks"],
  rules: [{ check: "${fields.walks} != ${fields.dog}", field: "walks", message: "A walk is no dog." }],
};

async function ask() {
  const { run } = await startAsking({ first: { prompt: "Who?", schema } });
  const element = show("wavepoint-prompt", { run });
  await expect.poll(() => part(element, "heading")).not.toBeNull();
  return { run, element, labels: () => [...element.querySelectorAll("[part=label]")].map(textOf) };
}

test("54: fields come and go while one types, keep what was typed, and are no part of the answer while they are gone", async () => {
  const { run, element, labels } = await ask();
  expect(labels()).toEqual(["Pet"]);
  await keys("{Tab}dog");
  await expect.poll(labels).toEqual(["Pet", "Dog's name"]);
  await keys("{Tab}Rex");
  await expect.poll(labels).toEqual(["Pet", "Dog's name", "Walks"]);
  await keys("{Tab}Rex{Shift>}{Tab}{Tab}{/Shift}{End}s");
  await expect.poll(labels).toEqual(["Pet"]);
  await keys("{Backspace}");
  await expect.poll(labels).toEqual(["Pet", "Dog's name", "Walks"]);
  expect([...element.querySelectorAll("input")].map(({ value }) => value)).toEqual(["dog", "Rex", "Rex"]);
  await keys("{Enter}");
  await expect.poll(() => element.textContent).toContain("A walk is no dog.");
  const walks = element.querySelectorAll("input")[2]!;
  walks.focus();
  await keys("{End}!");
  await expect.poll(() => element.textContent).not.toContain("A walk is no dog.");
  element.querySelector("input")!.focus();
  await keys("{End}gy{Enter}");
  await expect.poll(() => run.getSnapshot().status).toBe("completed");
  expect(run.getSnapshot().outputs?.["first"]).toEqual({ pet: "doggy" });
});

test("a mistake is shown until it is mended, or no longer asked", async () => {
  const { element } = await ask();
  const told = () => [...element.querySelectorAll("[part~=summary] a")].map(textOf);
  await keys("{Tab}dog{Enter}");
  await expect.poll(told).toEqual(["Enter an answer for “Dog's name”."]);
  // The field with the error goes.
  element.querySelector("input")!.focus();
  await keys("{End}s");
  await expect.poll(told).toEqual([]);
  expect(part(element, "summary")).toBeNull();
  await keys("{Backspace}");
  await expect.poll(told).toEqual(["Enter an answer for “Dog's name”."]);
  const name = element.querySelectorAll("input")[1]!;
  name.focus();
  await keys("R");
  await expect.poll(told).toEqual([]);
  expect(name.getAttribute("aria-invalid")).toBeNull();
  expect(document.activeElement).toBe(name);
  await keys("{Backspace}");
  await expect.poll(told).toEqual(["Enter an answer for “Dog's name”."]);
});

test("messages of the author are said in the language of the page", async () => {
  const { element } = await ask();
  element.lang = "de-AT";
  await keys("{Tab}{Enter}");
  await expect.poll(() => textOf(part(element, "error")!)).toBe("Nennen Sie das Tier.");
  expect(textOf(part(element, "summary")!)).toContain("Nennen Sie das Tier.");
});

test("the page's language may change in the middle of a form: what was typed and the focus stay", async () => {
  const title = { en: "Pet", de: "Tier" };
  const schema: JsonSchema = {
    type: "object",
    properties: { pet: { type: "string", title }, dog: { type: "string" } },
    required: ["pet"],
    layout: ["pet", { heading: { en: "More", de: "Mehr" } }, "dog"],
  };
  const { run } = await startAsking({ first: { prompt: "?", schema } });
  const element = show("wavepoint-prompt", { run });
  await expect.poll(() => part(element, "primary")).not.toBeNull();
  const input = element.querySelector("input")!;
  expect(textOf(part(element, "section"))).toBe("More");
  input.focus();
  await keys("Rex");
  element.lang = "de";
  element.messages = de;
  await expect.poll(() => textOf(part(element, "section"))).toBe("Mehr");
  expect(textOf(element.querySelector("label"))).toBe("Tier");
  expect(document.activeElement).toBe(input);
  await keys("i");
  expect(input.value).toBe("Rexi");
  await click(part(element, "primary")!);
  await expect.poll(() => run.getSnapshot().outputs?.["first"]).toEqual({ pet: "Rexi" });
});

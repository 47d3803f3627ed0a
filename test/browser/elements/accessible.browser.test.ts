import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, keys, openList, part, show, startAsking, textOf, type Asked } from "../../support/page-elements.ts";
import { afterEach, describe, expect, test } from "vitest";
import { en } from "wavepoint/elements";
import { de } from "wavepoint/elements/de";
import type { JsonSchema } from "wavepoint";

const everything: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, title: "Your name", description: "As it stands in your passport." },
    email: { type: "string", format: "email" },
    seats: { type: "integer", minimum: 1 },
    day: { type: "string", format: "date" },
    hour: { type: "string", format: "date-time" },
    about: { type: "string", format: "multiline" },
    code: { type: "string", format: "password" },
    wood: { enum: ["Larch", "Oak"] },
    plan: {
      oneOf: [
        { const: "team", title: "For a team", description: "Up to 9 people." },
        { const: "me", title: "For me" },
      ],
    },
    town: { enum: ["A", "B", "C", "D", "E", "F", "G"] },
    tools: { type: "array", items: { enum: ["Plane", "Saw"] } },
    member: { type: "boolean" },
    news: { type: "boolean", default: true },
    photo: { type: "object", format: "file" },
    people: { type: "array", minItems: 2, items: { type: "object", title: "Person", properties: { name: { type: "string" } } } },
    address: { type: "object", properties: { street: { type: "string" } }, required: ["street"] },
    rest: { type: "object" },
  },
  required: ["name", "email", "seats", "day", "wood", "town", "member", "people", "address"],
};
const questions: Asked = {
  first: { prompt: "Who comes?", title: "A seat", schema: everything, timeoutMs: 3_600_000 },
  last: { prompt: "All right?" },
};

afterEach(() => {
  document.documentElement.removeAttribute("style");
  document.documentElement.removeAttribute("dir");
  document.documentElement.removeAttribute("lang");
  document.body.removeAttribute("style");
});

describe.each([
  ["light", "ltr", en],
  ["dark", "rtl", de],
] as const)("in a %s page written %s", (scheme, direction, messages) => {
  async function begin() {
    document.documentElement.lang = messages.lang;
    document.documentElement.dir = direction;
    document.documentElement.style.colorScheme = scheme;
    document.body.style.background = "Canvas";
    const { run, executor } = await startAsking(questions);
    const element = show("wavepoint-run", { run, messages });
    await expect.poll(() => textOf(part(element, "heading"))).toBe("A seat");
    await expect.poll(() => part(element, "drop")).not.toBeNull();
    return { run, executor, element };
  }

  test("a form with every kind of field, as it is asked and with everything wrong", async () => {
    const { element } = await begin();
    await assertAccessible(element);
    await click(part(element, "primary")!);
    await expect.poll(() => document.activeElement?.getAttribute("part")).toBe("summary");
    expect(element.querySelectorAll("[part~=summary] li").length).toBeGreaterThan(4);
    await assertAccessible(element);
  });

  test("nothing that is pressed or chosen is smaller than 24 pixels", async () => {
    const { element } = await begin();
    const targets = [...element.querySelectorAll<HTMLElement>("button, [part~=option], [part~=control]")];
    expect(targets.length).toBeGreaterThan(20);
    for (const target of targets) expect(Math.min(target.offsetHeight, target.offsetWidth), target.outerHTML).toBeGreaterThanOrEqual(24);
  });

  test("waves and history", async () => {
    const { run, executor } = await begin();
    const waves = show("wavepoint-waves", { run, messages });
    await openList(waves);
    await expect.poll(() => waves.querySelectorAll("[part~=block]").length).toBe(2);
    await click(part(waves, "block-name")!);
    await expect.poll(() => part(waves, "panel")).not.toBeNull();
    await assertAccessible(waves);
    const history = show("wavepoint-history", { run, executor, messages });
    await expect.poll(() => part(history, "compare")).not.toBeNull();
    await assertAccessible(history);
  });
});

test("the texts are German where German is given, numbers and instants as the page says", async () => {
  document.documentElement.lang = "de";
  const { run } = await startAsking(questions);
  const element = show("wavepoint-run", { run, messages: de });
  await expect.poll(() => textOf(part(element, "deadline"))).toMatch(/^Bitte antworten Sie bis zum \d+\. /);
  expect(textOf(part(element, "progress-text"))).toBe("Frage 1, danach noch 1");
  expect(textOf(part(element, "add"))).toBe("Person 3 hinzufügen");
  await click(part(element, "primary")!);
  await expect.poll(() => textOf(element.querySelector("[part~=summary] a"))).toBe("Geben Sie bei „Your name“ etwas ein.");
});

test("a wording of your own takes the place of one text", async () => {
  const { run } = await startAsking(questions);
  const element = show("wavepoint-prompt", { run, messages: { ...en, send: "Next" } });
  await expect.poll(() => textOf(part(element, "primary"))).toBe("Next");
  expect(textOf(part(element, "add"))).toBe("Add Person 3");
});

test("in a comma country 1,5 is a number", async () => {
  document.documentElement.lang = "de";
  const { run } = await startAsking({ first: { prompt: "How long?", schema: { type: "number" } } });
  const element = show("wavepoint-prompt", { run });
  await expect.poll(() => element.querySelector("input")).not.toBeNull();
  await keys("{Tab}1,5{Enter}");
  await expect.poll(() => run.getSnapshot().outputs).toEqual({ first: 1.5 });
});

import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, keys, part, show, startAsking, textOf } from "../../support/page-elements.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { JsonSchema, Value } from "wavepoint";

async function ask(properties: { readonly [name: string]: JsonSchema }, more: Partial<JsonSchema> = {}) {
  const schema: JsonSchema = { type: "object", properties, required: Object.keys(properties), ...more };
  const { run } = await startAsking({ first: { prompt: "What was it?", schema } });
  const element = show("wavepoint-prompt", { run });
  await expect.poll(() => part(element, "primary")).not.toBeNull();
  const named = (name: string) => element.querySelector<HTMLElement>(`[aria-label="${name}"]`)!;
  const button = (text: string) => [...element.querySelectorAll("button")].find((one) => textOf(one) === text)!;
  const answered = async (): Promise<Value | undefined> => {
    await click(part(element, "primary")!);
    await expect.poll(() => run.getSnapshot().status).toBe("completed");
    return run.getSnapshot().outputs?.["first"];
  };
  return { run, element, named, button, answered, said: () => textOf(element.querySelector("[role=status][part=announcement]")) };
}

const focused = (): string => document.activeElement?.getAttribute("aria-label") ?? textOf(document.activeElement);
const person: JsonSchema = {
  type: "object",
  title: "Person",
  properties: { name: { type: "string", minLength: 1 }, age: { type: "integer", minimum: 0 } },
  required: ["name"],
};

describe("a list of groups", () => {
  const people: JsonSchema = { type: "array", title: "People", items: person, minItems: 1, maxItems: 3 };
  const names = (element: HTMLElement) =>
    [...element.querySelectorAll<HTMLInputElement>("[part~=item] input[id$=name]")].map(({ value }) => value);

  test("grows: the focus goes into the new group, which is said", async () => {
    const { element, button, answered, said } = await ask({ people });
    expect(element.querySelectorAll("[part~=item]")).toHaveLength(1);
    await assertAccessible(element);
    await keys("{Tab}Ada{Tab}36");
    await click(button("Add Person 2"));
    await expect.poll(() => document.activeElement?.id).toMatch(/people%2F1%2Fname$/);
    expect(said()).toBe("Person 2 was added.");
    await keys("Grace");
    await assertAccessible(element);
    expect(await answered()).toEqual({ people: [{ name: "Ada", age: 36 }, { name: "Grace" }] });
  });

  test("is put into another order with keys alone: the focus goes along, and the place is said", async () => {
    const { element, named, answered, said } = await ask({
      people: { ...people, default: [{ name: "Ada" }, { name: "Grace" }, { name: "Edith" }] },
    });
    named("Move Person 1 down").focus();
    await keys("{Enter}");
    expect(names(element)).toEqual(["Grace", "Ada", "Edith"]);
    await expect.poll(focused).toBe("Move Person 2 down");
    expect(said()).toBe("Person 1 is now 2 of 3.");
    await keys(" ");
    expect(names(element)).toEqual(["Grace", "Edith", "Ada"]);
    // There is nowhere further, and the focus stays.
    await keys("{Enter}");
    expect(focused()).toBe("Move Person 3 down");
    expect(named("Move Person 3 down").getAttribute("aria-disabled")).toBe("true");
    expect(await answered()).toEqual({ people: [{ name: "Grace" }, { name: "Edith" }, { name: "Ada" }] });
  });

  test("shrinks to its least length: the focus goes to the group in the place of the one that went", async () => {
    const { element, button, said } = await ask({ people: { ...people, default: [{ name: "Ada" }, { name: "Grace" }] } });
    await click(button("Remove Person 1"));
    expect(names(element)).toEqual(["Grace"]);
    await expect.poll(() => document.activeElement?.id).toMatch(/people%2F0$/);
    expect(said()).toBe("Person 1 was removed. 1 left.");
    // One that cannot be taken out shows no button for it.
    expect(part(element, "remove")).toBeNull();
    await click(button("Add Person 2"));
    expect(button("Remove Person 1")).toBeDefined();
  });

  test("takes no more than it may hold", async () => {
    const { element, button } = await ask({ people: { ...people, default: [{ name: "A" }, { name: "B" }, { name: "C" }] } });
    expect(button("Add Person 4").getAttribute("aria-disabled")).toBe("true");
    button("Add Person 4").click();
    await keys("{Tab}");
    expect(names(element)).toEqual(["A", "B", "C"]);
  });

  test("what is wrong stands at its row, goes along with it, and goes with it", async () => {
    const { element, button, named } = await ask({ people: { ...people, default: [{ name: "Ada" }, { name: "" }] } });
    const wrong = () =>
      [...element.querySelectorAll("[part~=item] [aria-invalid=true]")].map(({ id }) => id.split("%2F").slice(2).join("/"));
    await click(part(element, "primary")!);
    await expect.poll(wrong).toEqual(["1/name"]);
    await assertAccessible(element);
    await click(element.querySelector("[part~=summary] a")!);
    expect(document.activeElement?.id).toMatch(/people%2F1%2Fname$/);
    await click(named("Move Person 2 up"));
    expect(wrong()).toEqual(["0/name"]);
    await click(button("Remove Person 1"));
    expect(wrong()).toEqual([]);
  });

  test("may stand in the groups of another list", async () => {
    const teams: JsonSchema = { type: "array", title: "Teams", items: { type: "object", title: "Team", properties: { people } } };
    const { element, button, answered } = await ask({ teams });
    await click(button("Add Team 1"));
    await click(button("Add Person 1"));
    await expect.poll(() => document.activeElement?.id).toMatch(/teams%2F0%2Fpeople%2F0%2Fname$/);
    await keys("Ada");
    await assertAccessible(element);
    expect(await answered()).toEqual({ teams: [{ people: [{ name: "Ada" }] }] });
  });
});

describe("a choice that stands alone", () => {
  const has: JsonSchema = {
    type: "array",
    title: "What do you have?",
    items: { oneOf: [{ const: "asthma" }, { const: "allergy" }, { const: "none", title: "None of these" }] },
    exclusive: ["none"],
    minItems: 1,
  };
  const boxes = (element: HTMLElement): readonly HTMLInputElement[] => [...element.querySelectorAll<HTMLInputElement>("[type=checkbox]")];
  const ticked = (element: HTMLElement) => boxes(element).map(({ checked }) => checked);

  test("clears the others, and they clear it, with keys alone; what was cleared is said", async () => {
    const { element, answered, said } = await ask({ has });
    boxes(element)[0]!.focus();
    await keys(" {Tab} ");
    await expect.poll(() => ticked(element)).toEqual([true, true, false]);
    expect(said()).toBe("");
    await keys("{Tab} ");
    await expect.poll(() => ticked(element)).toEqual([false, false, true]);
    expect(said()).toBe("Your other choices were cleared.");
    expect(document.activeElement).toBe(boxes(element)[2]);
    expect(textOf(element.querySelector("[part=divider]"))).toBe("or");
    await assertAccessible(element);
    boxes(element)[1]!.focus();
    await keys(" ");
    await expect.poll(() => ticked(element)).toEqual([false, true, false]);
    expect(await answered()).toEqual({ has: ["allergy"] });
  });

  test("goes with other texts, which it clears too", async () => {
    const items: JsonSchema = { anyOf: [{ enum: ["asthma", "none"] }, { type: "string", minLength: 1 }] };
    const { element, answered } = await ask({ has: { ...has, items } });
    boxes(element)[2]!.focus();
    await keys(" {Tab}Hay fever");
    expect(ticked(element)).toEqual([false, false, true]);
    boxes(element)[1]!.focus();
    await keys(" ");
    await expect.poll(() => ticked(element)).toEqual([false, true, false]);
    expect(element.querySelector("[part=revealed]")).toBeNull();
    expect(await answered()).toEqual({ has: ["none"] });
  });
});

describe("a file of some kinds", () => {
  test("says which it takes, before and after another one is picked", async () => {
    const letter: JsonSchema = { type: "object", format: "file", contentMediaType: "application/pdf,image/*,.docx", maxLength: 5_000_000 };
    const { element } = await ask({ letter });
    const input = element.querySelector<HTMLInputElement>("input[type=file]")!;
    const described = input.getAttribute("aria-describedby")!;
    expect(textOf(document.getElementById(described))).toBe("PDF, pictures, or DOCX, at most 5 MB");
    await assertAccessible(element);
    const files = new DataTransfer();
    files.items.add(new File(["a"], "letter.txt", { type: "text/plain" }));
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await expect.poll(() => part(element, "picked")).not.toBeNull();
    await click(part(element, "primary")!);
    await expect.poll(() => textOf(part(element, "error"))).toBe("Choose another kind of file for “Letter”: PDF, pictures, or DOCX.");
  });
});

describe("a scale for many rows", () => {
  const scale: JsonSchema = {
    oneOf: [
      { const: 0, title: "Never" },
      { const: 1, title: "Often" },
    ],
  };
  const mood: JsonSchema = {
    type: "object",
    format: "matrix",
    title: "How were you?",
    properties: { calm: { title: "I was calm", ...scale }, busy: scale },
    required: ["calm", "busy"],
    layout: ["calm", "busy"],
  };

  test("is a table whose circles are named by row and column, filled in with keys", async () => {
    const { element, answered } = await ask({ mood });
    await assertAccessible(element);
    await keys("{Tab} {ArrowRight}{Tab} ");
    expect(await answered()).toEqual({ mood: { calm: 1, busy: 0 } });
  });

  test("says at its row what is wrong, and the summary leads there", async () => {
    const { element } = await ask({ mood });
    await keys("{Tab} ");
    await click(part(element, "primary")!);
    await expect.poll(() => element.querySelectorAll("[part~=matrix-row] [part~=error]")).toHaveLength(1);
    await assertAccessible(element);
    await click(element.querySelector("[part~=summary] a")!);
    expect(document.activeElement?.id).toMatch(/mood%2Fbusy$/);
  });

  test("names circles by row and column alone: what is wrong describes them, until a circle is chosen", async () => {
    const { element } = await ask({ mood });
    await click(part(element, "primary")!);
    const errors = () => [...element.querySelectorAll("[part~=matrix-row] [part~=error]")].map(textOf);
    await expect.poll(errors).toEqual(["Choose an answer.", "Choose an answer."]);
    expect([...element.querySelectorAll("[part~=summary] a")].map(textOf)).toEqual([
      "Choose an answer for “I was calm”.",
      "Choose an answer for “Busy”.",
    ]);
    const calmNever = page.getByRole("radio", { name: "I was calm Never", exact: true });
    await expect.element(calmNever).toHaveAccessibleDescription("Choose an answer.");
    await click(calmNever.element());
    await expect.poll(errors).toEqual(["Choose an answer."]);
    await expect.element(page.getByRole("radio", { name: "Busy Often", exact: true })).toHaveAccessibleDescription("Choose an answer.");
  });

  test("keeps the width of its columns when it says what is wrong, so that no heading breaks within a word", async () => {
    await page.viewport(900, 896);
    onTestFinished(() => page.viewport(414, 896));
    const { element } = await ask({ mood });
    const widths = () => [...element.querySelectorAll("thead :is(th, td)")].map((cell) => Math.round(cell.getBoundingClientRect().width));
    const before = widths();
    expect(before.length).toBeGreaterThan(2);
    await click(part(element, "primary")!);
    await expect.poll(() => element.querySelectorAll("[part~=matrix-row] [part~=error]")).toHaveLength(2);
    expect(widths()).toEqual(before);
  });
});

test("an order is changed with keys, and each change is said", async () => {
  const order: JsonSchema = {
    type: "array",
    format: "ranking",
    items: { enum: ["Sea", "River", "Lake"] },
    uniqueItems: true,
    minItems: 3,
    maxItems: 3,
  };
  const { element, named, answered, said } = await ask({ order });
  await assertAccessible(element);
  named("Move Lake up").focus();
  await keys("{Enter}");
  await keys("{Enter}");
  expect(said()).toBe("Lake is now 1 of 3.");
  expect(focused()).toBe("Move Lake up");
  expect(await answered()).toEqual({ order: ["Lake", "Sea", "River"] });
});

test("a rating is a row of circles", async () => {
  const { element, answered } = await ask({ stars: { type: "integer", format: "rating", minimum: 1, maximum: 5 } });
  await assertAccessible(element);
  await keys("{Tab} {ArrowRight}{ArrowRight}{ArrowRight}");
  expect(await answered()).toEqual({ stars: 4 });
});

describe("a long list of choices", () => {
  const towns = [
    "Århus",
    "Bergen",
    "Bodø",
    "Cork",
    "Dover",
    "Essen",
    "Faro",
    "Graz",
    "Hove",
    "Izmir",
    "Jena",
    "Kiel",
    "Lille",
    "Malmö",
    "Nice",
    "Oslo",
  ];
  const town: JsonSchema = { oneOf: towns.map((title, i) => ({ const: i, title })) };

  test("is searched with keys, without regard to accents and capitals", async () => {
    const { element, answered, said } = await ask({ town });
    const input = element.querySelector<HTMLInputElement>("[role=combobox]")!;
    await assertAccessible(element);
    await keys("{Tab}malm");
    expect(said()).toBe("1 found");
    await assertAccessible(element);
    await keys("{ArrowDown}");
    expect(document.getElementById(input.getAttribute("aria-activedescendant")!)?.textContent?.trim()).toBe("Malmö");
    await keys("{Enter}");
    expect([input.value, input.ariaExpanded]).toEqual(["Malmö", "false"]);
    expect(await answered()).toEqual({ town: 13 });
  });

  test("is opened and chosen from with the pointer; Escape closes it and changes nothing", async () => {
    const { element, answered } = await ask({ town });
    const input = element.querySelector<HTMLInputElement>("[role=combobox]")!;
    await click(input);
    expect(element.querySelectorAll("[role=option]")).toHaveLength(16);
    await keys("{Escape}");
    expect(element.querySelector<HTMLElement>("[role=listbox]")!.hidden).toBe(true);
    await click(input);
    await click(element.querySelectorAll("[role=option]")[2]!);
    expect(input.value).toBe("Bodø");
    expect(await answered()).toEqual({ town: 2 });
  });

  test("keeps what was typed where it is no choice, and says so", async () => {
    const { element } = await ask({ town });
    await keys("{Tab}Paris");
    expect(textOf(element.querySelector("[role=listbox]"))).toBe("Nothing in the list fits this.");
    await assertAccessible(element);
    await keys("{ArrowDown}{Enter}");
    await click(part(element, "primary")!);
    await expect.poll(() => element.querySelector("[part~=summary]")).not.toBeNull();
    expect(element.querySelector<HTMLInputElement>("[role=combobox]")!.value).toBe("Paris");
  });
});

describe("a signature", () => {
  const sign: JsonSchema = { type: "object", format: "file", capture: "signature", contentMediaType: "image/png,text/plain" };

  test("is a name that is typed", async () => {
    const { element, answered } = await ask({ sign });
    await assertAccessible(element);
    await keys("{Tab}Ada Lovelace");
    expect(textOf(element.querySelector("[part~=signature] [role=status]"))).toBe("Signed");
    const { sign: file } = (await answered()) as unknown as { sign: { name: string; type: string; bytes: Uint8Array } };
    expect([file.name, file.type, new TextDecoder().decode(file.bytes)]).toEqual(["signature.txt", "text/plain", "Ada Lovelace"]);
  });

  test("is drawn, and cleared", async () => {
    const { element, button, answered } = await ask({ sign });
    const canvas = element.querySelector("canvas")!;
    const draw = async () => {
      const { left, top } = canvas.getBoundingClientRect();
      const at = (type: string, x: number, y: number) =>
        canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, isPrimary: true, bubbles: true, clientX: left + x, clientY: top + y }));
      canvas.setPointerCapture = () => {};
      canvas.hasPointerCapture = () => true;
      at("pointerdown", 10, 10);
      at("pointermove", 60, 40);
      at("pointerup", 90, 20);
      await expect.poll(() => textOf(element.querySelector("[part~=signature] [role=status]"))).toBe("Signed");
    };
    await draw();
    await click(button("Clear"));
    expect(textOf(element.querySelector("[part~=signature] [role=status]"))).toBe("");
    await draw();
    const { sign: file } = (await answered()) as unknown as { sign: { name: string; type: string; size: number } };
    expect([file.name, file.type, file.size > 100]).toEqual(["signature.png", "image/png", true]);
  });
});

test("several files are picked at once, and taken out one by one", async () => {
  const photos: JsonSchema = { type: "array", title: "Photos", items: { type: "object", format: "file" }, minItems: 1, maxItems: 3 };
  const { element, answered, named } = await ask({ photos });
  const input = () => element.querySelector<HTMLInputElement>("input[type=file]")!;
  await assertAccessible(element);
  await userEvent.upload(
    input(),
    ["a.txt", "b.txt"].map((name) => new File([name], name, { type: "text/plain" })),
  );
  await expect.poll(() => element.querySelectorAll("[part~=picked]")).toHaveLength(2);
  await assertAccessible(element);
  await click(named("Remove a.txt"));
  expect(focused()).toBe("Remove b.txt");
  expect(await answered()).toMatchObject({ photos: [{ name: "b.txt" }] });
});

test("where none of several files is chosen, that stands at their field too", async () => {
  const { element } = await ask({ proofs: { type: "array", title: "Proofs", items: { type: "object", format: "file" }, minItems: 1 } });
  await click(part(element, "primary")!);
  await expect.poll(() => textOf(part(element, "error"))).toBe("Choose a file for “Proofs”.");
  expect([...part(element, "summary")!.querySelectorAll("a")].map(textOf)).toEqual(["Choose a file for “Proofs”."]);
  await assertAccessible(element);
});

test("headings, texts and pictures of the page's own host stand between the fields, in their order", async () => {
  const { element } = await ask(
    { name: { type: "string" }, email: { type: "string" } },
    {
      layout: [
        { heading: "You" },
        "email",
        { text: "Nearly done." },
        { image: { src: "/boat.png", alt: "A boat" } },
        { image: { src: "https://elsewhere.example/spy.png", alt: "" } },
        "name",
      ],
    },
  );
  const shown = [...element.querySelectorAll("[part=section], [part=lead], [part=label], img")].map(
    (one) => one.getAttribute("alt") ?? textOf(one),
  );
  expect(shown).toEqual(["You", "Email", "Nearly done.", "A boat", "Name"]);
  await assertAccessible(element);
});

describe("a choice that is optional", () => {
  const fields: { readonly [name: string]: JsonSchema } = {
    size: { enum: ["S", "M"], title: "Size" },
    stars: { type: "integer", title: "Stars", format: "rating", minimum: 1, maximum: 5 },
    wood: { type: "string", title: "Wood", minLength: 1, anyOf: [{ enum: ["Oak"] }, { type: "string" }] },
  };
  const layout = Object.keys(fields);
  const clears = (element: HTMLElement) => [...element.querySelectorAll("button")].filter((one) => textOf(one) === "Clear");
  const chosen = (element: HTMLElement) => element.querySelectorAll(":checked").length;

  test("is taken back with keys: the focus goes to its first circle, and nothing is answered", async () => {
    const { element, answered } = await ask(fields, { layout, required: [] });
    expect(clears(element)).toEqual([]);
    await keys("{Tab} ");
    await expect.poll(() => clears(element).length).toBe(1);
    await assertAccessible(element);
    const [first] = element.querySelectorAll("input");
    await keys("{Tab}{Enter}");
    await expect.poll(() => clears(element).length).toBe(0);
    expect(document.activeElement).toBe(first);
    expect(first!.checked).toBe(false);
    // It may be chosen again.
    await keys(" ");
    expect(first!.checked).toBe(true);
    await keys("{Tab} ");
    expect(await answered()).toEqual({});
  });

  test("of any look is taken back with the pointer, and its text with it", async () => {
    const { element, answered } = await ask(fields, { layout, required: [] });
    for (const at of [1, 4, 8]) await click(element.querySelectorAll("input")[at]!);
    await keys("{Tab}Yew");
    expect(chosen(element)).toBe(3);
    for (const left of [2, 1, 0]) {
      await click(clears(element)[0]!);
      expect(clears(element)).toHaveLength(left);
    }
    expect(chosen(element)).toBe(0);
    expect(await answered()).toEqual({});
  });

  test("has no such button where an answer is needed, or nothing means the default", async () => {
    const { element } = await ask(
      { size: fields["size"]!, stars: { ...fields["stars"], default: 3 } },
      { layout: ["size", "stars"], required: ["size"] },
    );
    await click(element.querySelector("input")!);
    expect(chosen(element)).toBe(2);
    expect(clears(element)).toEqual([]);
  });
});

describe("a line", () => {
  const dayFrom = (days: number): string => {
    const at = new Date();
    const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() + days);
    const two = (part: number) => String(part).padStart(2, "0");
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  };

  test("with limits of days has them from the browser, and says what is wrong in words", async () => {
    const { element, run } = await ask({
      born: { type: "string", format: "date", maxDate: "2010-01-31" },
      visit: { type: "string", format: "date-time", minDate: "today", maxDate: "today+30d" },
    });
    element.lang = "en-GB";
    const [born, visit] = element.querySelectorAll("input");
    expect([born!.type, born!.min, born!.max]).toEqual(["date", "", "2010-01-31"]);
    expect([visit!.type, visit!.min, visit!.max]).toEqual(["datetime-local", `${dayFrom(0)}T00:00`, `${dayFrom(30)}T23:59`]);
    await userEvent.fill(born!, "2010-02-01");
    await userEvent.fill(visit!, `${dayFrom(1)}T10:00`);
    await click(part(element, "primary")!);
    await expect.poll(() => textOf(part(element, "error"))).toBe("Enter 31 January 2010 or earlier for “Born”.");
    await assertAccessible(element);
    await userEvent.fill(born!, "2010-01-31");
    await click(part(element, "primary")!);
    await expect.poll(() => run.getSnapshot().status).toBe("completed");
  });

  test("has the browser's controls for times and months, and a unit behind a number", async () => {
    const { element, answered } = await ask({
      at: { type: "string", format: "time" },
      until: { type: "string", format: "month" },
      weight: { type: "number", title: "Weight", description: "With shoes", unit: { en: "kg", de: "Kilo" } },
    });
    const [at, until, weight] = element.querySelectorAll("input");
    expect([at!.type, until!.type]).toEqual(["time", "month"]);
    expect(
      weight!
        .getAttribute("aria-describedby")!
        .split(" ")
        .map((id) => textOf(document.getElementById(id))),
    ).toEqual(["With shoes", "kg"]);
    await assertAccessible(element);
    await userEvent.fill(at!, "14:30");
    await userEvent.fill(until!, "2027-03");
    await userEvent.fill(weight!, "64.5");
    expect(await answered()).toEqual({ at: "14:30", until: "2027-03", weight: 64.5 });
  });
});

describe("choices with a text of your own", () => {
  const woods: JsonSchema = {
    type: "string",
    title: "Wood",
    minLength: 1,
    anyOf: [{ oneOf: [{ const: "larch", title: "Larch" }, { const: "oak" }] }, { type: "string" }],
  };
  const radios = (element: HTMLElement) => [...element.querySelectorAll<HTMLInputElement>("[type=radio],[type=checkbox]")];
  const line = (element: HTMLElement) => element.querySelector<HTMLInputElement>("[id$='-other']");

  test("reveal a line once the last one is chosen, by keys alone", async () => {
    const { element, answered } = await ask({ wood: woods });
    expect(radios(element)).toHaveLength(3);
    expect(line(element)).toBeNull();
    radios(element)[0]!.focus();
    await keys(" {ArrowDown}{ArrowDown}");
    await expect.poll(() => line(element)).not.toBeNull();
    await assertAccessible(element);
    await keys("{Tab}Yew");
    expect(await answered()).toEqual({ wood: "Yew" });
  });

  test("ask for the text in a sentence that leads to its line, and take a choice in its place", async () => {
    const { element, answered } = await ask({ wood: woods });
    await click(radios(element)[2]!);
    await click(part(element, "primary")!);
    await expect.poll(() => textOf(part(element, "summary"))).toContain("Enter an answer for “Wood”.");
    await assertAccessible(element);
    await click(element.querySelector<HTMLElement>("[part=summary] a")!);
    expect(document.activeElement).toBe(line(element));
    await click(radios(element)[0]!);
    expect(line(element)).toBeNull();
    expect(await answered()).toEqual({ wood: "larch" });
  });

  test("of several keep every text that was given before, and drop one that is unticked", async () => {
    const several: JsonSchema = { type: "array", items: woods, default: ["Yew", "oak", "Ash"] };
    const { element, answered } = await ask({ woods: several });
    expect(radios(element).map(({ checked }) => checked)).toEqual([false, true, true, true]);
    expect([...element.querySelectorAll<HTMLInputElement>("[part=revealed] input")].map(({ value }) => value)).toEqual(["Yew", "Ash"]);
    await userEvent.fill(line(element)!, "");
    await click(part(element, "primary")!);
    await expect.poll(() => textOf(element.querySelector("[part=revealed] [part=error]"))).toBe("Enter an answer for “Woods”.");
    await assertAccessible(element);
    await click(radios(element)[2]!);
    await click(radios(element)[0]!);
    expect(await answered()).toEqual({ woods: ["larch", "oak", "Ash"] });
  });

  test("of several are seen by the conditions of other fields while one types", async () => {
    const reason: JsonSchema = { type: "string", title: "Why yew?", showIf: "'Yew' in ${fields.woods}" };
    const { element, answered } = await ask(
      { woods: { type: "array", title: "Woods", items: woods }, reason },
      { layout: ["woods", "reason"], required: ["woods"] },
    );
    const asksWhy = () => [...element.querySelectorAll("[part=label]")].some((label) => textOf(label).startsWith("Why yew?"));
    radios(element)[0]!.focus();
    await keys(" {Tab}{Tab} ");
    await expect.poll(() => line(element)).not.toBeNull();
    await keys("{Tab}Ye");
    expect(asksWhy()).toBe(false);
    await keys("w");
    await expect.poll(asksWhy).toBe(true);
    await keys("{Tab}It bends.");
    await keys("{Shift>}{Tab}{/Shift}{End}s");
    await expect.poll(asksWhy).toBe(false);
    await keys("{Backspace}");
    await expect.poll(asksWhy).toBe(true);
    expect(await answered()).toEqual({ woods: ["larch", "Yew"], reason: "It bends." });
  });

  test("in a long list are written where one searches, and a draft of them comes back", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `Wood ${i + 1}`);
    const { run, element, answered } = await ask({ wood: { type: "string", minLength: 1, anyOf: [{ enum: names }, { type: "string" }] } });
    const search = element.querySelector<HTMLInputElement>("[role=combobox]")!;
    await userEvent.fill(search, "Yew");
    await expect.poll(() => textOf(element.querySelector("[part=listbox-none]"))).toBe("Not in the list: it is taken as you write it.");
    await assertAccessible(element);
    await expect.poll(() => run.getSnapshot().pauses[0]?.draft).toEqual({ wood: "Yew" });
    const again = show("wavepoint-prompt", { run });
    await expect.poll(() => again.querySelector<HTMLInputElement>("[role=combobox]")?.value).toBe("Yew");
    again.remove();
    expect(await answered()).toEqual({ wood: "Yew" });
  });
});

describe("numbers in the language of the page", () => {
  const price: JsonSchema = { type: "integer", format: "money", currency: "EUR", title: "Price", minimum: 100 };
  const lines = (element: HTMLElement) => [...element.querySelectorAll<HTMLInputElement>("input[part=control]")];

  async function inLanguage<T>(lang: string, act: () => Promise<T>): Promise<T> {
    const before = document.documentElement.lang;
    document.documentElement.lang = lang;
    try {
      return await act();
    } finally {
      document.documentElement.lang = before;
    }
  }

  test("are typed, shown and kept as people of it write them", async () => {
    await inLanguage("de", async () => {
      const { element, answered } = await ask({ a: { type: "number", default: 1.234 }, b: { type: "number" }, price });
      expect(lines(element).map(({ value }) => value)).toEqual(["1,234", "", ""]);
      await userEvent.fill(lines(element)[1]!, "1.234,5");
      await userEvent.fill(lines(element)[2]!, "1.234,50 €");
      await assertAccessible(element);
      expect(await answered()).toEqual({ a: 1.234, b: 1234.5, price: 123450 });
    });
  });

  test("stay what they are where the page changes its language", async () => {
    await inLanguage("de", async () => {
      const { element, answered } = await ask({ a: { type: "number" }, price, text: { type: "string" } });
      await userEvent.fill(lines(element)[0]!, "1,234");
      await userEvent.fill(lines(element)[1]!, "1.234,50");
      await userEvent.fill(lines(element)[2]!, "1,5");
      document.documentElement.lang = "en";
      await expect.poll(() => lines(element).map(({ value }) => value)).toEqual(["1.234", "1234.50", "1,5"]);
      expect(await answered()).toEqual({ a: 1.234, price: 123450, text: "1,5" });
    });
  });

  test("money has its currency beside it, and says in it what is wrong", async () => {
    const { element } = await ask({ price });
    expect(textOf(part(element, "unit"))).toBe("€");
    expect(lines(element)[0]!.inputMode).toBe("decimal");
    await userEvent.fill(lines(element)[0]!, "much");
    await click(part(element, "primary")!);
    await expect.poll(() => textOf(part(element, "error"))).toBe("Enter an amount for “Price”, like €1,234.50.");
    expect(lines(element)[0]!.value).toBe("much");
    await userEvent.fill(lines(element)[0]!, "0.99");
    await click(part(element, "primary")!);
    await expect.poll(() => textOf(part(element, "error"))).toBe("Enter €1.00 or more for “Price”.");
  });
});

test("the list of what is wrong says in which group it is", async () => {
  const people: JsonSchema = { type: "array", title: "Driver", items: person, minItems: 1 };
  const home: JsonSchema = {
    type: "object",
    title: "Where do you live?",
    properties: { city: { type: "string", minLength: 1 } },
    required: ["city"],
  };
  const { element } = await ask({ people, home });
  await click(part(element, "primary")!);
  await expect
    .poll(() => [...element.querySelectorAll("[part=summary] a")].map(textOf))
    .toEqual(["Person 1: Enter an answer for “Name”.", "Where do you live? Enter an answer for “City”."]);
});

describe("a long text with a limit", () => {
  test("shows how many characters it has, and says it once nothing is typed where few are left", async () => {
    const { element, said } = await ask({ about: { type: "string", format: "multiline", maxLength: 10 } });
    const count = () => element.querySelector("[part~=count]")!;
    const box = () => element.querySelector("textarea")!;
    expect(textOf(count())).toBe("0 of 10 characters");
    expect(box().getAttribute("aria-describedby")).toBe(count().id);
    await keys("{Tab}Hello");
    await expect.poll(() => textOf(count())).toBe("5 of 10 characters");
    expect(said()).toBe("");
    // One character, however many units of a text it takes.
    await userEvent.fill(box(), "Hello you 😀😀");
    await expect.poll(() => textOf(count())).toBe("12 of 10 characters");
    expect(count().hasAttribute("data-over")).toBe(true);
    await expect.poll(said).toBe("12 of 10 characters");
    await assertAccessible(element);
  });
});

test("the line that searches a long list has the mark of a menu, on the side where lines end", async () => {
  const { element } = await ask({ land: { enum: Array.from({ length: 30 }, (_, i) => `Land ${i}`) } });
  const box = element.querySelector("[part~=combobox]")!;
  const mark = () => getComputedStyle(box, "::after");
  expect([mark().content, mark().pointerEvents, mark().right]).toEqual(['""', "none", "14.4px"]);
  element.dir = "rtl";
  expect(mark().left).toBe("14.4px");
});

import { click, keys, part, show, startAsking, textOf } from "../../support/page-elements.ts";
import { describe, expect, test } from "vitest";
import { WavepointPrompt } from "wavepoint/elements";
import { userEvent } from "vitest/browser";
import type { JsonSchema, Question, Value } from "wavepoint";

/** Asks one question in the page and gives what the run has once it was answered. */
async function ask(question: Question | JsonSchema) {
  const { run } = await startAsking({ first: "prompt" in question ? question : { prompt: "What is it?", schema: question } });
  const element = show("wavepoint-prompt", { run });
  await expect.poll(() => part(element, "heading")).not.toBeNull();
  return {
    run,
    element,
    answered: async (): Promise<Value | undefined> => {
      await expect.poll(() => run.getSnapshot().status).toBe("completed");
      return run.getSnapshot().outputs?.["first"];
    },
  };
}

const group = (properties: { readonly [name: string]: JsonSchema }, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: "object",
  properties,
  required,
});

test("a text is typed and sent with Enter", async () => {
  const { answered, element } = await ask({ type: "string", minLength: 1 });
  await keys("{Tab}Ada{Enter}");
  expect(await answered()).toBe("Ada");
  expect(element.children).toHaveLength(0);
});

test("a yes-or-no question has two buttons", async () => {
  const { answered } = await ask({ type: "boolean" });
  await keys("{Tab}{Enter}");
  expect(await answered()).toBe(false);
});

test("up to six choices are circles, chosen with the arrows", async () => {
  const { answered, element } = await ask({ enum: ["Larch", "Oak", "Cedar"] });
  expect(element.querySelectorAll("input[type=radio]")).toHaveLength(3);
  await keys("{Tab} {ArrowDown}{Tab}{Enter}");
  expect(await answered()).toBe("Oak");
});

test("more choices are a menu", async () => {
  const { answered } = await ask({ enum: [1, 2, 3, 4, 5, 6, 7] });
  await keys("{Tab}{ArrowDown}{ArrowDown}{Tab}{Enter}");
  expect(await answered()).toBe(2);
});

test("several choices are boxes", async () => {
  const { answered } = await ask({ type: "array", items: { enum: ["Plane", "Saw", "Chisel"] } });
  await keys("{Tab}{Tab}{Tab} {Shift>}{Tab}{Tab}{/Shift} {Tab}{Tab}{Tab}{Enter}");
  expect(await answered()).toEqual(["Plane", "Chisel"]);
});

describe("a choice with a label", () => {
  const plans = [
    { const: "team", title: "For a team", description: "Up to 9 people." },
    { const: "me", title: "For me" },
    { const: "other" },
  ];
  const options = (element: HTMLElement) => [...element.querySelectorAll("[part~=option], option")].map(textOf);

  test("is a circle that bears it, in the first drawing; its value is sent", async () => {
    const { answered, element } = await ask({ oneOf: plans });
    expect(options(element)).toEqual(["For a team Up to 9 people.", "For me", "other"]);
    await keys("{Tab} {ArrowDown}{Tab}{Enter}");
    expect(await answered()).toBe("me");
  });

  test("is a line of a menu", async () => {
    const months = ["January", "February", "March", "April", "May", "June", "July"];
    const { answered, element } = await ask({ oneOf: months.map((title, i) => ({ const: i + 1, title })) });
    await expect.poll(() => options(element)).toEqual(["Choose…", ...months]);
    await keys("{Tab}{ArrowDown}{ArrowDown}{Tab}{Enter}");
    expect(await answered()).toBe(2);
  });

  test("is a box where several may be chosen", async () => {
    const { answered, element } = await ask({ type: "array", items: { oneOf: plans } });
    await expect.poll(() => options(element)).toEqual(["For a team Up to 9 people.", "For me", "other"]);
    await keys("{Tab}{Tab}{Tab} {Shift>}{Tab}{Tab}{/Shift} {Tab}{Tab}{Tab}{Enter}");
    expect(await answered()).toEqual(["team", "other"]);
  });

  test("is chosen already where its value is a default, a draft or the earlier answer, which its label says", async () => {
    const schema = group({ plan: { oneOf: plans, default: "me" }, days: { type: "array", items: { oneOf: plans } } });
    const { run } = await startAsking({ first: { prompt: "Which?", schema }, last: { prompt: "All right?" } });
    const first = show("wavepoint-prompt", { run });
    await expect.poll(() => first.querySelector<HTMLInputElement>("input[type=radio]:checked")?.parentElement?.textContent).toBe("For me");
    first.remove();
    await run.answer(run.getSnapshot().pauses[0]!.id, { plan: "team", days: ["me", "other"] });
    await run.back();
    const element = show("wavepoint-prompt", { run });
    await expect.poll(() => options(element).length).toBeGreaterThan(0);
    expect(part(element, "earlier")).toBeNull();
    expect([...element.querySelectorAll("input:checked")].map((input) => textOf(input.parentElement))).toEqual([
      "For a team Up to 9 people.",
      "For me",
      "other",
    ]);
  });
});

test("a number is typed", async () => {
  const { answered } = await ask({ type: "number", maximum: 9 });
  await keys("{Tab}2.50{Tab}{Enter}");
  expect(await answered()).toBe(2.5);
});

test("a long text takes lines", async () => {
  const { answered } = await ask({ type: "string", format: "multiline" });
  await keys("{Tab}one{Enter}two{Tab}{Enter}");
  expect(await answered()).toBe("one\ntwo");
});

test("what has no control of its own is written as JSON, which is looked at before it is sent", async () => {
  const { answered, element } = await ask({ type: "object" });
  await keys('{Tab}{{"a":{Tab}{Enter}');
  await expect.poll(() => textOf(part(element, "summary"))).toContain("this is not JSON yet");
  expect(document.activeElement?.getAttribute("part")).toBe("summary");
  await keys("{Tab}{Enter}{End}[[1]}{Tab}{Enter}");
  expect(await answered()).toEqual({ a: [1] });
});

test("a group asks for all of its members in one form, nested ones in a group of their own", async () => {
  const address = group({ street: { type: "string", minLength: 1 }, floor: { type: "integer" } }, ["street"]);
  const { answered } = await ask(group({ name: { type: "string" }, address, news: { type: "boolean", default: false } }));
  await keys("{Tab}Ada{Tab}Mill Lane{Tab}{Tab} {Tab}{Enter}");
  expect(await answered()).toEqual({ name: "Ada", address: { street: "Mill Lane" }, news: true });
});

test("yes and no of a form stand side by side", async () => {
  const { element } = await ask(group({ smokes: { type: "boolean" } }));
  const [yes, no] = [...element.querySelectorAll("[part~=option]")].map((option) => option.getBoundingClientRect());
  expect(no!.top).toBe(yes!.top);
  expect(no!.left).toBeGreaterThan(yes!.right);
});

test("a list grows and shrinks, and each of its items has a name", async () => {
  const person = { ...group({ name: { type: "string" }, age: { type: "integer" } }), title: "Person" } as const;
  const { answered, element } = await ask(group({ people: { type: "array", items: person } }));
  const legends = () => [...element.querySelectorAll("legend")].map(textOf);
  await keys("{Tab}{Enter}");
  await keys("Ada{Tab}36{Tab}{Tab}{Enter}");
  // Past the buttons that move and remove.
  await keys("Bob{Tab}7{Tab}{Tab}{Tab}{Tab}{Enter}");
  await keys("Cy{Tab}80");
  expect(legends()).toEqual(["People", "Person 1", "Person 2", "Person 3"]);
  // Back to the button that removes Bob.
  await keys("{Shift>}{Tab}{Tab}{/Shift}{Enter}");
  expect(legends()).toEqual(["People", "Person 1", "Person 2"]);
  expect(textOf(document.activeElement?.querySelector("legend") ?? null)).toBe("Person 2");
  await click(part(element, "primary")!);
  expect(await answered()).toEqual({
    people: [
      { name: "Ada", age: 36 },
      { name: "Cy", age: 80 },
    ],
  });
});

test("a file is picked or dropped, shown with its name and size, and can be removed", async () => {
  const { answered, element } = await ask(
    group({ photo: { type: "object", format: "file", contentMediaType: "image/*", maxLength: 1_000_000 } }),
  );
  const input = () => element.querySelector<HTMLInputElement>("input[type=file]")!;
  await expect.poll(input).not.toBeNull();
  expect(input().accept).toBe("image/*");
  await userEvent.upload(input(), new File([new Uint8Array(2_000_000)], "large.png", { type: "image/png" }));
  await expect.poll(() => textOf(part(element, "picked"))).toBe("large.png 2 MB Remove");
  await keys("{Tab}{Enter}");
  await expect.poll(() => textOf(part(element, "summary"))).toContain("Choose a file of at most 1 MB for “Photo”.");
  await keys("{Tab}{Tab}{Enter}");
  await expect.poll(() => document.activeElement).toBe(input());
  const dropped = new DataTransfer();
  dropped.items.add(new File([new Uint8Array([1, 2, 3])], "small.png", { type: "image/png" }));
  part(element, "drop")!.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
  await expect.poll(() => textOf(part(element, "picked"))).toBe("small.png 3 bytes Remove");
  await keys("{Tab}{Enter}");
  expect(await answered()).toEqual({ photo: { name: "small.png", type: "image/png", size: 3, bytes: new Uint8Array([1, 2, 3]) } });
});

test("what browsers know is offered where a field is named so, but not for the people of a list", async () => {
  const people = { type: "array", minItems: 1, items: group({ name: { type: "string" } }) } as const;
  const { element } = await ask(group({ given_name: { type: "string" }, mail: { type: "string", format: "email" }, people }));
  await expect.poll(() => element.querySelectorAll("input").length).toBe(3);
  expect([...element.querySelectorAll("input")].map(({ autocomplete }) => autocomplete)).toEqual(["given-name", "email", ""]);
});

test("what the browser may fill in is what the author says, in lists too", async () => {
  const people = { type: "array", minItems: 1, items: group({ called: { type: "string", autocomplete: "name" } }) } as const;
  const { element } = await ask(
    group({ holder: { type: "string", autocomplete: "name" }, email: { type: "string", autocomplete: "off" }, people }),
  );
  await expect.poll(() => element.querySelectorAll("input").length).toBe(3);
  expect([...element.querySelectorAll("input")].map(({ autocomplete }) => autocomplete)).toEqual(["name", "off", "name"]);
});

test("phones put no capitals into addresses, correct no codes, and their blank behind a word does no harm", async () => {
  const { answered, element } = await ask(
    group({ code: { type: "string", pattern: "^[a-z]+$" }, mail: { type: "string", format: "email" }, name: { type: "string" } }),
  );
  await expect.poll(() => element.querySelectorAll("input").length).toBe(3);
  expect([...element.querySelectorAll("input")].map((input) => [input.autocapitalize, input.getAttribute("autocorrect")])).toEqual([
    ["", "off"],
    ["none", "off"],
    ["", null],
  ]);
  await keys("{Tab}abc{Tab}ada@example.com {Tab}Ada {Enter}");
  expect(await answered()).toEqual({ code: "abc", mail: "ada@example.com", name: "Ada " });
});

test("a number that is none is asked for by how it is written; one with both marks is read", async () => {
  const { answered, element } = await ask(group({ worth: { type: "number" } }));
  await keys("{Tab}1.234.5{Enter}");
  await expect.poll(() => textOf(element.querySelector("[part~=summary] a"))).toBe("Enter a number for “Worth”, like 1,234.5.");
  await keys("{Tab}{Enter}{Control>}a{/Control}4.200,50{Enter}");
  expect(await answered()).toEqual({ worth: 4200.5 });
});

test("what is wrong is listed, has the focus, and leads to its field", async () => {
  const { answered, element } = await ask(
    group({ name: { type: "string", minLength: 1, title: "Your name" }, seats: { type: "integer", maximum: 4 } }),
  );
  await keys("{Tab}{Tab}9{Tab}{Enter}");
  await expect.poll(() => document.activeElement?.getAttribute("part")).toBe("summary");
  const links = [...element.querySelectorAll("[part~=summary] a")].map(textOf);
  expect(links).toEqual(["Enter your name.", "Enter 4 or less for “Seats”."]);
  const seats = element.querySelectorAll("input")[1]!;
  expect(seats.getAttribute("aria-invalid")).toBe("true");
  expect(textOf(document.getElementById(seats.getAttribute("aria-describedby")!))).toBe("Enter 4 or less for “Seats”.");
  await keys("{Tab}{Tab}{Enter}");
  expect(document.activeElement).toBe(seats);
  await keys("{Backspace}3{Shift>}{Tab}{/Shift}Ada{Enter}");
  expect(await answered()).toEqual({ name: "Ada", seats: 3 });
});

test("what was refused is marked until it is right, and again where it is wrong once more", async () => {
  const { answered, element } = await ask(
    group({ name: { type: "string", minLength: 1, title: "Your name" }, code: { type: "string", pattern: "^[A-Z]{2}[0-9]$" } }),
  );
  const marked = () => [...element.querySelectorAll("input")].map((input) => input.getAttribute("aria-invalid") === "true");
  const listed = () => [...element.querySelectorAll("[part~=summary] a")].map(textOf);
  await keys("{Tab}{Tab}A{Enter}");
  await expect.poll(marked).toEqual([true, true]);
  await keys("{Tab}{Tab}{Tab}A");
  await expect.poll(marked).toEqual([false, true]);
  expect(listed()).toEqual(["Check how the answer for “Code” is written."]);
  // Half of it is not right yet.
  await keys("{Tab}{End}B");
  expect(marked()).toEqual([false, true]);
  await keys("1");
  await expect.poll(marked).toEqual([false, false]);
  expect(part(element, "summary")).toBeNull();
  await keys("2");
  await expect.poll(marked).toEqual([false, true]);
  await keys("{Backspace}{Enter}");
  expect(await answered()).toEqual({ name: "A", code: "AB1" });
});

test("where a file is too large, one that fits is not missing, and both are marked until they are right", async () => {
  const file: JsonSchema = { type: "object", format: "file" };
  const { element } = await ask(group({ receipt: { ...file, maxLength: 2 }, photo: { ...file, contentMediaType: "image/png" } }));
  await expect.poll(() => element.querySelectorAll("input")).toHaveLength(2);
  const pick = (of: number, text: string, type: string) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "a", { type }));
    const input = element.querySelectorAll<HTMLInputElement>("input[type=file]")[of]!;
    input.files = files.files;
    input.dispatchEvent(new Event("change"));
  };
  const listed = () => [...element.querySelectorAll("[part~=summary] a")].map(textOf);
  pick(0, "abc", "text/plain");
  pick(1, "abc", "image/png");
  await click(part(element, "primary")!);
  await expect.poll(listed).toEqual(["Choose a file of at most 2 bytes for “Receipt”."]);
  await click([...element.querySelectorAll("button")].find((button) => textOf(button) === "Remove")!);
  expect(listed()).toHaveLength(1);
  pick(0, "ab", "text/plain");
  await expect.poll(listed).toEqual([]);
});

test("of a group, a text that must be longer than one character is missing where nothing was typed", async () => {
  const { element } = await ask(group({ country: { type: "string", minLength: 2 } }));
  const error = () => textOf(part(element, "error"));
  await keys("{Tab}{Enter}");
  await expect.poll(error).toBe("Enter an answer for “Country”.");
  // What is said is about what stands there now.
  await keys("{Tab}{Tab}N");
  await expect.poll(error).toBe("Enter at least 2 characters for “Country”.");
});

test("errors of a list stay mended when its entries change places", async () => {
  const { element } = await ask(
    group({ people: { type: "array", title: "People", items: group({ name: { type: "string", minLength: 1 } }), minItems: 2 } }),
  );
  const told = () => [...element.querySelectorAll("[part~=summary] a")].map(textOf);
  await click(part(element, "primary")!);
  await expect.poll(told).toEqual(["People 1: Enter an answer for “Name”.", "People 2: Enter an answer for “Name”."]);
  await userEvent.fill(element.querySelector("input")!, "Ada");
  await expect.poll(told).toEqual(["People 2: Enter an answer for “Name”."]);
  await click(element.querySelector("[aria-label='Move People 1 down']")!);
  await expect.poll(told).toEqual(["People 1: Enter an answer for “Name”."]);
});

test("numbers and addresses are written from the left in a form that is read from the right", async () => {
  const { element } = await ask(group({ depth: { type: "number" }, name: { type: "string" }, phone: { type: "string", format: "tel" } }));
  element.dir = "rtl";
  expect([...element.querySelectorAll("input")].map((input) => getComputedStyle(input).direction)).toEqual(["ltr", "rtl", "ltr"]);
});

test("a long answer is seen as a whole while it is written", async () => {
  const { element } = await ask(group({ story: { type: "string", format: "multiline" } }));
  const area = element.querySelector("textarea")!;
  const before = area.clientHeight;
  await userEvent.fill(area, "It leaked.\n".repeat(12));
  expect(area.clientHeight).toBeGreaterThan(2 * before);
  expect(area.scrollHeight).toBe(area.clientHeight);
});

test("what was typed is there again in another element, half filled in and with a list", async () => {
  const { run, element } = await ask(
    group({ name: { type: "string" }, seats: { type: "integer" }, with: { type: "array", items: { type: "string" } } }),
  );
  await keys("{Tab}Ad{Tab}x{Tab}{Enter}Bob");
  element.remove();
  await expect.poll(() => run.getSnapshot().pauses[0]?.draft).toEqual({ name: "Ad", seats: "x", with: ["Bob"] });
  const again = show("wavepoint-prompt", { run });
  await expect.poll(() => [...again.querySelectorAll("input")].map(({ value }) => value)).toEqual(["Ad", "x", "Bob"]);
});

test("a sensitive question hides what is typed and keeps no draft", async () => {
  const { element, run, answered } = await ask({ prompt: "Your code?", schema: { type: "string" }, sensitive: true });
  expect(element.querySelector("input")!.type).toBe("password");
  await keys("{Tab}1234");
  // Leaving the page now loses it for certain.
  document.dispatchEvent(new Event("visibilitychange"));
  await run.refresh();
  expect(run.getSnapshot().pauses[0]).not.toHaveProperty("draft");
  expect(textOf(part(element, "saved"))).toBe("");
  await keys("{Enter}");
  expect(await answered()).toBe("1234");
});

test("a sensitive form shows what is typed, but passwords, and has nothing filled in by the browser", async () => {
  const { element } = await ask({
    prompt: "Before your visit",
    schema: group({ name: { type: "string" }, born: { type: "string", format: "date" }, code: { type: "string", format: "password" } }),
    sensitive: true,
  });
  expect([...element.querySelectorAll("input")].map(({ type, autocomplete }) => [type, autocomplete])).toEqual([
    ["text", "off"],
    ["date", "off"],
    ["password", "off"],
  ]);
});

test("a group that may be left out is left out where nothing was entered", async () => {
  const place = {
    type: "object",
    properties: { town: { type: "string", minLength: 1 }, ship: { type: "boolean" } },
    required: ["town"],
  } satisfies JsonSchema;
  const { answered } = await ask(
    group({ name: { type: "string" }, home: { ...place, properties: { ...place.properties, at: place } } }, ["name"]),
  );
  await keys("{Tab}Ada{Enter}");
  expect(await answered()).toEqual({ name: "Ada" });
});

test("two prompts of one page share no id", async () => {
  const [one, two] = [await ask({ type: "string" }), await ask({ type: "string" })];
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  expect(one.element.querySelector("input")!.id).not.toBe(two.element.querySelector("input")!.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an element that is taken out and put in again goes on, with what was typed", async () => {
  const { element, answered } = await ask({ type: "string" });
  await keys("{Tab}Ad");
  const place = element.parentElement!;
  element.remove();
  place.append(element);
  await expect.poll(() => element.querySelector("input")?.value).toBe("Ad");
  element.querySelector("input")!.focus();
  await keys("{End}a{Enter}");
  expect(await answered()).toBe("Ada");
});

test("a property that was set before the element was defined is taken", async () => {
  const { run } = await startAsking({ first: { prompt: "Who?" } });
  const early = document.createElement("wavepoint-early") as HTMLElement & { run?: typeof run };
  early.run = run;
  document.body.append(early);
  customElements.define("wavepoint-early", class extends WavepointPrompt {});
  await expect.poll(() => textOf(part(early, "heading"))).toBe("Who?");
  early.remove();
});

test("what is wrong is said without a word of types and patterns", async () => {
  const { element } = await ask(
    group({
      terms: { const: true, title: "I accept the terms" },
      seats: { type: "integer" },
      wood: { enum: ["Larch", "Oak"], title: "Which wood?" },
      code: { type: "string", pattern: "^[A-Z]{3}$" },
    }),
  );
  await keys("{Tab}{Tab}x{Tab}{Tab}abc{Enter}");
  await expect
    .poll(() => [...element.querySelectorAll("[part~=summary] a")].map(textOf))
    .toEqual([
      "Tick the box for “I accept the terms”.",
      "Enter a whole number for “Seats”.",
      "Choose an answer for “Which wood?”.",
      "Check how the answer for “Code” is written.",
    ]);
});

test("an earlier answer is shown if the form itself does not show it, or no longer takes it", async () => {
  const { run } = await startAsking({
    name: { prompt: "Your name?" },
    sure: { prompt: "Sure?", schema: { type: "boolean" } },
    last: { prompt: "All right?" },
  });
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  await run.answer(run.getSnapshot().pauses[0]!.id, true);
  await run.back();
  const element = show("wavepoint-prompt", { run });
  // Two buttons hold no answer.
  await expect.poll(() => textOf(part(element, "earlier"))).toBe("You answered: Yes.");
  await run.back();
  await expect.poll(() => element.querySelector("input")?.value).toBe("Ada");
  expect(part(element, "earlier")).toBeNull();
});

test("a picked file is not called kept before it is sent", async () => {
  const { element, run } = await ask(group({ name: { type: "string" }, photo: { type: "object", format: "file" } }));
  await keys("{Tab}Ada");
  await expect.poll(() => textOf(part(element, "saved"))).toBe("Saved");
  await userEvent.upload(element.querySelector<HTMLInputElement>("input[type=file]")!, new File(["x"], "small.txt"));
  await expect.poll(() => textOf(element)).toContain("Files are kept once you continue.");
  expect(run.getSnapshot().pauses[0]!.draft).toEqual({ name: "Ada" });
});

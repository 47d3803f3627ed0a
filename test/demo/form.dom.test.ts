import { render } from "lit-html";
import { afterEach, describe, expect, test } from "vitest";
import type { Pause, Value } from "wavepoint";
import { focusQuestion, focusStage } from "../../demo/focus.ts";
import { fieldErrorsOf } from "../../demo/form-fields.ts";
import { question, type QuestionProps } from "../../demo/parts/question.ts";
import { drawn, textOf } from "./drawn.ts";
import { textPause } from "./views.ts";

afterEach(() => document.body.replaceChildren());

const pause: Pause = textPause({
  type: "Form",
  prompt: "Three evenings in March.",
  schema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name", minLength: 1 },
      email: { type: "string", title: "E-mail", description: "The ticket goes there.", format: "email" },
      seats: { type: "integer", default: 1 },
      wood: { type: "string", enum: ["Larch", "Oak"] },
      port: { type: "string", enum: ["A", "B", "C", "D", "E", "F", "G"] },
      tools: { type: "array", items: { enum: ["Plane", "Saw"] } },
      news: { type: "boolean" },
      start: { type: "string", format: "date" },
      note: { type: "string", format: "multiline" },
      other: { type: "object" },
    },
    required: ["name", "email", "wood"],
    additionalProperties: false,
  },
  metadata: {
    kind: "form",
    title: "A seat",
    fields: ["email", "name", "seats", "wood", "port", "tools", "news", "start", "note", "other"],
  },
});

function asked(rest: Partial<QuestionProps> = {}, asks: Pause = pause) {
  const answers: Value[] = [];
  const drafts: string[] = [];
  const props: QuestionProps = {
    pause: asks,
    draft: "",
    sending: false,
    keepDraft: (text) => void drafts.push(text),
    answer: (value) => void answers.push(value),
    refuse: () => {},
    ...rest,
  };
  const holder = drawn(question(props));
  const form = holder.querySelector("form")!;
  const field = (name: string) => form.querySelector<HTMLElement>(`[data-field=${name}]`)!;
  const input = (name: string) => field(name).querySelector<HTMLInputElement>("input, select, textarea")!;
  const type = (name: string, text: string) => {
    input(name).value = text;
    input(name).dispatchEvent(new Event("input", { bubbles: true }));
  };
  const tick = (name: string, index = 0) => {
    const box = field(name).querySelectorAll<HTMLInputElement>("input")[index]!;
    box.checked = true;
    box.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const send = () => form.requestSubmit(form.querySelector<HTMLButtonElement>("button[type=submit]")!);
  return {
    answers,
    drafts,
    form,
    field,
    input,
    type,
    tick,
    send,
    redraw: (more: Partial<QuestionProps>) => render(question({ ...props, ...more }), holder),
  };
}

const refused = (fields: { readonly [name: string]: string }): Partial<QuestionProps> => ({
  error: "The answer does not fit the question.",
  fieldErrors: fieldErrorsOf(fields),
});

describe("a form in the page", () => {
  test("has its title as heading, its prompt below, and its fields in their order", () => {
    const { form } = asked();
    expect(textOf(form.querySelector("legend"))).toBe("A seat");
    expect(textOf(form.querySelector(".question-lead"))).toBe("Three evenings in March.");
    expect([...form.querySelectorAll("[data-field]")].map((one) => one.getAttribute("data-field"))).toEqual(pause.metadata["fields"]);
  });

  test("has a label for each control, and says which may be left out", () => {
    const { form, field, input } = asked();
    for (const label of form.querySelectorAll<HTMLLabelElement>("label[for]")) {
      expect(form.querySelector(`#${CSS.escape(label.htmlFor)}`)).not.toBeNull();
    }
    expect(textOf(field("name").querySelector("label"))).toBe("Your name");
    expect(textOf(field("seats").querySelector("label"))).toBe("Seats (optional)");
    expect(textOf(field("wood").querySelector("legend"))).toBe("Wood");
    expect(input("name").getAttribute("aria-required")).toBe("true");
    expect(textOf(document.getElementById(input("email").getAttribute("aria-describedby")!))).toBe("The ticket goes there.");
  });

  test("shows each field as what it is", () => {
    const { field, input } = asked();
    expect(input("email").getAttribute("inputmode")).toBe("email");
    expect(input("seats").value).toBe("1");
    expect(field("wood").querySelectorAll("input[type=radio]")).toHaveLength(2);
    expect([...field("port").querySelectorAll("option")].map(textOf)).toEqual(["Choose…", "A", "B", "C", "D", "E", "F", "G"]);
    expect(field("tools").querySelectorAll("input[type=checkbox]")).toHaveLength(2);
    expect(input("news").type).toBe("checkbox");
    expect(input("start").type).toBe("date");
    for (const name of ["note", "other"]) expect(input(name).tagName).toBe("TEXTAREA");
  });

  test("sends the values of its fields, and leaves out what was left empty", () => {
    const { answers, type, tick, send } = asked();
    type("name", "Ada");
    tick("wood", 1);
    send();
    expect(answers).toEqual([{ email: "", name: "Ada", seats: 1, wood: "Oak", news: false }]);
  });

  test("sends every kind of value as itself", () => {
    const { answers, type, tick, send } = asked();
    for (const [name, text] of [
      ["email", "ada@example.com"],
      ["name", "Ada"],
      ["seats", " 3 "],
      ["port", "2"],
      ["start", "2027-03-01"],
      ["note", "a\nb"],
      ["other", '{"x":[1]}'],
    ] as const) {
      type(name, text);
    }
    tick("wood", 0);
    tick("tools", 0);
    tick("tools", 1);
    tick("news");
    send();
    expect(answers).toEqual([
      {
        email: "ada@example.com",
        name: "Ada",
        seats: 3,
        wood: "Larch",
        port: "C",
        tools: ["Plane", "Saw"],
        news: true,
        start: "2027-03-01",
        note: "a\nb",
        other: { x: [1] },
      },
    ]);
  });

  test("sends what is no number and no JSON as it was typed, for the engine to refuse", () => {
    const { answers, type, send } = asked();
    type("seats", "many");
    type("other", "{");
    send();
    expect(answers).toMatchObject([{ seats: "many", other: "{" }]);
  });

  test("keeps what was entered with each change, and shows it again", () => {
    const { drafts, type, tick } = asked();
    type("name", "Ad");
    tick("tools", 1);
    tick("news");
    const again = asked({ draft: drafts.at(-1)! });
    expect(again.input("name").value).toBe("Ad");
    expect([...again.field("tools").querySelectorAll<HTMLInputElement>("input")].map(({ checked }) => checked)).toEqual([false, true]);
    expect(again.input("news").checked).toBe(true);
  });

  test("starts anew where a draft is none of a form", () => {
    expect(asked({ draft: "half a text" }).input("seats").value).toBe("1");
  });

  test("draws whatever names its fields have", () => {
    const properties = { querySelector: { type: "string" }, elements: { type: "string" }, toString: { type: "string" } } as const;
    const { answers, type, send } = asked({}, textPause({ type: "Form", schema: { type: "object", properties }, metadata: {} }));
    type("querySelector", "x");
    send();
    expect(answers).toEqual([{ querySelector: "x" }]);
  });

  test("shows hostile labels as inert text", () => {
    const properties = { a: { type: "string", title: "<img src=x>", description: "<b>" } } as const;
    const { form, field } = asked({}, textPause({ type: "Form", schema: { type: "object", properties }, metadata: {} }));
    expect(form.querySelector("img, b")).toBeNull();
    expect(textOf(field("a").querySelector("label"))).toBe("<img src=x> (optional)");
  });
});

describe("a refused form", () => {
  test("says beside each field what was wrong, and links it to the control", () => {
    const { input, field } = asked(refused({ email: "must be an e-mail address", "tools[1]": "must be one of: Plane, Saw" }));
    expect(input("email").getAttribute("aria-invalid")).toBe("true");
    const described = input("email").getAttribute("aria-describedby")!.split(" ");
    expect(described.map((id) => textOf(document.getElementById(id)))).toEqual([
      "The ticket goes there.",
      "E-mail must be an e-mail address.",
    ]);
    expect(textOf(document.getElementById(field("tools").getAttribute("aria-describedby")!))).toBe("Tools must be one of: Plane, Saw.");
    expect(input("name").getAttribute("aria-invalid")).toBe("false");
  });

  test("lists it all at its head, which gets the focus and leads to the fields", () => {
    const { form, input } = asked(refused({ name: "must not be empty", email: "is required" }));
    focusQuestion(pause.id);
    const summary = form.querySelector<HTMLElement>(".error-summary")!;
    expect(document.activeElement).toBe(summary);
    expect(textOf(summary.querySelector("p"))).toBe("2 fields need another look");
    const links = [...summary.querySelectorAll<HTMLButtonElement>("button")];
    expect(links.map(textOf)).toEqual(["E-mail is required.", "Your name must not be empty."]);
    links[1]!.click();
    expect(document.activeElement).toBe(input("name"));
  });

  test("gives the message itself where it belongs to no field", () => {
    const { form } = asked({ error: "The answer is too long." });
    expect(textOf(form.querySelector(".error-summary"))).toBe("The answer is too long.");
  });

  test("shows no list while nothing is wrong, and keeps what was typed when one appears", () => {
    const { form, type, input, redraw } = asked();
    expect(form.querySelector(".error-summary")).toBeNull();
    type("name", "Ada");
    redraw({ draft: JSON.stringify({ name: "Ada" }), ...refused({ email: "is required" }) });
    expect(input("name").value).toBe("Ada");
  });
});

test("the first field of a form is where someone begins", () => {
  const { input } = asked();
  const stage = document.createElement("div");
  stage.className = "stage";
  stage.append(...document.body.childNodes);
  document.body.append(stage);
  focusStage(document);
  expect(document.activeElement).toBe(input("email"));
});

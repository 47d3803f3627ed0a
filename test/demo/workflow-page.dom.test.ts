import { afterEach, describe, expect, test, vi } from "vitest";
import type { Values, Workflow } from "wavepoint";
import { focusForm } from "../../demo/focus.ts";
import { examplesList } from "../../demo/parts/examples-list.ts";
import { START_IDS } from "../../demo/parts/start-form.ts";
import { workflowPage } from "../../demo/parts/workflow-page.ts";
import { loadExamples, type Example } from "../../demo/examples.ts";
import type { StartState } from "../../demo/starting.ts";
import { drawn, textOf } from "./drawn.ts";

afterEach(() => document.body.replaceChildren());

const workflow: Workflow = {
  name: "book-berth",
  description: "Books a berth.",
  tags: ["form"],
  inputs: {
    boat: { type: "string", description: "As it stands on the hull" },
    berth: { type: "string", enum: ["North", "South"], default: "South" },
    nights: { type: "integer", default: 2 },
    power: { type: "boolean", default: true },
    guests: { type: "array", default: [{ name: "Ada" }, { name: "Grace" }] },
    pass: { type: "string", secret: true },
    remark: { type: "string", required: false },
  },
  blocks: [{ id: "book", type: "EchoBlock", inputs: { message: "${inputs.boat}" } }],
};

function opened(rest: Partial<Example> = {}, state: Partial<StartState> = {}) {
  const started: Values[] = [];
  const kept: string[] = [];
  const tryHere = vi.fn<() => void>();
  const holder = drawn(
    workflowPage({
      example: { workflow, source: "name: book-berth\n", shelf: "watch", called: [], ...rest },
      startState: {
        draft: "",
        sending: false,
        keepDraft: (text) => void kept.push(text),
        start: (inputs) => void started.push(inputs),
        ...state,
      },
      refusal: undefined,
      tryHere,
    }),
  );
  const form = holder.querySelector("form")!;
  const input = (name: string) => form.querySelector<HTMLInputElement>(`[name="field.${name}"]`)!;
  const type = (name: string, text: string) => {
    input(name).value = text;
    input(name).dispatchEvent(new Event("input", { bubbles: true }));
  };
  return { holder, form, input, type, started, kept, tryHere };
}

describe("the form that starts a workflow", () => {
  test("has a field for each input, of its kind, with its default", () => {
    const { form, input } = opened();
    expect([...form.querySelectorAll("[data-field]")].map((field) => field.getAttribute("data-field"))).toEqual(
      Object.keys(workflow.inputs!),
    );
    expect(input("boat").required || input("boat").getAttribute("aria-required")).toBe("true");
    const radios = [...form.querySelectorAll<HTMLInputElement>('[name="field.berth"]')];
    expect(radios.map(({ type, checked }) => [type, checked])).toEqual([
      ["radio", false],
      ["radio", true],
    ]);
    expect(input("nights").value).toBe("2");
    expect(input("power").checked).toBe(true);
    expect(input("guests").value).toBe('[\n  {"name":"Ada"},\n  {"name":"Grace"}\n]');
    expect(input("pass").type).toBe("password");
    expect(textOf(form.querySelector("[data-field=remark] label"))).toBe("Remark (optional)");
  });

  test("names each field by its label and its hint", () => {
    const { form, input } = opened();
    expect(textOf(form.querySelector(`label[for="${input("boat").id}"]`))).toBe("Boat");
    expect(textOf(document.getElementById(input("boat").getAttribute("aria-describedby")!))).toBe("As it stands on the hull");
  });

  test("starts with values of the declared types, and without what was left empty", () => {
    const { form, started, type } = opened();
    type("nights", "3");
    form.requestSubmit();
    expect(started).toEqual([{ berth: "South", nights: 3, power: true, guests: [{ name: "Ada" }, { name: "Grace" }] }]);
  });

  test("keeps drafts, but no secret", () => {
    const { type, kept } = opened();
    type("boat", "Marlin");
    type("pass", "open-sesame");
    expect(JSON.parse(kept.at(-1)!)).toMatchObject({ boat: "Marlin" });
    expect(kept.join()).not.toContain("open-sesame");
  });

  test("takes what the page knows for a default", () => {
    expect(opened({ presets: { boat: "Heron" } }).input("boat").value).toBe("Heron");
  });

  test("says what is wrong with the inputs, and leads there", () => {
    const { form, input } = opened(
      {},
      { error: 'Workflow "book-berth" cannot start.', fieldErrors: new Map([["boat", "is required: give a string."]]) },
    );
    focusForm(START_IDS.form);
    expect(document.activeElement).toBe(form.querySelector(".error-summary"));
    form.querySelector<HTMLButtonElement>(".error-summary button")!.click();
    expect(document.activeElement).toBe(input("boat"));
    expect(textOf(document.getElementById(input("boat").getAttribute("aria-describedby")!.split(" ")[1]!))).toBe(
      "Boat is required: give a string.",
    );
  });

  test("starts nothing twice", () => {
    const { form, started } = opened({}, { sending: true });
    form.requestSubmit();
    expect(started).toEqual([]);
  });
});

test("a workflow without inputs has a button alone", () => {
  const { form, started } = opened({ workflow: { name: "plain", blocks: [] } });
  expect(form.querySelector("input")).toBeNull();
  form.requestSubmit();
  expect(started).toEqual([{}]);
});

test("the graph is drawn, with a name and reachable by keyboard", async () => {
  const { holder } = opened();
  await vi.waitFor(() => expect(holder.querySelector(".graph svg")).not.toBeNull());
  expect(textOf(holder.querySelector(".graph svg > title"))).toBe("book-berth");
  expect(holder.querySelector(".graph [style], .graph style, .graph script")).toBeNull();
  const region = holder.querySelector(".graph")!;
  expect([region.getAttribute("role"), region.getAttribute("tabindex"), region.getAttribute("aria-label")]).toEqual([
    "region",
    "0",
    "Graph of Book berth",
  ]);
});

test("a workflow for Node shows the command line and no start form, and lets the engine say why", () => {
  const { holder, tryHere } = opened({ command: "npx wavepoint run book-berth.yaml --allow-shell ." });
  expect(holder.querySelector("form")).toBeNull();
  expect(textOf(holder.querySelector(".elsewhere code"))).toBe("npx wavepoint run book-berth.yaml --allow-shell .");
  holder.querySelector<HTMLButtonElement>("[data-try]")!.click();
  expect(tryHere).toHaveBeenCalledOnce();
});

describe("the gallery", () => {
  const examples = loadExamples();
  const gallery = (tags: readonly string[], choose: (tags: readonly string[]) => void = () => {}) =>
    drawn(examplesList({ examples, tags, choose, start: () => {} }));

  test("shows the workflows that have all chosen tags, and says how many", () => {
    const holder = gallery(["files", "questions"]);
    expect([...holder.querySelectorAll("[data-example]")].map((card) => card.getAttribute("data-example"))).toEqual(["config-wizard"]);
    expect(textOf(holder.querySelector("[role=status]"))).toBe(`1 of ${examples.shown.length} workflows`);
  });

  test("says so where none has them", () => {
    expect(textOf(gallery(["files", "http"]))).toContain("No workflow has all of these.");
  });

  test("has a button for each tag that tells whether it is chosen", () => {
    const choose = vi.fn<(tags: readonly string[]) => void>();
    const holder = gallery(["files"], choose);
    const button = (tag: string) => holder.querySelector<HTMLButtonElement>(`[data-tag="${tag}"]`)!;
    expect([button("files"), button("retry")].map((one) => one.getAttribute("aria-pressed"))).toEqual(["true", "false"]);
    button("retry").click();
    button("files").click();
    expect(choose.mock.calls).toEqual([[["files", "retry"]], [[]]]);
  });

  test("offers a start only where the page can run it", () => {
    const holder = gallery([]);
    expect(holder.querySelector("[data-example=sea-forecast] [data-start]")).not.toBeNull();
    const elsewhere = holder.querySelector("[data-example=ci-pipeline]")!;
    expect(elsewhere.querySelector("[data-start]")).toBeNull();
    expect(textOf(elsewhere.querySelector("h4"))).toBe("CI pipeline");
    expect(elsewhere.querySelector("a.button")?.getAttribute("href")).toBe("#/workflow/ci-pipeline");
  });
});

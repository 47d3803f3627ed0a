import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { createPauseForm, type PauseForm } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { examplesList } from "../../demo/parts/examples-list.ts";
import { workflowPage } from "../../demo/parts/workflow-page.ts";
import { loadExamples, type Example } from "../../demo/examples.ts";
import { drawn, textOf } from "./drawn.ts";

// A real one: where a file before this one has defined the elements, they draw it.
let startForm: PauseForm;
beforeAll(async () => {
  const blocks = [{ id: "boat", type: "GetInput", inputs: { prompt: "Which boat?" } }];
  const run = await createExecutor({ store: memoryStore() }).start({ name: "begin", blocks });
  const { pauses } = await run.settled();
  startForm = createPauseForm(run, pauses![0]!.id);
});
afterEach(() => document.body.replaceChildren());

const workflow: Workflow = {
  name: "book-berth",
  inputs: { boat: { type: "string" } },
  blocks: [{ id: "book", type: "EchoBlock", inputs: { message: "${inputs.boat}" } }],
};

function opened(rest: Partial<Example> = {}) {
  const tryHere = vi.fn<() => void>();
  const example: Example = { workflow, readSource: () => Promise.resolve("name: book-berth\n"), shelf: "watch", called: [], ...rest };
  const holder = drawn(workflowPage({ example, startForm, refusal: undefined, tryHere }));
  return { holder, tryHere };
}

test("a workflow for the page has the question that starts it", () => {
  const { holder } = opened();
  expect(holder.querySelector("wavepoint-prompt")).toMatchObject({ form: startForm, action: "Start Book berth" });
});

test("the graph is drawn, with a name and reachable by keyboard", async () => {
  const { holder } = opened();
  await expect.poll(() => holder.querySelector(".graph svg")).not.toBeNull();
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
  expect(holder.querySelector("wavepoint-prompt")).toBeNull();
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
    expect([...holder.querySelectorAll("[data-example]")].map((card) => card.getAttribute("data-example"))).toEqual([
      "storm-report",
      "config-wizard",
    ]);
    expect(textOf(holder.querySelector("[role=status]"))).toBe(`2 of ${examples.shown.length} workflows`);
  });

  test("says so where none has them", () => {
    expect(textOf(gallery(["files", "http"]))).toContain("No workflow has all of these.");
  });

  test("has a button for each tag that tells whether it is chosen", () => {
    const choose = vi.fn<(tags: readonly string[]) => void>();
    const holder = gallery(["files"], choose);
    const button = (tag: string) => holder.querySelector<HTMLButtonElement>(`[data-tag="${tag}"]`)!;
    expect([button("files"), button("parallel")].map((one) => one.getAttribute("aria-pressed"))).toEqual(["true", "false"]);
    button("parallel").click();
    button("files").click();
    expect(choose.mock.calls).toEqual([[["files", "parallel"]], [[]]]);
  });

  test("counts a call among what asks only where the called workflow asks", () => {
    const factsOf = (workflow: string) => textOf(gallery([]).querySelector(`[data-example=${workflow}] .example-facts`));
    expect(factsOf("take-soundings")).toBe("2 blocks · half a minute");
    expect(factsOf("first-day")).toBe("4 blocks · 2 ask you · half a minute");
  });

  test("offers a start only where the page can run it", () => {
    const holder = gallery([]);
    expect(holder.querySelector("[data-example=sea-forecast] [data-start]")).not.toBeNull();
    const elsewhere = holder.querySelector("[data-example=ci-pipeline]")!;
    expect(elsewhere.querySelector("[data-start]")).toBeNull();
    expect(textOf(elsewhere.querySelector("h3"))).toBe("CI pipeline");
    expect(elsewhere.querySelector("a.button")?.getAttribute("href")).toBe("#/workflow/ci-pipeline");
  });
});
